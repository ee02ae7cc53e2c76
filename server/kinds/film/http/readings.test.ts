import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { filmOf } from '#kinds/film/contract/outline.ts';
import { feedbackReadingSchema, type ReadingRequest, readingSchema } from '#kinds/film/contract/reading.ts';
import { noFacts } from '../../../../test/fixtures/facts.ts';
import { type HttpFixture, httpFixture } from '../../../../test/fixtures/http.ts';
import { testPerson } from '../../../../test/fixtures/storage.ts';
import judged from '../../../../test/requests/judged.json' with { type: 'json' };
import worked from '../../../../test/requests/worked.json' with { type: 'json' };
import type { AuthorContext } from '../../../projects/assignment.ts';
import type { AuthorRun } from '../../../projects/author.ts';
import { builtInAuthor } from '../author/author.ts';
import { planFilm } from '../author/plan-film.ts';
import { planOf } from '../document/document.ts';
import { filmKind } from '../kind.ts';

const hints = { style: null, aspect: null, durationSeconds: null };
let http: HttpFixture;
beforeEach(() => {
  http = httpFixture();
});
afterEach(() => http[Symbol.dispose]());

const send = (body: Partial<ReadingRequest>) => http.send('POST', '/api/readings', body);
const read = async (body: Partial<ReadingRequest>) => readingSchema.parse(await (await send(body)).json());
const errorOf = async (response: Response) => ({
  status: response.status,
  ...errorEnvelopeSchema.parse(await response.json()).error,
});
/** The built-in author calls nothing. */
const noRun = undefined as unknown as AuthorRun;
async function plannedFilm(facts: Partial<AuthorContext>) {
  const context = { ...noFacts, projectId: 'prj_0123456789abcdef0123', ...facts } as AuthorContext;
  const proposal = await builtInAuthor.plan(context, noRun);
  return proposal === null ? null : filmOf(proposal.plan);
}
const agenda = '09:30 Tea\n10:00 Walk\n12:30 Lunch\n\nNobody has to bring a cup. Dark theme, 9:16';

describe('a reading', () => {
  it('A33: has the spans, the data, the film and what the text sets', async () => {
    const reading = await read({ text: agenda });
    expect(reading.blocks).toMatchObject([{ kind: 'agenda', size: '3 entries', start: 0 }]);
    expect(reading.film).toMatchObject({ aspect: '9:16', scenes: [{}, { format: 'title' }] });
    expect(reading.scenes).toMatchObject([
      { id: 'scene-1', at: 0 },
      { id: 'scene-2', at: agenda.indexOf('Nobody') },
    ]);
    expect(reading.spans.find(({ start }) => start === agenda.indexOf('Nobody'))).toMatchObject({
      state: 'shown',
      rule: 12,
      scene: 2,
    });
    expect(reading.chosen).toContain('aspect');
    expect(reading.drawing).toBeNull();
  });

  it('A33: offers other formats for each scene, and says what each would not show', async () => {
    const { scenes } = await read({ text: 'Title: Sales\n\nOslo: 12\nRome: 30\nParis: 20' });
    const others = scenes.flatMap((scene) => scene.others);
    expect(others.length).toBeGreaterThan(2);
    expect(others.every(({ lost }) => Array.isArray(lost))).toBe(true);
  });

  it('A33: follows corrections, formats, lengths, the order and a theme', async () => {
    const walk = agenda.indexOf('10:00');
    const pier = agenda.indexOf('Nobody');
    const { film, spans } = await read({
      text: agenda,
      theme: 'candy',
      corrections: [{ start: walk, end: walk + '10:00 Walk'.length, use: 'leave-out' }],
      choices: [{ at: 0, format: 'list', seconds: 7 }],
      order: [pier, 0],
    });
    expect(film).toMatchObject({ theme: 'candy', scenes: [{ format: 'title' }, { format: 'list', seconds: 7 }] });
    expect(JSON.stringify(film)).not.toContain('Walk');
    expect(spans.find(({ start }) => start === walk)).toMatchObject({ state: 'left-out', rule: null });
  });

  it('A33: says before anything is made that no format draws something', async () => {
    expect((await read({ text: 'A cat eats a fish' })).drawing).toEqual({ words: ['A cat eats a fish'], isAll: true });
    expect((await read({ text: 'a red ball bounces three times' })).drawing).toBeNull();
  });

  it('A33: of nothing has no film', async () => {
    expect(await read({ text: '  ' })).toMatchObject({ film: null, scenes: [], spans: [] });
  });

  it('A33: of a long text comes from a thread of its own', async () => {
    const text = Array.from({ length: 900 }, (_, row) => `Row ${row} is here`)
      .join('\n')
      .slice(0, 20_000);
    const { spans, film } = await read({ text });
    expect(film?.scenes.length).toBeGreaterThan(0);
    expect(spans.some(({ state }) => state === 'left-out')).toBe(true);
  });

  it('A33 X1: of too long a text is refused with a reason', async () => {
    expect(await errorOf(await send({ text: 'x'.repeat(20_001) }))).toMatchObject({
      code: expect.stringMatching(/VALIDATION_ERROR|TOO_LARGE/),
    });
    expect(await errorOf(await http.send('POST', '/api/readings', { text: '' }, { 'content-length': '5000000' }))).toMatchObject({
      status: 413,
      code: 'TOO_LARGE',
    });
  });
});

