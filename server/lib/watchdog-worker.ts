import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';

const { shared, tickMs, maxHeldCpuMs, maxMissedTicks } = z
  .object({
    shared: z.instanceof(SharedArrayBuffer),
    tickMs: z.number(),
    maxHeldCpuMs: z.number(),
    maxMissedTicks: z.number(),
  })
  .parse(workerData);
const beats = new Int32Array(shared);
let lastBeat = Atomics.load(beats, 0);
let cpuMsAtBeat = cpuMs();
let missedTicks = 0;

// Counts its own ticks instead of time: while the computer sleeps or the process is stopped, neither thread ticks.
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== lastBeat) {
    lastBeat = beat;
    cpuMsAtBeat = cpuMs();
    missedTicks = 0;
    return;
  }
  missedTicks += 1;
  if (cpuMs() - cpuMsAtBeat < maxHeldCpuMs && missedTicks < maxMissedTicks) return;
  // `process.stderr` of a worker needs the main thread.
  writeSync(
    2,
    `Koda has not responded for ${(missedTicks * tickMs) / 1000} s and ends itself. Its unfinished work resumes after a restart.\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}, tickMs);

/** Includes other threads, so it is never less than the main thread's. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
