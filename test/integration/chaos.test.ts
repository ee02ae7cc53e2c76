import { describe, expect, it } from 'vitest';
import { failpointNames } from '../../server/lib/failpoint.ts';
import { brokenStores, type ChaosOptions, runChaos } from '../chaos/chaos.ts';
import { isCaught } from '../chaos/report.ts';

/** Enough for one run of the server that renders (`renderEvery`). `npm run chaos` kills a thousand times. */
const kills = 12;

async function run(overrides: Partial<ChaosOptions>) {
  const seed = Math.floor(Math.random() * 1_000_000);
  const said: string[] = [];
  const report = await runChaos({ kills: 0, failpoints: [], broken: null, seed, say: (line) => said.push(line), ...overrides });
  // A failure prints the seed, which reproduces the decisions.
  return { report, story: `seed ${seed}\n${said.join('\n')}` };
}

// In parallel, because most of the time is spent waiting for a server to start.
describe.concurrent('a server that is killed', () => {
  it(`X7, A22, A24: loses nothing that it acknowledged and leaves no orphans after ${kills} kills at random moments`, async () => {
    const { report, story } = await run({ kills });
    expect(report.problems, story).toEqual([]);
    expect(report.kills).toBeGreaterThanOrEqual(kills);
    // Every common operation ran between the kills.
    for (const effect of ['project', 'file', 'upload', 'name', 'message', 'event'])
      expect(report.acknowledged[effect], effect).toBeGreaterThan(0);
  });

  it('X7, A22, A24: loses nothing and leaves no orphans when it dies at any failpoint', async () => {
    const { report, story } = await run({ failpoints: failpointNames });
    expect(report.problems, story).toEqual([]);
    expect(report.failpoints).toEqual(failpointNames);
  });

  it.each(brokenStores)('X7: is found out when its %s store acknowledges before it keeps', async (broken) => {
    // Each kill follows an acknowledgement, and the run ends with the first loss.
    const { report, story } = await run({ kills: 10, broken });
    expect(isCaught(report), story).toBe(true);
  });
});
