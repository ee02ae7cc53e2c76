/** A render that waits for its turn. */
export interface Waiting {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
  /** Position in order of arrival. */
  readonly arrival: number;
  /** It was at work before, and made way for a preview. */
  readonly yielded: boolean;
}

/** A render that is at work. */
export interface AtWork {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
}

/** How many renders may be at work at a time. */
export interface Lanes {
  /** Renders of any kind, each with its share of the processors. */
  readonly heavy: number;
  /** Previews on top of them, so that a viewer does not wait for a film. */
  readonly preview: number;
}

/**
 * The next render: previews before finals, since a viewer is waiting; then what made way for one; then the project that
 * was served longest ago (`lastServed`: a growing number per turn), so that one project with many renders does not
 * keep the others waiting; then the first that came. A project that has a render at work waits, since its sandbox does
 * one at a time. Null when none can start.
 */
export function nextInQueue(
  waiting: readonly Waiting[],
  atWork: readonly AtWork[],
  options: { readonly lanes: Lanes; readonly lastServed: ReadonlyMap<string, number> },
): Waiting | null {
  const { lanes, lastServed } = options;
  const busy = new Set(atWork.map(({ projectId }) => projectId));
  const previews = atWork.filter(({ preview }) => preview).length;
  const heavyTaken = atWork.length - Math.min(previews, lanes.preview);
  const hasRoom = ({ preview }: Waiting) => heavyTaken < lanes.heavy || (preview && previews < lanes.preview);
  const served = ({ projectId }: Waiting) => lastServed.get(projectId) ?? -1;
  const [first] = waiting
    .filter((render) => !busy.has(render.projectId) && hasRoom(render))
    .toSorted(
      (a, b) =>
        Number(b.preview) - Number(a.preview) ||
        Number(b.yielded) - Number(a.yielded) ||
        served(a) - served(b) ||
        a.arrival - b.arrival,
    );
  return first ?? null;
}

/** Ids of the finals that have to make way, since a preview of the same project waits. They go on where they were later. */
export function yieldingTo(waiting: readonly Waiting[], atWork: readonly AtWork[]): string[] {
  const awaited = new Set(waiting.filter(({ preview }) => preview).map(({ projectId }) => projectId));
  return atWork.filter(({ preview, projectId }) => !preview && awaited.has(projectId)).map(({ id }) => id);
}

export interface Machine {
  readonly processors: number;
  readonly memoryBytes: number;
}

/** What a sandbox that renders may take of the machine. */
export interface RenderShare {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** The rest is for the studio itself, the engine, and sandboxes that do not render. */
const memoryForRenders = 0.75;
/** Somebody is watching: one preview need not wait for any film. More at a time take shares like films. */
const previewLanes = 1;

/** How many renders the machine carries: as many as it has whole shares of processors and memory, at least one. */
export function lanesOf(machine: Machine, share: RenderShare): Lanes {
  const byProcessors = Math.floor(machine.processors / share.cpus);
  const byMemory = Math.floor((machine.memoryBytes * memoryForRenders) / share.memoryBytes);
  return { heavy: Math.max(1, Math.min(byProcessors, byMemory)), preview: previewLanes };
}
