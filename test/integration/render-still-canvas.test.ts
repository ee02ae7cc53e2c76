import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openStage } from '../fixtures/open-stage.ts';
import { randomCanvas } from '../fixtures/random-canvas.ts';
import { stageWorkspace } from '../fixtures/stage-workspace.ts';

const seeks = 100;

/** What the page shows after each of many seeks, and how many of them drew nothing. */
async function showAll(seed: number, sparesCanvases: boolean): Promise<{ shown: string[]; spared: number }> {
  await using page = await stageWorkspace({ behaviour: randomCanvas(seed) });
  await using opened = await openStage(page, sparesCanvases);
  const shown: string[] = [];
  let spared = 0;
  for (let seek = 0; seek < seeks; seek++) {
    const { drewCanvas } = await opened.stage.seek(1);
    if (!drewCanvas) spared++;
    shown.push(createHash('sha256').update(await opened.stage.capture('png')).digest('hex'));
  }
  return { shown, spared };
}

describe('a canvas that would be drawn as it is', () => {
  const from = Number(process.env['SEED'] ?? 1);
  const count = Number(process.env['SEEDS'] ?? 4);
  it.each(Array.from({ length: count }, (_, n) => from + n))('A19: chance %i', async (seed) => {
    const spared = await showAll(seed, true);
    const truth = await showAll(seed, false);
    console.log(seed, spared.spared, new Set(truth.shown).size);
    expect(truth.spared).toBe(sparesNothing(truth.spared));
    expect(spared.shown.findIndex((shown, at) => shown !== truth.shown[at])).toBe(-1);
  });
});
const sparesNothing = (n: number) => n;
