export interface Waiting {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
  readonly arrival: number;
  /** Whether it ran before and was preempted by a preview. */
  readonly wasPreempted: boolean;
}

export interface RunningRender {
  readonly id: string;
  readonly projectId: string;
  readonly preview: boolean;
}

export interface RenderSlots {
  /** Slots for renders of any kind, each with its share of CPUs and memory. */
  readonly heavy: number;
  /** Additional slots for previews, so that a viewer does not wait for a film. */
  readonly preview: number;
}

/** `waiting`: other projects' sandboxes must end first. */
export type SandboxStatus = 'running' | 'waiting' | 'stopped';

interface Rules {
  readonly slots: RenderSlots;
  readonly lastServed: ReadonlyMap<string, number>;
  readonly sandboxOf: (projectId: string) => SandboxStatus;
}

/**
 * Returns the next render to start, or `null` if none can. Order: previews, because a viewer is waiting; preempted finals; the
 * least recently served project (`lastServed`), for fairness; arrival. Skips projects with a running render, because a sandbox
 * renders one at a time. The slot of a render that waits for a sandbox is available to one that has its sandbox. Otherwise,
 * renders with a slot would wait for sandboxes whose renders wait for a slot.
 */
export function nextInQueue(
  waiting: readonly Waiting[],
  running: readonly RunningRender[],
  { slots, lastServed, sandboxOf }: Rules,
): Waiting | null {
  const busy = new Set(running.map(({ projectId }) => projectId));
  const rendering = running.filter(({ projectId }) => sandboxOf(projectId) !== 'waiting');
  const hasSlot = (render: Waiting) =>
    hasSlotBeside(running, render, slots) ||
    (sandboxOf(render.projectId) === 'running' && hasSlotBeside(rendering, render, slots));
  const served = ({ projectId }: Waiting) => lastServed.get(projectId) ?? -1;
  const [first] = waiting
    .filter((render) => !busy.has(render.projectId) && hasSlot(render))
    .toSorted(
      (a, b) =>
        Number(b.preview) - Number(a.preview) ||
        Number(b.wasPreempted) - Number(a.wasPreempted) ||
        served(a) - served(b) ||
        a.arrival - b.arrival,
    );
  return first ?? null;
}

function hasSlotBeside(running: readonly RunningRender[], { preview }: Waiting, slots: RenderSlots): boolean {
  const previews = running.filter((other) => other.preview).length;
  const usedSlots = running.length - Math.min(previews, slots.preview);
  return usedSlots < slots.heavy || (preview && previews < slots.preview);
}

/** Returns the ids of finals to preempt because a preview in the same project is waiting. They resume later. */
export function preemptedRenders(waiting: readonly Waiting[], running: readonly RunningRender[]): string[] {
  const awaited = new Set(waiting.filter(({ preview }) => preview).map(({ projectId }) => projectId));
  return running.filter(({ preview, projectId }) => !preview && awaited.has(projectId)).map(({ id }) => id);
}

export interface Machine {
  readonly processors: number;
  readonly memoryBytes: number;
}

export interface SlotResources {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** Share of the machine for renders. The rest is for the studio, the engine and sandboxes that do not render. */
const renderMemoryShare = 0.75;
/** A viewer is waiting, so one preview starts beside the finals. Further previews use regular slots. */
const previewSlots = 1;

/** Returns the number of render slots for a machine, at least one, limited by its CPUs and memory. */
export function slotsFor(machine: Machine, share: SlotResources): RenderSlots {
  const byProcessors = Math.floor(machine.processors / share.cpus);
  const byMemory = Math.floor((machine.memoryBytes * renderMemoryShare) / share.memoryBytes);
  return { heavy: Math.max(1, Math.min(byProcessors, byMemory)), preview: previewSlots };
}
