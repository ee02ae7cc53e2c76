import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { controlSocketName } from '#contract/sandbox/answers.ts';
import type { HostileShape } from '../fixtures/hostile-daemon.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Far less than an unlimited answer takes, and several times what a limited one takes on a core that other programs share. */
const maxHeldCpuMs = 300;
const maxHeapGrowthMb = 100;

const measuredSchema = z.object({
  heldCpuMs: z.number(),
  heapGrowthMb: z.number(),
  outcomes: z.record(z.string(), z.string()),
});
type Measured = z.infer<typeof measuredSchema>;

function start(script: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [fixture(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Makes these calls in a process of their own, so that only they are measured. Cancels each after `maxMs`. */
async function callHostile(shape: HostileShape, calls: readonly string[], maxMs: number): Promise<Measured> {
  const folder = mkdtempSync('/tmp/kh-');
  const daemon = start('hostile-daemon.ts', [join(folder, controlSocketName), shape]);
  try {
    if (daemon.stdout === null) throw new Error('The daemon has no output.');
    await once(daemon.stdout, 'data');
    const caller = start('hostile-answers-child.ts', [folder, String(maxMs), ...calls]);
    if (caller.stdout === null) throw new Error('The process has no output.');
    return measuredSchema.parse(JSON.parse(await text(caller.stdout)));
  } finally {
    daemon.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/** Measures again after too much CPU time or memory, because a slow core and a late garbage collection also cause that once. */
async function bestOfThree(shape: HostileShape, calls: readonly string[], maxMs: number): Promise<Measured> {
  let measured = await callHostile(shape, calls, maxMs);
  for (let again = 0; again < 2 && (measured.heldCpuMs >= maxHeldCpuMs || measured.heapGrowthMb >= maxHeapGrowthMb); again += 1)
    measured = await callHostile(shape, calls, maxMs);
  return measured;
}

const everyKind = ['listFiles', 'changes', 'findLines', 'health', 'inspect', 'readImage', 'exec'];
const broken = /The sandbox sent an invalid response/;
const cancelled = /was cancelled/;
const timedOut = /did not respond to GET \/health within 5 s/;

describe('responses of a sandbox that has been replaced', () => {
  it.each<[HostileShape, readonly string[], RegExp]>([
    ['objects', everyKind, broken],
    ['fields', everyKind, broken],
    ['nest', everyKind, broken],
    ['endless line', everyKind, broken],
    ['endless empty lines', everyKind, broken],
    ['endless elements', everyKind, broken],
    ['elements of 4 KiB', everyKind, broken],
    ['elements full of values', everyKind, broken],
    ['nested elements', everyKind, broken],
    ['gzip bomb', everyKind, broken],
    ['digits', everyKind, broken],
    ['huge exponents', everyKind, broken],
    ['escapes', everyKind, broken],
    ['prototypes', everyKind, broken],
    ['single-byte chunks', everyKind, broken],
    ['interim responses', everyKind, broken],
    ['endless headers', everyKind, broken],
    ['large error', everyKind, broken],
    ['error with many details', everyKind, broken],
    ['list of lists', everyKind, broken],
    ['wrong elements', everyKind, broken],
    ['fitting escapes', everyKind, broken],
    ['fitting digits', everyKind, broken],
    ['fitting fields', everyKind, broken],
    ['large image', ['readImage', 'inspect'], broken],
    ['drip', ['health'], timedOut],
    // A flood of valid output is paused, and ends when its reader has enough.
    ['tiny events', ['exec'], cancelled],
    ['large events', ['exec'], cancelled],
    ['progress events', ['render'], cancelled],
    ['output', ['shellStream'], cancelled],
    ['output byte by byte', ['shellStream'], cancelled],
  ])('H5: do not hold the thread and end in a clear error: %s', async (shape, calls, outcome) => {
    const { outcomes, heldCpuMs, heapGrowthMb } = await bestOfThree(shape, calls, outcome === cancelled ? 2_000 : 100_000);
    expect(Object.keys(outcomes)).toEqual(calls);
    for (const [call, message] of Object.entries(outcomes)) expect(message, call).toMatch(outcome);
    expect(heldCpuMs).toBeLessThan(maxHeldCpuMs);
    expect(heapGrowthMb).toBeLessThan(maxHeapGrowthMb);
  });
});
