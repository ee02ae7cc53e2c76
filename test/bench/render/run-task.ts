import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { daemonFlags } from '../../../server/sandbox/process-provider.ts';
import type { Task } from './contenders/contender.ts';
import { type CpuSource, type Reading, TreeMeter } from './meter.ts';
import { type WorkerMessage, workerMessageSchema } from './protocol.ts';

export interface Run {
  readonly frames: number;
  readonly wallSeconds: number;
  /** Time until the page was ready, if the contender reports it. */
  readonly startSeconds: number | null;
  readonly cpuSeconds: number;
  readonly cpuSource: CpuSource;
  readonly cpuSecondsByKind: Reading['cpuSecondsByKind'];
  readonly peakMemoryBytes: number;
  readonly sizeBytes: number;
  readonly videoPath: string;
}

const outputTailCharacters = 3000;

/**
 * Runs a task in its own process. Throws an Error with the end of that process's output if it fails, or the signal's reason.
 * The process and everything that it started have ended by then.
 */
export async function runTask(task: Task, signal: AbortSignal): Promise<Run> {
  await rm(task.output, { recursive: true, force: true });
  await mkdir(task.output, { recursive: true });
  const worker = fork(join(import.meta.dirname, 'worker.ts'), [JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Koda renders in its daemon.
    execArgv: task.contender === 'ours' ? daemonFlags : [],
  });
  let output = '';
  for (const stream of [worker.stdout, worker.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputTailCharacters);
    });
  }
  const exited = once(worker, 'exit');
  if (worker.pid === undefined) throw new Error('The process of a contender did not start.');
  await using meter = new TreeMeter(worker.pid);
  const onAbort = () => meter.kill();
  signal.addEventListener('abort', onAbort, { once: true });
  let finished: Run | null = null;
  const end = Promise.withResolvers<void>();
  const handle = async (message: WorkerMessage): Promise<void> => {
    if (message.type === 'ready') worker.send({ type: 'start' });
    else if (message.type === 'begin') meter.begin();
    else {
      const reading = meter.end();
      finished = {
        ...reading,
        frames: message.frames,
        wallSeconds: message.wallMs / 1000,
        startSeconds: message.startMs === null ? null : message.startMs / 1000,
        sizeBytes: (await stat(message.videoPath)).size,
        videoPath: message.videoPath,
      };
      end.resolve();
    }
  };
  worker.on('message', (message) => {
    handle(workerMessageSchema.parse(message)).catch(end.reject);
  });
  try {
    await Promise.race([end.promise, exited]);
    const [exitCode] = await exited;
    if (finished) return finished;
    signal.throwIfAborted();
    throw new Error(`${task.contender} (${task.variant}) failed on ${task.scene}, exit code ${exitCode}: ${output}`);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A failed contender may have left its browsers running.
    meter.kill();
  }
}
