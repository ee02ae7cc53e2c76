/** Period after which a film with holds repeats. */
export const periodSeconds = 3;
const holdFromSeconds = 0.9;
const holdSeconds = 1.2;

/** Returns the seconds of motion in a film with holds, which is static for 1.2 of every three seconds: 40 % of its frames. */
export function held(seconds: number): number {
  const round = Math.floor(seconds / periodSeconds);
  const local = seconds - round * periodSeconds;
  const stood = Math.min(Math.max(local - holdFromSeconds, 0), holdSeconds);
  // Rounds to the microsecond, because a difference in the last digit would count as motion.
  return Math.round((round * (periodSeconds - holdSeconds) + local - stood) * 1e6) / 1e6;
}
