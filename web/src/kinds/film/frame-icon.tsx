import type { Aspect } from '#contract/render.ts';

const shapes: Record<Aspect, { width: number; height: number }> = {
  '16:9': { width: 14, height: 8 },
  '9:16': { width: 8, height: 14 },
  '1:1': { width: 11, height: 11 },
  '4:5': { width: 10, height: 12.5 },
};

export function FrameIcon({ aspect }: { aspect: Aspect }) {
  const { width, height } = shapes[aspect];
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4">
      <rect
        x={(16 - width) / 2}
        y={(16 - height) / 2}
        width={width}
        height={height}
        rx="1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
      />
    </svg>
  );
}
