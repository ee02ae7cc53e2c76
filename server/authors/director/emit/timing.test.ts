import { expect, it } from 'vitest';
import type { Film, FilmScene, Motion } from '../../../contract/film.ts';
import { timingOf } from './timing.ts';

function scene(number: number, motion: Motion | null): FilmScene {
  return {
    id: `scene-${number}`,
    number,
    title: 'x',
    description: 'x',
    animationNotes: 'x',
    startSeconds: (number - 1) * 3,
    durationSeconds: 3,
    source: 'document',
    speed: 1,
    background: null,
    camera: 'static',
    subjects: motion ? [{ id: `ball-${number}`, kind: 'ball', color: '#ff0000', size: 1, motion, count: 1 }] : [],
    texts: [],
  };
}

function film(style: Film['style'], scenes: readonly FilmScene[]): Film {
  const palette = { backgroundTop: '#ffffff', backgroundBottom: '#ffffff', ink: '#000000', accent: '#ff0000', helper: '#00ff00' };
  return {
    version: 2,
    parameters: [],
    title: 'x',
    prompt: 'x',
    seed: 1,
    style,
    aspect: '16:9',
    fps: 60,
    durationSeconds: scenes.length * 3,
    palette,
    music: null,
    scenes,
  };
}

it.each(['playful', 'smooth', 'cinematic'] as const)(
  'A3: what appears where another one leaves comes within 0.1 s of its end, what arrives may set out earlier, %s',
  (style) => {
    const [spot, arriving, words] = [scene(2, { type: 'pulse', times: 2 }), scene(3, { type: 'drop' }), scene(4, null)];
    const made = film(style, [scene(1, { type: 'drop' }), spot, arriving, words]);
    const shared = (late: FilmScene, early: FilmScene) => {
      const before = timingOf(made, early);
      return before.filmStartSeconds + before.durationSeconds - timingOf(made, late).filmStartSeconds;
    };
    expect(shared(spot, made.scenes[0] as FilmScene)).toBeLessThanOrEqual(0.1);
    expect(shared(words, arriving)).toBeLessThanOrEqual(0.1);
    // On its way, but still above the frame.
    expect(shared(arriving, spot)).toBeCloseTo(0.25, 5);
  },
);
