import { describe, expect, it } from 'vitest';
import { applyFilmEdits, type FilmEdit, inverseFilmEdits } from './edit.ts';
import type { Film } from './film.ts';

const film: Film = {
  version: 3,
  title: 'Sunday at the lake',
  style: 'playful',
  theme: 'candy',
  aspect: '16:9',
  fps: 60,
  seed: 1,
  language: 'en',
  colors: {},
  music: null,
  scenes: [
    { id: 'scene-1', seconds: 3, format: 'title', props: { text: 'Sunday at the lake' } },
    { id: 'scene-2', seconds: 6, format: 'checklist', props: { items: [{ text: 'Towels' }, { text: 'Sun cream' }] } },
    { id: 'scene-3', seconds: 2, title: 'A wave', description: 'A wave rolls in.', code: true },
  ],
};
const wordsOf = (index: number, value: string, was = 'Towels'): FilmEdit => ({
  type: 'field',
  scene: 'scene-2',
  path: ['items', index, 'text'],
  was,
  value,
});

describe('applyFilmEdits', () => {
  it('keeps edits of different fields that were made at the same time', () => {
    const edited = applyFilmEdits(applyFilmEdits(film, [wordsOf(0, 'Two towels')]), [wordsOf(1, 'Hats', 'Sun cream')]);
    expect(edited.scenes[1]).toMatchObject({ props: { items: [{ text: 'Two towels' }, { text: 'Hats' }] } });
  });

  it('rejects an edit to a field that someone else has changed', () => {
    const edited = applyFilmEdits(film, [wordsOf(0, 'Two towels')]);
    expect(() => applyFilmEdits(edited, [wordsOf(0, 'A blanket')])).toThrow('changed items 0 text in “scene-2” in the meantime');
  });

  it('names the edit that it refuses and makes none of the others', () => {
    const before = structuredClone(film);
    const edits: FilmEdit[] = [wordsOf(0, 'Two towels'), { type: 'remove', scene: 'scene-9' }];
    expect(() => applyFilmEdits(film, edits)).toThrow(expect.objectContaining({ code: 'CONFLICT', details: { edit: 1 } }));
    expect(film).toEqual(before);
  });

  it.each<[string, FilmEdit, string]>([
    ['a field of a code scene', { type: 'field', scene: 'scene-3', path: ['text'], was: null, value: 'Hi' }, 'has no fields'],
    ['a look that is none', { type: 'look', field: 'theme', was: 'candy', value: 'plaid' }, 'theme'],
    [
      'an empty title of a code scene',
      { type: 'words', scene: 'scene-3', field: 'title', was: 'A wave', value: null },
      'scenes.2',
    ],
    [
      'the description of a format scene',
      { type: 'words', scene: 'scene-1', field: 'description', was: null, value: 'Hi' },
      'has a format',
    ],
    ['an id twice', { type: 'add', after: null, scene: { id: 'scene-1', seconds: 2, format: 'title', props: {} } }, 'already'],
    ['a place that is gone', { type: 'move', scene: 'scene-1', after: 'scene-8' }, 'no longer exists'],
  ])('refuses %s', (_, edit, reason) => {
    expect(() => applyFilmEdits(film, [edit])).toThrow(reason);
  });

  it('refuses to remove the last scene', () => {
    const remove = (scene: string): FilmEdit => ({ type: 'remove', scene });
    expect(() => applyFilmEdits(film, [remove('scene-1'), remove('scene-2'), remove('scene-3')])).toThrow('at least one scene');
  });
});

describe('inverseFilmEdits', () => {
  const edits: FilmEdit[] = [
    wordsOf(0, 'Two towels'),
    { type: 'move', scene: 'scene-3', after: null },
    { type: 'format', scene: 'scene-2', was: 'checklist', format: 'list', props: { items: [] } },
    { type: 'add', after: 'scene-2', scene: { id: 'scene-4', seconds: 2, format: 'title', props: { text: 'Bye' } } },
    { type: 'remove', scene: 'scene-1' },
    { type: 'seconds', scene: 'scene-2', was: 6, value: 4 },
    { type: 'look', field: 'theme', was: 'candy', value: 'paper' },
  ];

  it('leads back to the film before', () => {
    const inverse = inverseFilmEdits(film, edits);
    expect(applyFilmEdits(applyFilmEdits(film, edits), inverse ?? [])).toEqual(film);
  });

  it('A5: brings back code scenes of a proposed plan, which have no files yet', () => {
    const made: FilmEdit[] = [
      { type: 'words', scene: 'scene-3', field: 'description', was: 'A wave rolls in.', value: 'A wave breaks.' },
      { type: 'words', scene: 'scene-3', field: 'notes', was: null, value: 'Slowly.' },
      { type: 'words', scene: 'scene-2', field: 'title', was: null, value: 'To pack' },
      { type: 'format', scene: 'scene-3', was: null, format: 'title', props: { text: 'Wave' } },
      { type: 'add', after: null, scene: { id: 'scene-9', seconds: 2, title: 'Sun', description: 'The sun rises.', code: true } },
      { type: 'remove', scene: 'scene-9' },
    ];
    const inverse = inverseFilmEdits(film, made, { isProposed: true });
    const edited = applyFilmEdits(film, made);
    expect(edited.scenes.map(({ id }) => id)).toEqual(['scene-1', 'scene-2', 'scene-3']);
    expect(edited.scenes[1]).toMatchObject({ title: 'To pack', format: 'checklist' });
    expect(applyFilmEdits(edited, inverse ?? [])).toEqual(film);
  });

  it('is null if a code scene is removed, because its file is deleted', () => {
    expect(inverseFilmEdits(film, [{ type: 'remove', scene: 'scene-3' }])).toBeNull();
  });
});
