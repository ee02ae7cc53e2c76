import type { Aspect } from '#contract/film.ts';

export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M7 22.5C9.2 9.5 13.4 9.5 15.5 22.5 17 15.5 20 15.5 21.5 22.5 22.5 19 24.3 19 25.2 22.5"
        fill="none"
        stroke="var(--accent-ink)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

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

const colours = 5;

/** Returns a scene's colour, the same in every view. Scenes count from 1. */
export function sceneColour(number: number): string {
  return `var(--scene-${((number - 1) % colours) + 1})`;
}
