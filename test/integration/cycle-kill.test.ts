import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { recoverChanges } from '../../server/kinds/cycle/cli/apply.ts';
import { afterChange, beforeChange, contentsIn, contentsOf, repositoryWith } from '../fixtures/cycle-trees.ts';
import { startFakeStudio } from '../fixtures/fake-studio.ts';
import { koda } from '../fixtures/koda-command.ts';
import { temporaryStateHome } from '../fixtures/state-home.ts';

temporaryStateHome();

const place = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
/** `KODA_CYCLE_KILLS=100` tries more moments. */
const kills = Number(process.env['KODA_CYCLE_KILLS'] ?? 40);
const commandKills = Math.ceil(kills / 4);
/** Slightly more than the changes of one run, and a stride without a common divisor, so that the kills are spread over the whole run. */
const span = 100;
const stride = 37;

/** Returns whether the process was killed, which is false once it has fewer changes than `at`. */
async function killedAt(root: string, at: number, env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', place('kill-at.ts'), place('apply-cycle-child.ts'), root], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, KILL_AT: String(at) },
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  expect([code, signal]).toSatisfy(([exit, by]) => exit === 0 || by === 'SIGKILL');
  return signal === 'SIGKILL';
}

it(`C3: ${kills} kills while a result is applied, and during the recovery, leave the files as before or as after`, async () => {
  const before = contentsIn(beforeChange);
  const after = contentsIn(afterChange);
  const outcomes = { before: 0, after: 0 };
  let at = 0;
  for (let killed = 0; killed < kills; ) {
    using repository = repositoryWith(beforeChange);
    const { root } = repository;
    at = (at + stride) % span;
    if (!(await killedAt(root, at))) {
      expect(contentsOf(root)).toEqual(after);
      continue;
    }
    killed += 1;
    if (killed % 3 === 0 && (await killedAt(root, 1 + (killed % 20), { ONLY_RECOVER: '1' }))) killed += 1;
    recoverChanges(root);
    const found = contentsOf(root);
    const isAfter = found['src/a.ts'] === 'new a';
    expect(found).toEqual(isAfter ? after : before);
    outcomes[isAfter ? 'after' : 'before'] += 1;
  }
  // Both directions of the recovery were reached.
  expect(Math.min(outcomes.before, outcomes.after)).toBeGreaterThan(0);
});

const killAfter = (child: ChildProcess, ms: number) => setTimeout(() => child.kill('SIGKILL'), ms);
/** Longer than each of these takes on a busy machine, so that some runs end before they are killed. */
const maxDelayMs = { start: 2_500, sync: 250 };
const deadStudio = 'http://127.0.0.1:9';

it(`C3: ${commandKills} kills of the whole command at random moments leave the files as before or as after, and the next run recovers`, async () => {
  const before = contentsIn(beforeChange);
  const after = contentsIn(afterChange);
  await using studio = await startFakeStudio(afterChange);
  for (let killed = 0, run = 0; killed < commandKills; run += 1) {
    using repository = repositoryWith(beforeChange);
    const { root } = repository;
    mkdirSync(join(root, 'dev_documents/CYCLE03'), { recursive: true });
    writeFileSync(join(root, 'dev_documents/CYCLE03/SPEC.md'), '# Change everything\n');
    const cycle = (url: string, options: Parameters<typeof koda>[1] = {}) =>
      koda(['--url', url, 'run-cycle', '--id', '03', '--root', root], options);
    let isTimed = false;
    const byTime = (text: string, child: ChildProcess) => {
      if (isTimed || (run % 3 === 1 && !text.includes('[SYNC_BACK_AND_TEARDOWN]'))) return;
      isTimed = true;
      killAfter(child, randomInt(run % 3 === 1 ? maxDelayMs.sync : maxDelayMs.start));
    };
    const atChange = { preload: place('kill-at.ts'), env: { KILL_AT: String(randomInt(1, span)) } };
    const { code, stderr } = await cycle(studio.url, run % 3 === 0 ? atChange : { onError: byTime });
    expect([0, null], stderr).toContain(code);
    if (code === 0) expect(contentsOf(root)).toEqual(after);
    else killed += 1;

    // Every fourth time, the next run of the command recovers, before it finds that there is no studio.
    if (run % 4 === 0) {
      const next = await cycle(deadStudio);
      expect(next.code, next.stderr).toBe(6);
    } else {
      recoverChanges(root);
    }
    const found = contentsOf(root);
    expect(found).toEqual(found['src/a.ts'] === 'new a' ? after : before);
  }
});
