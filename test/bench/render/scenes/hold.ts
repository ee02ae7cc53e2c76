/** After which a film with holds repeats itself. */
export const periodSeconds = 3;
const holdFromSeconds = 0.9;
const holdSeconds = 1.2;

/** Seconds of motion that have gone by in a film that holds: of every three seconds it is still for 1.2, 40 % of its frames. */
export function held(seconds: number): number {
  const round = Math.floor(seconds / periodSeconds);
  const local = seconds - round * periodSeconds;
  const stood = Math.min(Math.max(local - holdFromSeconds, 0), holdSeconds);
  // To the microsecond: what differs in the sixteenth digit does not stand still.
  return Math.round((round * (periodSeconds - holdSeconds) + local - stood) * 1e6) / 1e6;
}
