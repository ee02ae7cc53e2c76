import { describe, expect, it } from 'vitest';
import type { Film, Subject } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { planFilm } from '../plan/plan-film.ts';
import { applyFeedback } from './apply-feedback.ts';

const upload = (name: string, kind: BriefAsset['kind'] = 'image'): BriefAsset => ({
  name,
  path: `/assets/${name}`,
  kind,
  width: kind === 'image' ? 600 : null,
  height: kind === 'image' ? 200 : null,
});
const assets = [upload('logo.png'), upload('my-photo.v2.jpg'), upload('beat.mp3', 'audio'), upload('second.ogg', 'audio')];

const filmOf = (prompt: string, given: readonly BriefAsset[] = []): Film =>
  planFilm(parseBrief(prompt, { ...noHints, assets: given }), { seed: 7 });
/** What stands in each scene: pictures by their file, everything else by its kind. */
const seen = (film: Film): string[] => film.scenes.map(({ subjects }) => subjects.map(nameOf).join(' '));
const nameOf = (subject: Subject): string => (subject.kind === 'logo' ? subject.src.replace('/assets/', '') : subject.kind);

/** Scene 1: a ball. Scene 2: a cube. Nothing was uploaded when it was planned. */
const film = filmOf("A red ball bounces three times, playful, with the title 'Hello', then a blue cube spins");

describe('uploads that are spoken of by their names', () => {
  it.each([
    ['use logo.png in the last scene', ['ball', 'cube logo.png']],
    ['Use logo.png in the last scene.', ['ball', 'cube logo.png']],
    ['use “logo.png” in scene 1', ['ball logo.png', 'cube']],
    ['put LOGO.PNG at the end', ['ball', 'cube logo.png']],
    ['show public/assets/my-photo.v2.jpg in scene 2', ['ball', 'cube my-photo.v2.jpg']],
    ['in scene 2 my-photo.v2.jpg and logo.png', ['ball', 'cube my-photo.v2.jpg logo.png']],
    ['add the logo in scene 2', ['ball', 'cube logo.png']],
    ['use logo.png instead of the ball', ['logo.png', 'cube']],
    ['replace the cube with my-photo.v2.jpg', ['ball', 'my-photo.v2.jpg']],
    ['add a scene with my-photo.v2.jpg at the end', ['ball', 'cube', 'my-photo.v2.jpg']],
  ])('A25 A9: “%s”', (say, scenes) => {
    const { film: edited, understood } = applyFeedback(film, say, assets);
    expect([understood, seen(edited)]).toEqual([true, scenes]);
  });

  it('A25: come with their proportions, and their name is told', () => {
    const { film: edited, explanation } = applyFeedback(film, 'use logo.png in the last scene', assets);
    expect(edited.scenes[1]?.subjects[1]).toMatchObject({ kind: 'logo', src: '/assets/logo.png', aspectRatio: 3 });
    expect(explanation).toBe('logo.png is added in scene 2.');
  });

  it('A25: are changed and taken away by their names, too', () => {
    const { film: both } = applyFeedback(film, 'in scene 2 my-photo.v2.jpg and logo.png', assets);
    const { film: bigger } = applyFeedback(both, 'make logo.png bigger', assets);
    expect(bigger.scenes[1]?.subjects.map(({ size }) => size > 1)).toEqual([false, false, true]);
    expect(seen(applyFeedback(both, 'remove my-photo.v2.jpg', assets).film)).toEqual(['ball', 'cube logo.png']);
    const { film: swapped } = applyFeedback(
      filmOf('the logo spins, smooth', assets.slice(0, 1)),
      'use my-photo.v2.jpg as the logo',
      assets,
    );
    expect(seen(swapped)).toEqual(['my-photo.v2.jpg']);
    const absent = applyFeedback(film, 'remove logo.png', assets);
    expect([absent.understood, absent.explanation]).toEqual([false, 'There is no logo.png in the film.']);
  });

  it('A25: a file that is not there is none', () => {
    expect(seen(applyFeedback(film, 'use gone.png in the last scene', assets).film)).toEqual(['ball', 'cube']);
  });

  it('A25: are found in the first sentence as well, each for itself', () => {
    expect(seen(filmOf('logo.png spins, then my-photo.v2.jpg slides in from the left, smooth', assets))).toEqual([
      'logo.png',
      'my-photo.v2.jpg',
    ]);
    expect(seen(filmOf('my logo my-photo.v2.jpg appears with the title "Acme", smooth', assets))).toEqual(['my-photo.v2.jpg']);
    expect(filmOf('a ball bounces to second.ogg', assets).music).toBe('/assets/second.ogg');
  });

  it.each([
    ['use beat.mp3', '/assets/beat.mp3', true],
    ['play second.ogg and make the ball blue', '/assets/second.ogg', true],
    ['add music', '/assets/second.ogg', true],
    ['no music', null, false],
    ['make the ball blue', null, true],
  ])('X9 A9: “%s” gives the film %s', (say, music, understood) => {
    const result = applyFeedback(film, say, assets);
    expect([result.film.music, result.understood]).toEqual([music, understood]);
  });

  it('X9: sound is taken away again, and without an upload it is told where it comes from', () => {
    expect(applyFeedback({ ...film, music: '/assets/beat.mp3' }, 'without music please', assets).film.music).toBeNull();
    const none = applyFeedback(film, 'add music');
    expect([none.film.music, none.explanation]).toEqual([null, expect.stringContaining('Upload a sound file')]);
  });
});
