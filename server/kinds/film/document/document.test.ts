import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Plan } from '#contract/project.ts';
import type { Film, FilmOutline } from '#kinds/film/contract/film.ts';
import { codeFilm, filmOf, filmOutlineOf } from '#kinds/film/contract/outline.ts';
import { validatePlan } from '#kinds/film/contract/plan-rules.ts';
import { knownIcon } from '../author/icons.ts';
import { textsOf } from '../check/expected-texts.ts';
import { formats } from '../formats/catalogue.ts';
import { filmKind } from '../kind.ts';
import { planOf, readFilm, readOlderFilm } from './document.ts';
import { printFilm } from './print.ts';

const title = (text: string) => ({ text, emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] });
const film: Film = {
  version: 3,
  title: 'Three titles',
  style: 'smooth',
  theme: 'studio',
  aspect: '16:9',
  fps: 60,
  seed: 1,
  language: 'en',
  colors: {},
  music: null,
  scenes: [
    { id: 'one', seconds: 2, format: 'title', props: title('First') },
    { id: 'two', seconds: 3.1, format: 'title', props: title('Second') },
    { id: 'three', seconds: 2, title: 'A dance', description: 'It dances.', code: true },
  ],
};
const before: Plan = { ...planOf(film), id: 'plan_0123456789abcdef0123', revision: 1, accepted: false };
const outline = filmOutlineOf(before);
if (outline === null) throw new Error('The plan has no film.');
const inSequence = (scenes: FilmOutline['scenes']): FilmOutline => {
  let startSeconds = 0;
  const list = scenes.map((scene, index) => {
    const placed = { ...scene, number: index + 1, startSeconds };
    startSeconds += scene.durationSeconds;
    return placed;
  });
  return { ...outline, scenes: list, durationSeconds: startSeconds };
};
const edited = (scenes: FilmOutline['scenes']) =>
  filmOf(filmKind.outline.edited(before, inSequence(scenes), { assets: [], parsesText: true }))?.scenes;
const [one, two, three] = outline.scenes as [
  FilmOutline['scenes'][number],
  FilmOutline['scenes'][number],
  FilmOutline['scenes'][number],
];

describe('the document of a film', () => {
  it('A4: gives a plan that keeps the rules', () => {
    expect(validatePlan(outline)).toEqual([]);
    expect(outline.scenes.map(({ startSeconds }) => startSeconds)).toEqual([0, 2, 5.1]);
    expect(outline).toMatchObject({ durationSeconds: 7.1, scenes: [{ id: 'one', title: 'First' }, {}, { title: 'A dance' }] });
  });

  it('A4 A5: drops a text from the list of those not shown once a scene shows it', () => {
    const plan = { ...before, notShown: ['make it calm', 'no music'] };
    const added = { ...one, id: undefined, title: 'make it calm', description: '“make it calm”' };
    const after = filmKind.outline.edited(plan, inSequence([one, two, three, added]), { assets: [], parsesText: true });
    expect(after.notShown).toEqual(['no music']);
    expect(filmOf(after)?.scenes.at(-1)).toMatchObject({ format: 'title', props: { text: 'make it calm' } });
  });

  it('A5: takes a new order, new lengths and removed scenes', () => {
    expect(edited([two, { ...one, durationSeconds: 4 }])).toEqual([film.scenes[1], { ...film.scenes[0], seconds: 4 }]);
  });

  it('A5: pairs a scene without an id by its words, and reads a new one', () => {
    const { id: _, ...unnamed } = two;
    const added = { ...one, id: undefined, title: 'Mine', description: 'Good night', durationSeconds: 2 };
    expect(edited([unnamed, three, added])).toMatchObject([
      { id: 'two' },
      { id: 'three' },
      { id: 'scene-3', format: 'title', title: 'Mine', seconds: 2, props: { text: 'Good night' } },
    ]);
  });

  it('A5: reads a rewritten description again, and keeps a title that the user wrote', () => {
    expect(edited([{ ...one, description: 'Good morning' }, two, three])?.[0]).toMatchObject({
      id: 'one',
      format: 'title',
      props: { text: 'Good morning' },
    });
    expect(edited([{ ...one, title: 'Mine' }, two, three])?.[0]).toEqual({ ...film.scenes[0], title: 'Mine' });
  });

  it('A5: never takes a document from a client', () => {
    const smuggled = { ...inSequence([one, two, three]), film: { ...film, theme: 'luxe' } } as FilmOutline;
    expect(filmKind.outline.edited(before, smuggled, { assets: [], parsesText: true }).document).toEqual(film);
  });

  it('X16: follows the outline of a language model, whose new words describe code', () => {
    const update = inSequence([{ ...one, description: 'Sparks fly.' }, two]);
    const after = filmKind.outline.edited(before, update, { assets: [], parsesText: false });
    expect(filmOutlineOf(after)).toMatchObject(update);
    expect(filmOf(after)?.scenes).toEqual([
      { id: 'one', seconds: 2, title: 'First', description: 'Sparks fly.', code: true, notes: expect.any(String) },
      film.scenes[1],
    ]);
  });

  it('X16: has all scenes as code if a language model planned the film', () => {
    expect(codeFilm(outline, 1).scenes.every((scene) => 'code' in scene)).toBe(true);
  });

  it('X1: names only drawings that exist, in the examples of the formats', () => {
    for (const { id, example } of formats)
      for (const [name] of JSON.stringify(example).matchAll(/(?:lucide|fluent):[a-z0-9-]+/g))
        expect(knownIcon(name), `${name} of ${id}`).toBe(true);
    expect(knownIcon('lucide:no-such-thing')).toBe(false);
    expect(knownIcon('toString')).toBe(false);
  });

  it('A8: lists the texts that a viewer has to see', () => {
    const scenes = [
      {
        id: 'one',
        seconds: 3,
        format: 'checklist',
        props: { title: null, items: [{ text: 'Bear', icon: 'lucide:coffee', done: true }] },
      },
      { id: 'two', seconds: 3, format: 'title', props: { ...title('Bye'), entrance: 'wipe' } },
    ];
    expect(textsOf({ ...film, scenes }).map(({ text, scene }) => [text, scene.startSeconds])).toEqual([
      ['Bear', 0],
      ['Bye', 3],
    ]);
    for (const { id, example } of formats)
      expect(() =>
        textsOf({ ...film, scenes: [{ id: 'one', seconds: 3, format: id, props: { ...(example as object) } }] }),
      ).not.toThrow();
  });
});

