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

const colours = 5;

/** Returns a scene's colour, the same in every view. Scenes count from 1. */
export function sceneColour(number: number): string {
  return `var(--scene-${((number - 1) % colours) + 1})`;
}
