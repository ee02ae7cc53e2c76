import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FrameCapturer } from '../../sandbox-image/sandboxd/render/frame-capturer.ts';
import { frameHashes } from '../fixtures/frame-hashes.ts';
import { openStage } from '../fixtures/open-stage.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { behaviour, stageJob, stageWorkspace } from '../fixtures/stage-workspace.ts';

const fps = 30;
const frames = Array.from({ length: 24 }, (_, index) => 20 + index);
/** The rest of the fixture's page is static from 0.8 s to 1.4 s. */
const still = frames.slice(5, 22);

/** Returns a bar on the page and one on a 3D card; `change` sets both in `beforeSeek`. */
function slowBars(change: string): string {
  return behaviour(`${pageCode('slow-bars.js')}${change}`);
}

describe('a picture does not show what the browser drew before', () => {
  it.each([
    [
      'scale',
      'export const beforeSeek = (t) => { for (const { style } of bars) style.transform = "scaleX(" + (0.9 + t * 0.0024) + ")"; };',
    ],
    ['place', 'export const beforeSeek = (t) => { for (const { style } of bars) style.translate = t * 0.27 + "px"; };'],
    // Because it is above the page's canvases, the bar is a layer with its own scale.
    ['scale of a layer', 'export const beforeSeek = (t) => { for (const { style } of bars) style.scale = 0.9 + t * 0.0024; };'],
    [
      'CSS animation',
      `const frames = [{ transform: 'scale(0.9)' }, { transform: 'scale(0.906)' }];
      const animations = bars.map((bar) => bar.animate(frames, { duration: 2000, easing: 'ease-out' }));
      for (const animation of animations) animation.pause();
      export const beforeSeek = (t) => { for (const animation of animations) animation.currentTime = t * 1000; };`,
    ],
    [
      'rule of a style sheet',
      `style.sheet.insertRule('.bar { scale: 1 }', style.sheet.cssRules.length);
      const { style: rule } = style.sheet.cssRules[style.sheet.cssRules.length - 1];
      export const beforeSeek = (t) => { rule.scale = 0.9 + t * 0.0024; };`,
    ],
    [
      'style sheet that is written anew',
      `const other = document.head.appendChild(document.createElement('style'));
      export const beforeSeek = (t) => { other.textContent = '.bar { transform: scaleX(' + (0.9 + t * 0.0024) + ') }'; };`,
    ],
    [
      'variable',
      `style.sheet.insertRule('.bar { scale: var(--size) }', style.sheet.cssRules.length);
      export const beforeSeek = (t) => document.body.style.setProperty('--size', 0.9 + t * 0.0024);`,
    ],
    [
      'shadow tree',
      `const inner = bars.map((bar) => {
        bar.style.background = 'none';
        const root = bar.attachShadow({ mode: 'closed' });
        root.innerHTML = '<div style="height: 9px; border-radius: 4px; background: #fff; transform-origin: left"></div>';
        return root.firstChild;
      });
      export const beforeSeek = (t) => { for (const { style } of inner) style.scale = 0.9 + t * 0.0024; };`,
    ],
    [
      'SMIL animation',
      `const drawings = bars.map((bar) => {
        bar.style.background = 'none';
        bar.innerHTML = '<svg width="260" height="9"><rect width="260" height="9" rx="4" fill="#fff"><animateTransform attributeName="transform" type="scale" from="0.9 1" to="0.906 1" dur="2s" fill="freeze"/></rect></svg>';
        bar.firstChild.pauseAnimations();
        return bar.firstChild;
      });
      export const beforeSeek = (t) => { for (const drawing of drawings) drawing.setCurrentTime(t); };`,
    ],
  ])('A19: a %s below the redraw threshold of Blink appears in the right frame', async (_name, change) => {
    await using page = await stageWorkspace({ behaviour: slowBars(change) });
    const inOrder = new Map<number, string>();
    {
      await using opened = await openStage(page);
      const grabber = new FrameCapturer(opened.stage);
      for (const frame of frames) inOrder.set(frame, (await grabber.capture(frame / fps, 'png')).toString('base64'));
    }
    // If the change were invisible, equal frames would prove nothing.
    expect(new Set(still.map((frame) => inOrder.get(frame))).size).toBeGreaterThan(10);
    await using opened = await openStage(page);
    const differing: number[] = [];
    for (const frame of frames.toReversed()) {
      await opened.stage.seek(frame / fps);
      if ((await opened.stage.capture('png')).toString('base64') !== inOrder.get(frame)) differing.push(frame);
    }
    expect(differing).toEqual([]);
  });

  it('A19: an element that has faded in looks the same, whether or not the browser drew it translucent', async () => {
    await using page = await stageWorkspace({ behaviour: behaviour(pageCode('fading-plates.js')) });
    const drawn = async (earlier: number) => {
      await using opened = await openStage(page);
      const images: string[] = [];
      for (const seconds of [earlier, 0.85, 0.9, 0.95, 1]) {
        await opened.stage.seek(seconds);
        images.push((await opened.stage.capture('png')).toString('base64'));
      }
      return images.slice(1);
    };
    expect(await drawn(0.3)).toEqual(await drawn(0.8));
  });

  it('A19: one, two and three workers draw changes without an attribute identically', async () => {
    await using page = await stageWorkspace({
      behaviour: slowBars(pageCode('slow-bars-hidden.js')),
    });
    const hashes = async (workers: number) => {
      await page.render({ workers, format: 'mov', durationSeconds: 1 });
      return frameHashes(join(page.folder, '.koda/renders', stageJob.id, 'video.mov'));
    };
    const one = await hashes(1);
    expect(new Set(one).size).toBeGreaterThan(20);
    expect(await hashes(2)).toEqual(one);
    expect(await hashes(3)).toEqual(one);
  });
});
