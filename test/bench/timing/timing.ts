// Shared by benchmarks that time single calls in rounds.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { median, significant } from '../render/statistics.ts';

export interface TimingOptions {
  readonly rounds: number;
  /** Path of the JSON result, if any. */
  readonly json?: string | undefined;
}

/** Parses `--rounds`, `--json` and `--help`. `--help` prints the usage and exits. Throws an Error for invalid options. */
export function readTimingOptions(helpText: string, rounds: { readonly max: number; readonly default: number }): TimingOptions {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(helpText);
    process.exit(0);
  }
  const schema = z.object({
    rounds: z.coerce.number().int().min(1).max(rounds.max).default(rounds.default),
    json: z.string().optional(),
  });
  return schema.parse(values);
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

/** One row of a result: medians in milliseconds, and the speed-up over the peer. */
export interface TimingRow<Peer extends string> {
  readonly name: string;
  readonly unit: 'ms';
  readonly goal: number | null;
  readonly ours: number;
  readonly peers: Readonly<Record<Peer, number>>;
  readonly ratios: Readonly<Record<Peer, number>>;
}

/** Returns the row for two series that were measured alternately. */
export function timingRow<Peer extends string>(
  { name, goal }: { readonly name: string; readonly goal: number | null },
  ours: readonly number[],
  peer: { readonly name: Peer; readonly times: readonly number[] },
): TimingRow<Peer> {
  const [own, other] = [significant(median(ours)), significant(median(peer.times))];
  const only = (value: number) => ({ [peer.name]: value }) as Record<Peer, number>;
  return { name, unit: 'ms', goal, ours: own, peers: only(other), ratios: only(significant(other / own)) };
}

/** Writes the result in the format shared by these benchmarks. */
export async function writeResult(path: string, area: string, rows: readonly TimingRow<string>[]): Promise<void> {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
  await writeFile(path, `${JSON.stringify({ area, machine, rows }, null, 2)}\n`);
}
