import { type Contender, type ContenderName, taskSchema } from './contenders/contender.ts';
import type { WorkerMessage } from './protocol.ts';

/** The process of one render; see protocol.ts. */

/** Contenders are imported on demand, so that none pays for another's imports. */
const contenders: Partial<Record<ContenderName, () => Promise<Contender>>> = {
  ours: async () => (await import('./contenders/ours.ts')).ours,
  naive: async () => (await import('./contenders/naive.ts')).naive,
  remotion: async () => (await import('./contenders/remotion.ts')).remotion,
  hyperframes: async () => (await import('./contenders/hyperframes.ts')).hyperframes,
};

function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

const task = taskSchema.parse(JSON.parse(process.argv[2] ?? ''));
const contender = await contenders[task.contender]?.();
if (!contender) throw new Error(`${task.contender} cannot be run yet.`);
await contender.prepare(task);
const started = new Promise((resolve) => process.once('message', resolve));
await send({ type: 'ready' });
await started;
await send({ type: 'begin' });
const beganAtMs = performance.now();
const rendered = await contender.render(task);
await send({ type: 'end', wallMs: performance.now() - beganAtMs, ...rendered });
process.disconnect();
