/** The mark: a ball's path, each bounce lower than the one before. */
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
