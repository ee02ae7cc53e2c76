import { expect, it } from 'vitest';
import { launch } from '../../sandbox-image/sandboxd/processes/launch.ts';
import { processesOf } from '../../sandbox-image/sandboxd/processes/tree.ts';

const options = { workspace: '/tmp', cwd: '/tmp', env: {} };

it('T2: finds a daemon that was forking or starting its program while it was looked for', async () => {
  const word = '3600.77310';
  const rounds = 60;
  const daemon = `(setsid bash -c 'exec sleep ${word}' >/dev/null 2>&1 &); echo started`;
  // Several run in parallel, so that processes constantly start and end. Before scans were conclusive, 1 process in 60 was
  // missed.
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (let round = 0; round < rounds; round++) {
        const launched = await launch('bash', ['-c', daemon], options);
        launched.stdout.resume();
        launched.stderr.resume();
        await launched.exited;
        await launched.kill();
      }
    }),
  );
  const survivors = async () => {
    const search = await launch('bash', ['-c', `grep -alzx -- '3600[.]77310' /proc/[0-9]*/cmdline || true`], options);
    return await search.stdout.toArray();
  };
  // A killed process may take a moment to end. A missed one lives for an hour.
  await expect.poll(survivors).toEqual([]);
});

it('T2: finds no process for an unused tag', async () => {
  expect(await processesOf({ groupId: null, tag: 'KODA_TREE=nobody' })).toEqual([]);
});
