import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FrameCapturer } from '../../sandbox-image/sandboxd/render/frame-capturer.ts';
import { openStage } from '../fixtures/open-stage.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { randomCanvas } from '../fixtures/random-canvas.ts';
import { behaviour, stageWorkspace } from '../fixtures/stage-workspace.ts';

const seeks = 60;

/** Returns what the page shows after each of many seeks, and how many of them drew nothing. */
async function showAll(seed: number, skipsRedundantDraws: boolean): Promise<{ shown: string[]; spared: number }> {
  await using page = await stageWorkspace({ behaviour: randomCanvas(seed) });
  await using opened = await openStage(page, skipsRedundantDraws);
  const shown: string[] = [];
  let spared = 0;
  for (let seek = 0; seek < seeks; seek++) {
    const { drewCanvas } = await opened.stage.seek(1);
    if (!drewCanvas) spared++;
    shown.push(
      createHash('sha256')
        .update(await opened.stage.capture('png'))
        .digest('hex'),
    );
  }
  return { shown, spared };
}

/** Draws at every seek, as WebGL films do, even from 0.8 s to 1.4 s, where nothing moves. */
const drawsAlways = behaviour(pageCode('always-drawn-canvas.js'));

async function grabAll(skipsRedundantDraws: boolean): Promise<{ frames: string[]; reused: number }> {
  await using page = await stageWorkspace({ behaviour: drawsAlways });
  await using opened = await openStage(page, skipsRedundantDraws);
  const grabber = new FrameCapturer(opened.stage);
  const frames: string[] = [];
  for (let frame = 0; frame < 60; frame++) frames.push((await grabber.capture(frame / 30, 'jpeg')).toString('base64'));
  return { frames, reused: grabber.reused };
}

describe('a canvas that would be drawn as it is', () => {
  it('A19: skips draws in a static part of a film, and the frames equal drawn ones', async () => {
    const [spared, drawn] = [await grabAll(true), await grabAll(false)];
    expect(new Set(drawn.frames).size).toBeGreaterThan(35);
    expect(spared.frames).toEqual(drawn.frames);
    // Of the 18 static frames, the first few are needed to detect that redrawing changes nothing.
    expect(spared.reused).toBeGreaterThan(12);
    expect(drawn.reused).toBe(0);
  });

  it.each([100, 107])('A19: random draws with seed %i give the same frames with and without skipping', async (seed) => {
    const [spared, drawn] = [await showAll(seed, true), await showAll(seed, false)];
    expect(spared.shown.findIndex((shown, at) => shown !== drawn.shown[at])).toBe(-1);
    expect(spared.spared).toBeGreaterThan(5);
    expect(new Set(drawn.shown).size).toBeGreaterThan(10);
  });
});
