import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApplyChange, controlSocketName } from '#contract/sandbox/answers.ts';
import { Transactions } from '../../sandbox-image/sandboxd/apply/apply.ts';
import { realDisk } from '../../sandbox-image/sandboxd/apply/disk.ts';
import { change, sample, sampleChanges, steppedDisk, unchecked } from '../fixtures/apply-sample.ts';
import { listTree } from '../fixtures/folder-sandbox.ts';

const child = new URL('../fixtures/apply-child.ts', import.meta.url).pathname;
/** Number of kills at random times, in addition to one at each step. */
const randomKills = Number(process.env['KODA_APPLY_KILLS'] ?? 10);
const back = [
  change('src/old.ts', 'old', 'file'),
  change('src/gone.ts', 'gone', 'nothing'),
  change('src/deep/er/added.ts', null, 'file'),
  change('run.sh', '#!', 'file'),
  change('src/also.ts', null, 'file'),
];

let folder: string;
let workspace: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-kill-'));
  workspace = join(folder, 'workspace');
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(): void {
  rmSync(workspace, { recursive: true, force: true });
  for (const [path, content] of Object.entries(sample)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
}

function tree(): Record<string, string> {
  return Object.fromEntries(Object.entries(listTree(workspace)).filter(([path]) => !path.startsWith('.koda/')));
}

/** Resolves once SIGKILL has ended the child. `afterMs`: time after its start at which the child is killed from outside. */
async function killed(at: number, lists: readonly (readonly ApplyChange[])[], afterMs: number | null): Promise<void> {
  const program = spawn(process.execPath, [child, workspace, String(at), ...lists.map((list) => JSON.stringify(list))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
  });
  const ended = once(program, 'exit');
  if (afterMs !== null) {
    await once(program.stdout, 'data');
    await delay(afterMs);
    program.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
}

describe('the process that applies changes', () => {
  it('G1: leaves the workspace either unchanged or fully changed if killed at any step or time', async () => {
    start();
    const before = tree();
    const counted = steppedDisk(realDisk, () => undefined);
    await new Transactions(workspace, counted.disk).apply({ ...unchecked, changes: sampleChanges }, new AbortController().signal);
    const after = tree();
    for (let at = 1; at <= counted.steps(); at++) {
      start();
      await killed(at, [sampleChanges], null);
      await new Transactions(workspace).recover();
      expect(tree(), `killed at step ${at}`).toEqual(at < counted.steps() ? before : after);
    }
    start();
    const seen = { before: 0, after: 0, rolledBack: 0 };
    for (let count = 0; count < randomKills; count++) {
      const isBefore = JSON.stringify(tree()) === JSON.stringify(before);
      await killed(0, isBefore ? [sampleChanges, back] : [back, sampleChanges], Math.random() * 12);
      if (await new Transactions(workspace).recover()) seen.rolledBack += 1;
      const now = tree();
      expect([before, after], `random kill ${count}`).toContainEqual(now);
      seen[JSON.stringify(now) === JSON.stringify(before) ? 'before' : 'after'] += 1;
    }
    process.stdout.write(`${counted.steps()} kills at steps, ${randomKills} at random moments: ${JSON.stringify(seen)}\n`);
  });

  it('G1: the next sandboxd rolls the transaction back before it accepts a call', async () => {
    start();
    const before = tree();
    // Two steps before the end, every file has been swapped and the journal still exists.
    const counted = steppedDisk(realDisk, () => undefined);
    await new Transactions(workspace, counted.disk).apply({ ...unchecked, changes: sampleChanges }, new AbortController().signal);
    start();
    await killed(counted.steps() - 2, [sampleChanges], null);
    expect(tree()).not.toEqual(before);
    const socketDir = join(folder, 'sockets');
    mkdirSync(socketDir);
    const daemon = spawn(process.execPath, [new URL('../../sandbox-image/sandboxd/main.ts', import.meta.url).pathname], {
      stdio: 'inherit',
      env: {
        ...process.env,
        KODA_SOCKET_DIR: socketDir,
        KODA_TOKEN: 'x'.repeat(32),
        KODA_WORKSPACE: workspace,
        KODA_TEMPLATES: folder,
      },
    });
    const ended = once(daemon, 'exit');
    await expect.poll(() => existsSync(join(socketDir, controlSocketName))).toBe(true);
    expect(tree()).toEqual(before);
    daemon.kill('SIGTERM');
    await ended;
  });
});
