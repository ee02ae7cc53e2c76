import { describe, expect, it } from 'vitest';
import { FrameGrabber, type GrabbedStage } from './frame-grabber.ts';

/**
 * A stage whose picture is a function of the time; `damage` says whether a redraw reports a change. As in Chromium, the
 * first one after a picture always does.
 */
function fakeStage(
  picture: (seconds: number) => string,
  damage: 'exact' | 'always' = 'exact',
  canvas: (seconds: number) => { form: string; shows: string } | null = () => null,
  drewCanvas: (seconds: number) => boolean = () => false,
) {
  let seconds = 0;
  let drawn: string | null = null;
  let pictured = false;
  const counts = { captures: 0, canvases: 0, draws: 0 };
  const render = () => {
    const now = picture(seconds);
    const changed = damage === 'always' || pictured || now !== drawn;
    drawn = now;
    pictured = false;
    return changed;
  };
  const stage: GrabbedStage = {
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
      pictured = true;
      return Buffer.from(picture(seconds));
    },
    captureCanvas: async () => {
      const found = canvas(seconds);
      if (found) counts.canvases++;
      return found && { form: found.form, picture: Buffer.from(found.shows) };
    },
  };
  return { stage, counts };
}

const times = Array.from({ length: 100 }, (_, index) => index / 10);

async function grabAll(grabber: FrameGrabber): Promise<string[]> {
  const frames: string[] = [];
  for (const seconds of times) frames.push((await grabber.grab(seconds)).toString());
  return frames;
}

describe('frame grabber', () => {
  // Moves, stands still from 3 s to 7 s, moves again.
  const film = (seconds: number) => String(seconds < 3 ? seconds : Math.max(3, seconds - 4));

  it('A19: gives the very same frames as picturing each one', async () => {
    expect(await grabAll(new FrameGrabber(fakeStage(film).stage, 'jpeg'))).toEqual(times.map(film));
  });

  it('does not picture a still part, and does not probe a moving one', async () => {
    const { stage, counts } = fakeStage(film);
    const grabber = new FrameGrabber(stage, 'jpeg');
    await grabAll(grabber);
    expect(grabber.reused).toBe(39);
    expect(counts.captures).toBe(61);
    // One for each still frame, the one that spends the picture's own change, and the one that sees the end.
    expect(counts.draws).toBe(41);
  });

  it('does not probe where a canvas was drawn upon, and does once it is not', async () => {
    // Still from 3 s to 7 s; until 4 s the canvas is drawn all the same.
    const { stage, counts } = fakeStage(
      film,
      'exact',
      () => null,
      (seconds) => seconds < 4 || seconds > 7,
    );
    const grabber = new FrameGrabber(stage, 'jpeg');
    expect(await grabAll(grabber)).toEqual(times.map(film));
    expect(grabber.reused).toBe(31);
    expect(counts.captures).toBe(69);
  });

  it('stops probing a page that redraws the same picture for ever', async () => {
    const { stage, counts } = fakeStage(() => 'same', 'always');
    await grabAll(new FrameGrabber(stage, 'jpeg'));
    expect(counts.captures).toBe(100);
    expect(counts.draws).toBeLessThan(12);
  });
});

describe('a page that is nothing but a canvas', () => {
  const moving = (seconds: number) => String(seconds);
  const plain = (seconds: number) => ({ form: '<canvas>', shows: moving(seconds) });

  it('is pictured from its canvas once three different pictures agreed', async () => {
    const { stage, counts } = fakeStage(moving, 'always', plain);
    expect(await grabAll(new FrameGrabber(stage, 'jpeg'))).toEqual(times.map(moving));
    expect(counts).toMatchObject({ captures: 3, canvases: 100 });
  });

  it('is pictured as a page while something else is to be seen', async () => {
    const overlaid = (seconds: number) => (seconds >= 4 && seconds < 6 ? null : plain(seconds));
    const { stage, counts } = fakeStage(moving, 'always', overlaid);
    expect(await grabAll(new FrameGrabber(stage, 'jpeg'))).toEqual(times.map(moving));
    expect(counts.captures).toBe(3 + 20);
  });

  it('A19: is not trusted again after one picture that differs: a canvas that lags behind', async () => {
    const lagging = (seconds: number) => ({ form: '<canvas>', shows: moving(Math.max(0, seconds - 0.1)) });
    const { stage, counts } = fakeStage(moving, 'always', lagging);
    expect(await grabAll(new FrameGrabber(stage, 'jpeg'))).toEqual(times.map(moving));
    expect(counts).toMatchObject({ captures: 100, canvases: 2 });
  });

  it('A19: has to prove itself anew in another form', async () => {
    const turned = (seconds: number) => (seconds < 5 ? plain(seconds) : { form: '<canvas style="rotate">', shows: 'unturned' });
    const { stage } = fakeStage(moving, 'always', turned);
    expect(await grabAll(new FrameGrabber(stage, 'jpeg'))).toEqual(times.map(moving));
  });

  it('is not asked for ever when it changes its form all the time', async () => {
    const restless = (seconds: number) => ({ form: String(seconds), shows: moving(seconds) });
    const { stage, counts } = fakeStage(moving, 'always', restless);
    await grabAll(new FrameGrabber(stage, 'jpeg'));
    expect(counts).toMatchObject({ captures: 100, canvases: 9 });
  });

  it('is pictured as a page where every pixel has to be kept', async () => {
    const { stage, counts } = fakeStage(moving, 'always', plain);
    await grabAll(new FrameGrabber(stage, 'png'));
    expect(counts).toMatchObject({ captures: 100, canvases: 0 });
  });
});
