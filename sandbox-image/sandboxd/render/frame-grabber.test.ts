import { describe, expect, it } from 'vitest';
import { FrameGrabber, type GrabbedStage } from './frame-grabber.ts';

/**
 * A stage whose picture is a function of the time; `damage` says whether a redraw reports a change. As in Chromium, the
 * first one after a picture always does.
 */
function fakeStage(picture: (seconds: number) => string, damage: 'exact' | 'always' = 'exact') {
  let seconds = 0;
  let drawn: string | null = null;
  let pictured = false;
  const counts = { captures: 0, draws: 0 };
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

  it('stops probing a page that redraws the same picture for ever', async () => {
    const { stage, counts } = fakeStage(() => 'same', 'always');
    await grabAll(new FrameGrabber(stage, 'jpeg'));
    expect(counts.captures).toBe(100);
    expect(counts.draws).toBeLessThan(12);
  });
});
