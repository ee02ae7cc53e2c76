import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { Route } from '#contract/routes.ts';
import { applyFilmEdits, type FilmEdit } from '#kinds/film/contract/edit.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { shopFilm } from '../../../../test/fixtures/shop-film.ts';
import type { StudioClient } from '../../../cli/client.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { describeFormats } from '../formats/format-list.ts';
import { addScene, fieldText, listScenes, moveScene, removeScene, setFields, showFormats } from './scenes.ts';

const id = 'prj_0123456789abcdefghjk';
const planned = shopFilm(['Bread', 'Tea']);

/** Creates a studio with one film. `meanwhile`: another user's edits, which arrive before the command's first ones. */
function studio(meanwhile: FilmEdit[] = []) {
  let film: Film = planned;
  let revision = 1;
  const lines: string[] = [];
  const apply = (edits: readonly FilmEdit[]) => {
    film = applyFilmEdits(film, edits);
    revision += 1;
  };
  const client = {
    call: async (route: Route, input: { body?: { edits: FilmEdit[] } }) => {
      if (route === filmRoutes.formats) return describeFormats();
      if (input.body !== undefined) {
        const others = meanwhile.splice(0);
        if (others.length > 0) apply(others);
        apply(input.body.edits);
      }
      return { revision, film, unused: null };
    },
  } as unknown as StudioClient;
  const terminal = { result: (line: string) => lines.push(line) } as unknown as Terminal;
  return { context: { client, terminal }, lines, film: () => film };
}

const set = (field: string, ...values: string[]) => ({ field, values, props: null });
const rename = (path: (string | number)[], was: unknown, value: string): FilmEdit => ({
  ...{ type: 'field', scene: 'scene-2', path, was, value },
});

describe('koda scenes', () => {
  it('X7: lists the scenes with their fields', async () => {
    const { context, lines } = studio();
    await listScenes(id, false, context);
    expect(lines).toContain('     text: "Welcome"');
    expect(lines.find((line) => line.startsWith('2. '))).toContain('scene-2');
  });

  it('X7: sets a field by name, number and path, and says what changed', async () => {
    const { context, lines, film } = studio();
    await setFields(id, '1', set('text', '2026'), context);
    await setFields(id, 'scene-2', set('items.2.text', 'Green', 'tea'), context);
    await setFields(id, '2', set('seconds', '5'), context);
    await setFields(id, '2', { field: null, values: [], props: '{"title": "Shopping"}' }, context);
    expect(film().scenes).toMatchObject([
      { props: { text: '2026' } },
      { seconds: 5, props: { title: 'Shopping', items: [{}, { text: 'Green tea' }] } },
      {},
    ]);
    expect(lines[1]).toBe('scene-2: items.2.text is now "Green tea" (revision 3)');
  });

  it('X7: adds, moves and removes scenes', async () => {
    const { context, film } = studio();
    await addScene(id, 'quote', { props: null, after: 'start' }, context);
    await moveScene(id, '1', 'scene-2', context);
    await removeScene(id, 'scene-1', context);
    expect(film().scenes.map((scene) => scene.id)).toEqual(['scene-2', 'scene-4', 'scene-3']);
  });

  it('X7: retries if someone else has edited another field, and gives way if it was the same field', async () => {
    const same = studio([rename(['items', 0, 'text'], 'Bread', 'Rolls')]);
    await expect(setFields(id, '2', set('items.1.text', 'Jam'), same.context)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(same.film().scenes[1]).toMatchObject({ props: { items: [{ text: 'Rolls' }, {}] } });

    const added = { type: 'add', after: null, scene: { ...planned.scenes[0], id: 'scene-4' } } as FilmEdit;
    const other = studio([added]);
    await addScene(id, 'quote', { props: null, after: null }, other.context);
    expect(other.film().scenes.at(-1)).toMatchObject({ id: 'scene-5', format: 'quote' });
  });

  it('X7: says what to do about a wrong scene, format or value', async () => {
    const { context } = studio();
    await expect(removeScene(id, 'intro', context)).rejects.toThrow('The scenes are: scene-1, scene-2, scene-3.');
    await expect(addScene(id, 'hologram', { props: null, after: null }, context)).rejects.toThrow('The formats are: title, ');
    await expect(setFields(id, '1', set('text'), context)).rejects.toThrow('Add the value after "text"');
    await expect(setFields(id, '1', { field: null, values: [], props: '[' }, context)).rejects.toBeInstanceOf(KodaError);
  });
});

describe('koda formats', () => {
  it('X7: lists formats, or shows one with its fields and an example', async () => {
    const { context, lines } = studio();
    await showFormats(null, false, context);
    expect(lines).toHaveLength(describeFormats().length);
    lines.length = 0;
    await showFormats('checklist', false, context);
    expect(lines).toContain('  title: text, at most 60 characters, or null');
    expect(lines.find((line) => line.startsWith('  items:'))).toContain(
      '1 to 8 of { text: text, at most 60 characters; icon: icon, or null',
    );
    expect(fieldText({ enum: ['a', 'b'] })).toBe('a | b');
  });
});
