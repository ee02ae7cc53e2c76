import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { FilmEdit } from '#kinds/film/contract/edit.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { conversionSchema, documentResponseSchema, formatInfoSchema } from '#kinds/film/contract/format-list.ts';
import { type HttpFixture, httpFixture } from '../../../../test/fixtures/http.ts';
import { testPerson } from '../../../../test/fixtures/storage.ts';
import { planFilm } from '../author/plan-film.ts';
import { planOf } from '../document/document.ts';
import { formats } from '../formats/catalogue.ts';

const prompt = 'as a bar chart\n\nSales of umbrellas\nOslo: 12\nRome: 30\nParis: 20';
const hints = { style: null, aspect: null, durationSeconds: null };
let http: HttpFixture;
let id: string;
let film: Film;

beforeEach(async () => {
  http = httpFixture();
  film = planFilm({ prompt, hints, answers: [], assets: [], seed: 1 }).film;
  id = await filmProject(film);
});
afterEach(() => http[Symbol.dispose]());

async function filmProject(stored: Film): Promise<string> {
  const projectId = newId('prj');
  const plan = { ...planOf(stored), id: newId('plan'), revision: 1, accepted: true };
  await http.stores.projects.create({
    by: testPerson,
    id: projectId,
    name: 'Sales',
    kind: 'animation',
    prompt,
    hints,
    events: [
      { type: 'plan.proposed', plan },
      { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
    ],
  });
  return projectId;
}

const post = (edits: unknown, project = id) => http.send('POST', `/api/projects/${project}/document/edits`, { edits });
const get = async (path: string) => (await http.call(`/api/projects/${id}/${path}`)).json();
const title = (value: string, was = 'Sales of umbrellas'): FilmEdit => ({
  ...{ type: 'field', scene: 'scene-1', path: ['title'], was, value },
});
const failure = async (response: Response) => {
  const { error } = errorEnvelopeSchema.parse(await response.json());
  return { status: response.status, ...error };
};

describe('the formats', () => {
  it('X7: each has a JSON Schema of its fields, purposes and an example', async () => {
    const listed = formatInfoSchema.array().parse(await (await http.call('/api/formats')).json());
    expect(listed.map((format) => format.id)).toEqual(formats.map((format) => format.id));
    const chart = listed.find((format) => format.id === 'bar-chart');
    expect(chart?.schema).toMatchObject({ type: 'object', properties: { items: { type: 'array', maxItems: 12 } } });
    expect(chart?.purposes).toEqual(['numbers', 'compare']);
    const { properties } = listed.find((format) => format.id === 'logo')?.schema ?? {};
    expect(JSON.stringify(properties)).toContain('"format":"image"');
  });
});

describe('the document of a film', () => {
  it('X7: is read, edited and counted', async () => {
    expect(documentResponseSchema.parse(await get('document'))).toEqual({
      ...{ revision: 1, film, unused: null },
      naturalSeconds: { 'scene-1': film.scenes[0]?.seconds },
    });
    const edited = (await (await post([title('Umbrellas')])).json()) as { revision: number; film: Film };
    expect(edited.revision).toBe(2);
    expect(edited.film.scenes[0]).toMatchObject({ props: { title: 'Umbrellas' } });
    expect(documentResponseSchema.parse(await get('document'))).toMatchObject({ revision: 2, film: edited.film });
    const { plan } = await http.stores.projects.state(id);
    expect(plan).toMatchObject({ accepted: true, document: edited.film, sections: [{ title: 'Umbrellas' }] });
  });

  it('X7: names the words of the request that no scene shows', async () => {
    const rest: FilmEdit = { type: 'field', scene: 'scene-1', path: ['title'], was: 'Sales of umbrellas', value: null };
    await post([rest]);
    const { unused } = documentResponseSchema.parse(await get('document'));
    expect(unused?.words.join(' ')).toContain('umbrellas');
    expect(unused?.suggestions[0]).toMatchObject({ format: 'title' });
  });

  it('X7: is read as stored, and a plan of an earlier version names no words', async () => {
    const stored = { words: ['umbrellas'], suggestions: [{ format: 'title', props: { text: 'umbrellas' }, seconds: 2 }] };
    const plan = { ...planOf({ ...film, scenes: film.scenes.slice(0, 1) }), id: newId('plan'), revision: 2, accepted: true };
    await http.stores.projects.record(id, [{ type: 'plan.proposed', plan: { ...plan, unused: stored } }], { by: testPerson });
    expect(await get('document')).toMatchObject({ revision: 2, unused: stored });
    await http.stores.projects.record(id, [{ type: 'plan.proposed', plan: { ...plan, revision: 3 } }], { by: testPerson });
    expect(await get('document')).toMatchObject({ revision: 3, unused: null });
  });

  it('X7: refuses an edit of a value that has changed, and keeps all of them out', async () => {
    await post([title('Umbrellas')]);
    const late = await failure(await post([{ type: 'look', field: 'title', was: film.title, value: 'X' }, title('Parasols')]));
    expect(late).toMatchObject({ status: 409, code: 'CONFLICT', details: { edit: 1 } });
    expect((await http.stores.projects.state(id)).plan).toMatchObject({ revision: 2, title: film.title });
  });

  it.each([
    ['a text that is too long', [title('x'.repeat(64))], 'Scene 1 (“bar-chart”), title: At most 60 characters. 4 too many.'],
    [
      'an unknown field',
      [{ type: 'field', scene: 'scene-1', path: ['flavour'], was: null, value: 'mint' }],
      'Scene 1 (“Sales of umbrellas”): the format Bar chart has no field “flavour”.',
    ],
    [
      'a value of another type',
      [{ type: 'field', scene: 'scene-1', path: ['items', 0, 'value'], was: 12, value: 'many' }],
      'items 1 value: It must be a number.',
    ],
    ['too few rows', [{ type: 'field', scene: 'scene-1', path: ['items'], was: [], value: [] }], ''],
    [
      'an unknown format',
      [{ type: 'add', after: null, scene: { id: 'new', seconds: 3, format: 'hologram', props: {} } }],
      'there is no format “hologram”',
    ],
    ['a path of 7 steps', [{ type: 'field', scene: 'scene-1', path: ['a', 1, 'b', 2, 'c', 3, 'd'], was: null, value: 1 }], ''],
    ['the prototype', [{ type: 'field', scene: 'scene-1', path: ['__proto__', 'x'], was: null, value: 1 }], ''],
    ['1,000 edits', Array.from({ length: 1000 }, () => title('x')), ''],
    ['too short a scene', [{ type: 'seconds', scene: 'scene-1', was: 0, value: 1 }], ''],
  ])('X7: refuses %s', async (_, edits, message) => {
    const refused = await failure(await post(edits));
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(refused.message).toContain(message);
    expect((await http.stores.projects.state(id)).plan?.revision).toBe(1);
  });

  it('X7: refuses a body of 5 MB', async () => {
    const body = JSON.stringify({ edits: [title('x'.repeat(5_000_000))] });
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const response = await http.call(`/api/projects/${id}/document/edits`, { method: 'POST', body, headers });
    expect(await failure(response)).toMatchObject({ status: 413, code: 'TOO_LARGE' });
  });

  it('X7: waits while Koda writes the film', async () => {
    await http.stores.projects.record(id, [{ type: 'project.phase', phase: 'executing', previous: 'complete', error: null }], {
      by: testPerson,
    });
    expect(await failure(await post([title('x')]))).toMatchObject({
      code: 'INVALID_TRANSITION',
      message: 'Koda is still working on this project. You can save your edit when Koda has finished.',
      recovery: { action: 'wait' },
    });
  });
});

describe('a scene in other formats', () => {
  it('X7: carries its content over, best fit first, and says what is lost and why a format cannot hold it', async () => {
    const all = conversionSchema.array().parse(await get('document/scenes/scene-1/formats'));
    expect(all.map(({ format }) => format).toSorted()).toEqual(formats.map((format) => format.id).toSorted());
    expect(all[0]).toMatchObject({ format: 'bar-chart', lost: [] });
    const by = (id: string) => all.find(({ format }) => format === id);
    expect(by('list')).toMatchObject({
      lost: [],
      props: { title: 'Sales of umbrellas', items: [{ text: 'Oslo', value: '12' }, { text: 'Rome' }, { text: 'Paris' }] },
    });
    expect(by('title')).toMatchObject({
      props: { text: 'Sales of umbrellas' },
      lost: ['Oslo', '12', 'Rome', '30', 'Paris', '20'],
    });
    expect(by('timeline')).toMatchObject({ props: null, reason: 'It needs a date in each row.' });
    for (const { format, props } of all)
      if (props !== null) expect(formats.find((one) => one.id === format)?.props.safeParse(props).success).toBe(true);
  });
});