describe('an imported film', () => {
  const reader = (files: Readonly<Record<string, string>>) => async (path: string) => files[path] ?? null;
  const imported = (files: Readonly<Record<string, string>>) => filmKind.archive.imported(reader(files), { name: 'Film' });
  const files = Object.fromEntries(printFilm(film).map(({ path, content }) => [path, content]));

  it('X4: keeps the format scenes whose files are as printed; others are code', async () => {
    const edit = { 'src/scenes/one.tsx': `${files['src/scenes/one.tsx']}//` };
    expect((await imported(files)).document).toEqual(film);
    expect((await imported({ ...files, ...edit })).document['scenes']).toMatchObject([
      { id: 'one', code: true },
      { format: 'title' },
      { code: true },
    ]);
  });

  it('X4: has the scenes of a film of an earlier version as code', async () => {
    const older = readFileSync(new URL('../../../../test/fixtures/film-version-1.json', import.meta.url), 'utf8');
    const { files: list } = z
      .object({ files: z.array(z.object({ path: z.string(), content: z.string() })) })
      .parse(JSON.parse(older));
    const plan = await imported(Object.fromEntries(list.map(({ path, content }) => [path, content])));
    expect(plan.caveat).toBeNull();
    expect(filmOf(plan)?.scenes.every((scene) => 'code' in scene)).toBe(true);
    expect(filmKind.workflow.problems(plan)).toEqual([]);
  });

  it.each([
    ['', null],
    ['{"version":3}', null],
    ['['.repeat(100_000), null],
    [JSON.stringify({ ...film, scenes: [{ id: 'one', seconds: 2, format: 'nothing', props: {} }] }), [{ code: true }]],
    [JSON.stringify({ ...film, scenes: [{ id: 'one', seconds: 2, format: 'title', props: { text: 7 } }] }), [{ code: true }]],
    [JSON.stringify({ ...film, scenes: [{ id: '../up', seconds: 2, format: 'title', props: title('x') }] }), null],
    [JSON.stringify({ ...film, scenes: [...film.scenes, ...film.scenes] }), null],
    [
      `${JSON.stringify(film).slice(0, -2)},{"id":"deep","seconds":2,"format":"title","props":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}]}`,
      null,
    ],
  ])('X4: is read within bounds: %#', (text, scenes) => {
    expect(readFilm(text)?.scenes ?? null).toEqual(
      scenes === null ? null : scenes.map((scene) => expect.objectContaining(scene)),
    );
    expect(readOlderFilm(text)).toBeNull();
  });
});
