/** A render that waits for its turn. */
export interface Waiting {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
  /** Position in order of arrival. */
  readonly arrival: number;
}

/**
 * Who is next: previews before finals, since somebody is watching; then the project that was served
 * longest ago (`lastServed`: a growing number per turn), so that one project with many renders does not
 * keep the others waiting; then who came first. A project that has a render at work waits, since its
 * sandbox does one at a time. Null when nobody can go.
 */
export function nextInQueue(
  waiting: readonly Waiting[],
  busyProjects: ReadonlySet<string>,
  lastServed: ReadonlyMap<string, number>,
): Waiting | null {
  const served = ({ projectId }: Waiting) => lastServed.get(projectId) ?? -1;
  const [first] = waiting
    .filter(({ projectId }) => !busyProjects.has(projectId))
    .toSorted((a, b) => Number(b.preview) - Number(a.preview) || served(a) - served(b) || a.arrival - b.arrival);
  return first ?? null;
}
