import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { recoverChanges } from '../../server/cli/cycle/apply.ts';
import { afterChange, beforeChange, contentsIn, contentsOf, repositoryWith } from '../fixtures/cycle-trees.ts';

const place = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const kills = 100;
/** Slightly more than the changes of one run, and a stride without a common divisor: 100 kills are spread over the whole run. */
const span = 240;
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

it('C3: 100 kills while a result is applied, and during the recovery, leave the files as before or as after', {
  timeout: 900_000,
}, async () => {
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
