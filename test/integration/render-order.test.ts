import { describe, expect, it } from 'vitest';
import { FrameGrabber } from '../../sandbox-image/sandboxd/render/frame-grabber.ts';
import { openStage } from '../fixtures/open-stage.ts';
import { behaviour, stageWorkspace } from '../fixtures/stage-workspace.ts';

const fps = 30;
const frames = Array.from({ length: 60 }, (_, frame) => frame);
/** The rest of the fixture's page stands still from 0.8 s to 1.4 s. */
const still = frames.slice(25, 42);

/** A bar on the page and one on a card in space; `change` sets both in `beforeSeek`. */
function slowBars(change: string): string {
  return behaviour(
    `const style = document.createElement('style');
    style.textContent = \`
      .bar { position: fixed; left: 0; top: 3px; width: 260px; height: 9px; border-radius: 4px; background: #fff; transform-origin: left; }
      .card { position: fixed; left: 20px; top: 100px; width: 280px; height: 40px; background: #124; transform: perspective(900px) rotateY(17deg); }\`;
    document.head.append(style);
    const add = (parent, name) => {
      const element = parent.appendChild(document.createElement('div'));
      element.className = name;
      return element;
    };
    const bars = [add(document.body, 'bar'), add(add(document.body, 'card'), 'bar')];
    ${change}`,
  );
}

describe('a picture does not show what the browser drew before', () => {
  it.each([
    [
      'scale',
      'export const beforeSeek = (t) => { for (const { style } of bars) style.transform = "scaleX(" + (0.9 + t * 0.0024) + ")"; };',
    ],
    ['place', 'export const beforeSeek = (t) => { for (const { style } of bars) style.translate = t * 0.27 + "px"; };'],
    // Over the canvases of the page the bar is a layer of its own, which has a scale.
    ['scale of a layer', 'export const beforeSeek = (t) => { for (const { style } of bars) style.scale = 0.9 + t * 0.0024; };'],
    [
      'CSS animation',
      `const frames = [{ transform: 'scale(0.9)' }, { transform: 'scale(0.906)' }];
      const animations = bars.map((bar) => bar.animate(frames, { duration: 2000, easing: 'ease-out' }));
      for (const animation of animations) animation.pause();
      export const beforeSeek = (t) => { for (const animation of animations) animation.currentTime = t * 1000; };`,
    ],
  ])('A19: a %s that changes by less than Blink draws is in the frame it belongs to', async (_name, change) => {
    await using page = await stageWorkspace({ behaviour: slowBars(change) });
    const inOrder: string[] = [];
    {
      await using opened = await openStage(page);
      const grabber = new FrameGrabber(opened.stage, 'png');
      for (const frame of frames) inOrder.push((await grabber.grab(frame / fps)).toString('base64'));
    }
    // Were the change too small to be seen, or none, equal frames would prove nothing.
    expect(new Set(still.map((frame) => inOrder[frame])).size).toBeGreaterThan(10);
    await using opened = await openStage(page);
    const differing: number[] = [];
    for (const frame of frames.toReversed()) {
      await opened.stage.seek(frame / fps);
      if ((await opened.stage.capture('png')).toString('base64') !== inOrder[frame]) differing.push(frame);
    }
    expect(differing).toEqual([]);
  });
});
