import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { descendants, type ProcessStat, readOrNull, readProcesses } from './process-tree.ts';

/** Checks that the machine does no other work, which would distort the figures. */

/** Share of all CPU time that other processes may use. */
export const quietLimit = 0.05;
const observedMs = 3000;
/** A short burst of other work is waited for. */
const attempts = 3;
const named = 5;

const clockTicksPerSecond = 100;

/** CPU time until now, in seconds. */
export interface CpuTimes {
  /** Of the whole machine. */
  readonly busySeconds: number;
  readonly processes: readonly ProcessStat[];
}

export interface OtherWork {
  /** Share of all CPU time, 0 to 1, that processes other than the benchmark's own used. */
  readonly share: number;
  /** The processes that used the most, with the number of cores that each kept busy. */
  readonly most: readonly { readonly pid: number; readonly cores: number }[];
}

/** Returns the CPU time of the first line of /proc/stat, without idle time and waiting for disks. Throws an Error if it has none. */
export function busySecondsOf(stat: string): number {
  const fields = /^cpu +([\d ]+)/.exec(stat)?.[1]?.split(' ').map(Number);
  if (!fields) throw new Error('/proc/stat has no line for all processors.');
  // `user` and `nice` contain the time of guests, which is the eighth field and the ninth.
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, stolen = 0] = fields;
  return (user + nice + system + interrupts + softInterrupts + stolen) / clockTicksPerSecond;
}

export function otherWork(
  before: CpuTimes,
  after: CpuTimes,
  { ownPid, seconds, cores }: { readonly ownPid: number; readonly seconds: number; readonly cores: number },
): OtherWork {
  const known = new Map(before.processes.map((stat) => [`${stat.pid}-${stat.startedTicks}`, stat.cpuSeconds]));
  const used = (stat: ProcessStat) => stat.cpuSeconds - (known.get(`${stat.pid}-${stat.startedTicks}`) ?? 0);
  const own = new Set(descendants(after.processes, ownPid).map(({ pid }) => pid));
  const ownSeconds = after.processes.filter(({ pid }) => own.has(pid)).reduce((sum, stat) => sum + used(stat), 0);
  const share = (after.busySeconds - before.busySeconds - ownSeconds) / (seconds * cores);
  const most = after.processes
    .filter(({ pid }) => !own.has(pid))
    .map((stat) => ({ pid: stat.pid, cores: used(stat) / seconds }))
    .filter((one) => one.cores > 0)
    .sort((one, other) => other.cores - one.cores)
    .slice(0, named);
  return { share: Math.max(0, share), most };
}

/** Describes why the machine is too busy, with the processes that use the most CPU time. */
export function describeOtherWork({ share, most }: OtherWork, nameOf: (pid: number) => string): string {
  const percent = (part: number) => `${(part * 100).toFixed(0)} %`;
  const processes = most.map(({ pid, cores }) => `  ${percent(cores).padStart(5)} of a core  ${pid}  ${nameOf(pid)}`);
  return [
    `This machine is busy: other processes use ${percent(share)} of its CPU time, and at most ${percent(quietLimit)} is allowed.`,
    ...processes,
    'Stop them and try again, or measure anyway with --busy. The report then says so.',
  ].join('\n');
}

/** Returns the other work of the quietest of a few moments. */
async function observeOtherWork(signal: AbortSignal): Promise<OtherWork> {
  let least: OtherWork | null = null;
  for (let attempt = 0; attempt < attempts && (least === null || least.share > quietLimit); attempt++) {
    const before = readCpuTimes();
    const startedAtMs = performance.now();
    await delay(observedMs, undefined, { signal });
    const seconds = (performance.now() - startedAtMs) / 1000;
    const work = otherWork(before, readCpuTimes(), { ownPid: process.pid, seconds, cores: availableParallelism() });
    if (least === null || work.share < least.share) least = work;
  }
  if (least === null) throw new Error('Nothing was observed.');
  return least;
}

/** Other work on the machine distorts the figures. The message names its processes. */
export class BusyMachineError extends Error {}

/** Throws BusyMachineError if the machine is busy. */
export async function requireQuiet(signal: AbortSignal): Promise<void> {
  const work = await observeOtherWork(signal);
  if (work.share > quietLimit) throw new BusyMachineError(describeOtherWork(work, commandOf));
}

function readCpuTimes(): CpuTimes {
  return { busySeconds: busySecondsOf(readOrNull('/proc/stat') ?? ''), processes: readProcesses() };
}

function commandOf(pid: number): string {
  const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();
  return (words || (readOrNull(`/proc/${pid}/comm`)?.trim() ?? 'ended')).slice(0, 80);
}
