import { describe, expect, it } from 'vitest';
import type { FrameFormat } from './formats.ts';
import { type CapturableStage, FrameCapturer } from './frame-capturer.ts';

/** As in Chromium, the first draw after a capture always reports `damage`. */
function fakeStage(
  image: (seconds: number) => string,
  damage: 'exact' | 'always' = 'exact',
  canvas: (seconds: number) => { form: string; shows: string } | null = () => null,
  drewCanvas: (seconds: number) => boolean = () => false,
) {
  let seconds = 0;
  let drawn: string | null = null;
  let justCaptured = false;
  const counts = { captures: 0, canvases: 0, draws: 0, direct: 0 };
  const render = () => {
    const now = image(seconds);
    const changed = damage === 'always' || justCaptured || now !== drawn;
    drawn = now;
    justCaptured = false;
    return changed;
  };
  const stage: CapturableStage = {
    seek: async (to) => {
      seconds = to;
      return { drewCanvas: drewCanvas(to) };
    },
    draw: async () => {
      counts.draws++;
      return render();
    },
    capture: async () => {
      counts.captures++;
      render();
      justCaptured = true;
      return Buffer.from(image(seconds));
    },
    setDirect: async () => undefined,
    captureDirect: async () => {
      counts.direct++;
      return render() ? Buffer.from(image(seconds)) : null;
    },
    captureCanvas: async () => {
      const found = canvas(seconds);
      if (found) counts.canvases++;
      return found && { form: found.form, image: Buffer.from(found.shows) };
    },
  };
  return { stage, counts };
}

const times = Array.from({ length: 100 }, (_, index) => index / 10);

async function captureAll(capturer: FrameCapturer, format: FrameFormat = 'jpeg'): Promise<string[]> {
  const frames: string[] = [];
  for (const seconds of times) frames.push((await capturer.capture(seconds, format)).toString());
  return frames;
}

describe('FrameCapturer', () => {
  // Static from 3 s to 7 s.
  const film = (seconds: number) => String(seconds < 3 ? seconds : Math.max(3, seconds - 4));

  it('A19: returns the same frames as capturing each one', async () => {
    expect(await captureAll(new FrameCapturer(fakeStage(film).stage))).toEqual(times.map(film));
  });

  it('skips captures of a static part, and probes of a moving one', async () => {
    const { stage, counts } = fakeStage(film);
    const capturer = new FrameCapturer(stage);
    await captureAll(capturer);
    expect(capturer.reused).toBe(39);
    expect(counts.captures).toBe(61);
    // One per unchanged frame, one to consume the capture's damage, and one that detects the end.
    expect(counts.draws).toBe(41);
  });

  it('does not probe while a canvas is being redrawn', async () => {
    // Static from 3 s to 7 s, but the canvas is redrawn until 4 s.
    const { stage, counts } = fakeStage(
      film,
      'exact',
      () => null,
      (seconds) => seconds < 4 || seconds > 7,
    );
    const capturer = new FrameCapturer(stage);
    expect(await captureAll(capturer)).toEqual(times.map(film));
    expect(capturer.reused).toBe(31);
    expect(counts.captures).toBe(69);
  });

  it('stops probing a page that keeps redrawing the same image', async () => {
    const { stage, counts } = fakeStage(() => 'same', 'always');
    await captureAll(new FrameCapturer(stage));
    expect(counts.captures).toBe(100);
    expect(counts.draws).toBeLessThan(12);
  });
});

describe('FrameCapturer with a page that draws its own frames', () => {
  const film = (seconds: number) => String(seconds < 3 ? seconds : Math.max(3, seconds - 4));

  it('returns the same Buffer while the page reports no change', async () => {
    const { stage, counts } = fakeStage(film);
    const capturer = new FrameCapturer(stage);
    expect(await captureAll(capturer, 'i420')).toEqual(times.map(film));
    expect(capturer.reused).toBe(40);
    expect(counts).toMatchObject({ captures: 0, direct: 100 });
  });

  it('returns the same Buffer if the page draws the same pixels again', async () => {
    const { stage } = fakeStage(() => 'same', 'always');
    const capturer = new FrameCapturer(stage);
    expect(await capturer.capture(0, 'i420')).toBe(await capturer.capture(1, 'i420'));
  });

  it('never returns a frame of another format', async () => {
    const { stage } = fakeStage(() => 'same', 'always');
    const capturer = new FrameCapturer(stage);
    const image = await capturer.capture(0, 'jpeg');
    expect(await capturer.capture(1, 'i420')).not.toBe(image);
  });
});

describe('FrameCapturer with a canvas-only page', () => {
  const moving = (seconds: number) => String(seconds);
  const plain = (seconds: number) => ({ form: '<canvas>', shows: moving(seconds) });

  it('captures the canvas once three different images match', async () => {
    const { stage, counts } = fakeStage(moving, 'always', plain);
    expect(await captureAll(new FrameCapturer(stage))).toEqual(times.map(moving));
    expect(counts).toMatchObject({ captures: 3, canvases: 100 });
  });

  it('captures the page while other content is visible', async () => {
    const overlaid = (seconds: number) => (seconds >= 4 && seconds < 6 ? null : plain(seconds));
    const { stage, counts } = fakeStage(moving, 'always', overlaid);
    expect(await captureAll(new FrameCapturer(stage))).toEqual(times.map(moving));
    expect(counts.captures).toBe(3 + 20);
  });

  it('A19: never uses the canvas after a mismatch', async () => {
    const lagging = (seconds: number) => ({ form: '<canvas>', shows: moving(Math.max(0, seconds - 0.1)) });
    const { stage, counts } = fakeStage(moving, 'always', lagging);
    expect(await captureAll(new FrameCapturer(stage))).toEqual(times.map(moving));
    expect(counts).toMatchObject({ captures: 100, canvases: 2 });
  });

  it('A19: verifies the canvas again in another form', async () => {
    const rotated = (seconds: number) => (seconds < 5 ? plain(seconds) : { form: '<canvas style="rotate">', shows: 'unrotated' });
    const { stage } = fakeStage(moving, 'always', rotated);
    expect(await captureAll(new FrameCapturer(stage))).toEqual(times.map(moving));
  });

  it('stops comparing a canvas whose form keeps changing', async () => {
    const restless = (seconds: number) => ({ form: String(seconds), shows: moving(seconds) });
    const { stage, counts } = fakeStage(moving, 'always', restless);
    await captureAll(new FrameCapturer(stage));
    expect(counts).toMatchObject({ captures: 100, canvases: 9 });
  });

  it('captures the page for PNG', async () => {
    const { stage, counts } = fakeStage(moving, 'always', plain);
    await captureAll(new FrameCapturer(stage), 'png');
    expect(counts).toMatchObject({ captures: 100, canvases: 0 });
  });
});
