import type { Lanes } from './queue-policy.ts';

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