describe('what was seen is made', () => {
  it('A33: the plan without a film equals the reading, for 100 requests', async () => {
    for (const { request } of [...worked, ...judged].filter((_, index) => index % 2 === 0).slice(0, 100)) {
      const text = request.trim();
      const { film } = await read({ text });
      expect(await plannedFilm({ prompt: text, hints: {} })).toEqual(film);
    }
  }, 60_000);

  it('A33: the plan is the film that the user saw, and nothing is asked', async () => {
    const corrections = [{ start: 0, end: 5, use: 'title' as const }];
    const { film } = await read({ text: 'Hello you', corrections, theme: 'luxe', choices: [{ at: 6, seconds: 9 }] });
    const facts = { prompt: 'Hello you', hints: { film, corrections } };
    expect(await plannedFilm(facts)).toEqual(film);
    expect(
      await builtInAuthor.ask(
        { ...noFacts, projectId: 'prj_0123456789abcdef0123', phase: 'idle', ...facts } as AuthorContext,
        noRun,
      ),
    ).toBeNull();
  });

  it('A33: uploads join the film that was seen, which is the same otherwise', async () => {
    const { film } = await read({ text: 'Logo reveal “Northwind”' });
    const upload = { id: 'ast_1', mime: '', sizeBytes: 1, width: 10, height: 10, moves: false, at: '2026-01-01T00:00:00.000Z' };
    const assets = [
      { ...upload, name: 'logo.png', path: 'public/assets/logo.png', kind: 'image' as const },
      { ...upload, name: 'song.mp3', path: 'public/assets/song.mp3', kind: 'audio' as const },
    ];
    const planned = await plannedFilm({ prompt: 'Logo reveal “Northwind”', hints: { film }, assets });
    expect(film?.scenes).toMatchObject([{ format: 'logo', props: { asset: null } }]);
    expect(planned).toMatchObject({ music: '/assets/song.mp3', scenes: [{ props: { asset: '/assets/logo.png' } }] });
    expect({ ...planned, music: null, scenes: [] }).toEqual({ ...film, scenes: [] });
  });

  it('A33: a film whose fields no format has is refused', async () => {
    const { film } = await read({ text: 'Hello' });
    const { schema } = filmKind.hints;
    expect(schema.safeParse({ film }).success).toBe(true);
    const [scene] = film?.scenes ?? [];
    for (const wrong of [
      { ...scene, format: 'nothing' },
      { ...scene, props: { text: 'x'.repeat(500) } },
      { id: 'scene-1', seconds: 3, title: 'Code', description: 'Code', code: true },
    ])
      expect(schema.safeParse({ film: { ...film, scenes: [wrong] } }).success).toBe(false);
    const response = await http.send('POST', '/api/projects', {
      prompt: 'Hello',
      kind: 'animation',
      hints: { film: { ...film, scenes: [{ ...scene, format: 'nothing' }] } },
    });
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('the reading of feedback', () => {
  const { film } = planFilm({ prompt: 'Pets:\n- Cats\n- Dogs', hints, answers: [], assets: [], seed: 1 });
  async function plannedProject({ stores }: HttpFixture): Promise<string> {
    const id = newId('prj');
    const plan = { ...planOf(film), id: newId('plan'), revision: 1, accepted: false };
    const events = [{ type: 'plan.proposed' as const, plan }];
    await stores.projects.create({ by: testPerson, id, name: 'Pets', kind: 'animation', prompt: 'Pets', hints, events });
    return id;
  }
  const readFeedback = (id: string, text: string, studio = http) => studio.send('POST', `/api/projects/${id}/readings`, { text });

  it('A9: says what the current film would become, and stores nothing', async () => {
    const id = await plannedProject(http);
    const before = await http.stores.projects.state(id);
    const response = await readFeedback(id, 'make it dark, hmm, 9:16');
    expect(feedbackReadingSchema.parse(await response.json())).toMatchObject({
      changes: ['Theme becomes midnight', 'Frame becomes 9:16'],
      spans: [{ state: 'instruction' }, { state: 'not-understood', start: 14, end: 17 }, { state: 'instruction' }],
    });
    expect(await http.stores.projects.state(id)).toEqual(before);
  });

  it('A9: leaves the message to the language model where there is one', async () => {
    using studio = httpFixture({ authorKind: 'anthropic' });
    const response = await readFeedback(await plannedProject(studio), 'make it dark', studio);
    expect(await response.json()).toEqual({ spans: [], changes: null, render: null });
  });

  it('A9: needs a film, and a text of a possible length', async () => {
    expect(await errorOf(await readFeedback(newId('prj'), 'dark'))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const tooLong = await readFeedback(await plannedProject(http), 'x'.repeat(20_001));
    expect(await errorOf(tooLong)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
