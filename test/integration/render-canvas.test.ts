import { describe, expect, it } from 'vitest';
import { type CapturableStage, FrameCapturer } from '../../sandbox-image/sandboxd/render/frame-capturer.ts';
import { openStage } from '../fixtures/open-stage.ts';
import { behaviour, stageWorkspace } from '../fixtures/stage-workspace.ts';

const fps = 30;
const frames = 60;

/**
 * Removes everything from the page except its WebGL canvas, which fills the window. `more` is the body of `beforeSeek(t)`.
 */
function canvasAlone(attributes: string, more = ''): string {
  return behaviour(`
    const solid = document.getElementById('solid');
    solid.getContext('webgl2', ${attributes});
    export const beforeReady = async () => {
      for (const element of [...document.body.children]) if (element !== solid && element.tagName !== 'SCRIPT') element.remove();
      document.body.append('');
      solid.style.cssText = 'top: 0; height: 100%';
      solid.height = innerHeight;
    };
    export const beforeSeek = (t) => { ${more} };`);
}

/** Captures the film, and compares every frame with a screenshot of the page. Returns the number of composited frames. */
async function grabAndCompare(pageBehaviour: string): Promise<number> {
  await using page = await stageWorkspace({ behaviour: pageBehaviour });
  await using opened = await openStage(page);
  const { stage } = opened;
  let composited = 0;
  const counting: CapturableStage = {
    seek: (seconds) => stage.seek(seconds),
    draw: () => stage.draw(),
    captureCanvas: () => stage.captureCanvas(),
    setDirect: (isDirect) => stage.setDirect(isDirect),
    captureDirect: () => stage.captureDirect(),
    capture: (format) => {
      composited++;
      return stage.capture(format);
    },
  };
  const grabber = new FrameCapturer(counting);
  const grabbed: Buffer[] = [];
  for (let frame = 0; frame < frames; frame++) grabbed.push(await grabber.capture(frame / fps, 'jpeg'));
  const shown = new Set<string>();
  for (let frame = 0; frame < frames; frame++) {
    await stage.seek(frame / fps);
    const truth = await stage.capture('jpeg');
    shown.add(truth.toString('base64'));
    expect(truth.equals(grabbed[frame] ?? Buffer.alloc(0)), `frame ${frame}`).toBe(true);
  }
  // If the film were static or blank, equal frames would prove nothing.
  expect(shown.size).toBeGreaterThan(35);
  return composited;
}

const opaque = '{ alpha: false, preserveDrawingBuffer: true }';

describe('a page that is nothing but one canvas', () => {
  it('A19: captures an opaque canvas without compositing the page, to the very byte', async () => {
    expect(await grabAndCompare(canvasAlone(opaque))).toBe(3);
  });

  it('A19: captures a transparent canvas on black without compositing the page', async () => {
    const onBlack = canvasAlone('{ preserveDrawingBuffer: true }', "document.body.style.background = '#000';");
    expect(await grabAndCompare(onBlack)).toBe(3);
  });

  const shownForAMoment = 't > 1.4 && t < 1.6';
  it.each([
    ['text', `document.body.lastChild.data = ${shownForAMoment} ? 'Now' : '';`],
    [
      'an element',
      `document.getElementById('late')?.remove(); if (${shownForAMoment}) { const late = document.createElement('div'); late.id = 'late'; late.style.cssText = 'position: fixed; inset: 40%; background: lime'; document.body.append(late); }`,
    ],
    ['a pseudo-element', `document.body.className = ${shownForAMoment} ? 'late' : ''`],
    ['a filter', `solid.style.filter = ${shownForAMoment} ? 'invert(1)' : ''`],
    ['a turn', `solid.style.rotate = ${shownForAMoment} ? '180deg' : ''`],
    ['a veil', `document.body.style.opacity = ${shownForAMoment} ? '0.5' : ''`],
  ])('A19: %s that is shown briefly appears in the frame', async (_name, change) => {
    const style =
      "document.head.insertAdjacentHTML('beforeend', '<style>.late::after { content: \"\"; position: fixed; inset: 30%; background: red }</style>');";
    const composited = await grabAndCompare(`${style}\n${canvasAlone(opaque, change)}`);
    expect(composited).toBeGreaterThanOrEqual(3 + 5);
    expect(composited).toBeLessThan(20);
  });

  it.each([
    ['shows its ground', '{ preserveDrawingBuffer: true }', ''],
    ['keeps no buffer', '{ alpha: false }', ''],
    ['animates by CSS', opaque, 'solid.getAnimations()[0] ?? solid.animate([{ opacity: 1 }, { opacity: 1 }], 9e9).pause();'],
  ])('A19: a canvas that %s is captured as a page', async (_name, attributes, more) => {
    expect(await grabAndCompare(canvasAlone(attributes, more))).toBeGreaterThan(40);
  });

  it('F4: an animation frame is called before the capture, so the canvas alone is captured', async () => {
    expect(await grabAndCompare(canvasAlone(opaque, 'requestAnimationFrame(() => null);'))).toBeLessThan(10);
  });
});
