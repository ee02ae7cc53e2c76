export interface Candidate {
  readonly ended: boolean;
  readonly running: boolean;
  /** Somebody looks at its terminal. */
  readonly watched: boolean;
  readonly usedAtMs: number;
}

/** Which session gives up its place: one that has ended, else one in which nothing runs, else one that nobody looks at; of these the one idle longest. */
export function firstToGo<Session extends Candidate>(sessions: readonly Session[]): Session | undefined {
  const worth = ({ ended, running, watched }: Candidate) => (ended ? 0 : 1 + (watched ? 2 : 0) + (running ? 1 : 0));
  return [...sessions].sort((one, other) => worth(one) - worth(other) || one.usedAtMs - other.usedAtMs)[0];
}
