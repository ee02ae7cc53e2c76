import { describe, expect, it } from 'vitest';
import type { Approval, ModelUsage, Plan, PlanDraft, Todo } from '#contract/project.ts';
import { type Film, filmPath } from '#kinds/film/contract/film.ts';
import { filmOf, lengthOf } from '#kinds/film/contract/outline.ts';
import { noFacts } from '../../../../test/fixtures/facts.ts';
import { askForJson } from '../../../llm/ask-for-json.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../llm/models/model.ts';
import { tokensOfPrompt } from '../../../llm/tokens.ts';
import type { AuthorContext, SourceFile, Written } from '../../../projects/assignment.ts';
import type { AuthorRun } from '../../../projects/author.ts';
import { planOf } from '../document/document.ts';
import { printFilm } from '../document/print.ts';
import { builtInAuthor } from './author.ts';
import { jsonPath } from './one-call.ts';

const usage: ModelUsage = { inputTokens: 3_000, cachedInputTokens: 0, outputTokens: 300, costUsd: 0 };

type Response =
  | { readonly call: unknown }
  /** Input of the call as text, which may be no JSON. */
  | { readonly json: string; readonly stopReason?: 'max_tokens' | 'tool_use' | 'end_turn' }
  | { readonly text: string }
  | { readonly refusal: true };

function scripted(responses: readonly Response[], contextTokens: number | null = null): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    ...{ kind: 'scripted', name: 'small', contextTokens, responseTokens: 1_000, supportsImages: false, requests },
    async *stream(request): AsyncGenerator<ModelChunk> {
      const response = responses[requests.length];
      requests.push(request);
      if (response === undefined) throw new Error('The model was asked more often than expected.');
      if ('refusal' in response) {
        yield { type: 'end', stopReason: 'refusal', usage };
        return;
      }
      if ('text' in response) {
        yield { type: 'text', text: response.text };
        yield { type: 'end', stopReason: 'end_turn', usage };
        return;
      }
      const json = 'json' in response ? response.json : JSON.stringify(response.call);
      const stopReason = 'json' in response ? (response.stopReason ?? 'tool_use') : 'tool_use';
      yield { type: 'tool_start', id: 'a', name: request.forcedTool ?? '' };
      yield { type: 'tool_input', id: 'a', json };
      if (stopReason !== 'max_tokens') yield { type: 'tool_end', id: 'a' };
      yield { type: 'end', stopReason, usage };
    },
  };
}

const limits = { maxSteps: 50, maxIdenticalCalls: 3, maxRunMinutes: 1, maxTokens: 100_000, maxCostUsd: 1 };

function authorOf(responses: readonly Response[], contextTokens: number | null = null) {
  const model = scripted(responses, contextTokens);
  const counted: ModelUsage[] = [];
  const run = {
    kind: { limits },
    signal: new AbortController().signal,
    context: async () => noFacts,
    usage: () => ({ steps: counted.length, tokens: 0, costUsd: 0, workedMs: 0 }),
    addUsage: async (one: ModelUsage) => void counted.push(one),
    showText: async () => undefined,
  } as unknown as AuthorRun;
  return { author: jsonPath.author(askForJson(model), { kind: 'test', name: 'test' }), run, model, counted };
}

const prompt = 'Sales by city: Oslo 40, Bergen 25, Bodø 12. End with “Thank you, Norway”. Playful, 9:16, accent #ff6600';
const facts = (changes: Partial<AuthorContext> = {}): AuthorContext => ({
  ...noFacts,
  projectId: 'prj_0123456789abcdef0123',
  prompt,
  ...changes,
});

const bars = {
  format: 'bar-chart',
  props: {
    title: 'Sales by city',
    unit: null,
    source: null,
    prefix: '',
    suffix: '',
    items: [
      { label: 'Oslo', value: 40 },
      { label: 'Bergen', value: 25 },
      { label: 'Bodø', value: 12 },
    ],
    highlight: null,
    horizontal: null,
    sorted: false,
  },
};
const title = (text: string) => ({
  format: 'title',
  props: { text, emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] },
});
const good = {
  title: 'Sales by city',
  style: 'smooth',
  theme: 'studio',
  aspect: '16:9',
  scenes: [bars, title('Thank you, Norway')],
  caveat: null,
};

async function plannedBy(responses: readonly Response[], given: AuthorContext = facts()) {
  const { author, run, model, counted } = authorOf(responses);
  const proposal = await author.plan(given, run);
  if (proposal === null) throw new Error('There is no plan.');
  const film = filmOf(proposal.plan);
  if (film === null) throw new Error('The plan has no film.');
  return { film, caveat: proposal.plan.caveat, requests: model.requests, counted };
}

const textOf = (request: ModelRequest | undefined) =>
  request?.messages
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .join('\n') ?? '';
const formatsIn = ({ scenes }: Film) => scenes.map((scene) => ('format' in scene ? scene.format : 'code'));
const propsIn = ({ scenes }: Film, index: number) => {
  const scene = scenes[index];
  return scene !== undefined && 'props' in scene ? scene.props : {};
};
const builtInFilm = async (given: AuthorContext = facts()) => {
  const proposal = await builtInAuthor.plan(given, undefined as unknown as AuthorRun);
  return proposal === null ? null : filmOf(proposal.plan);
};

describe('a film in one answer', () => {
  it('X2: makes the film of a good answer with one request, with what the user has set', async () => {
    const { film, caveat, requests, counted } = await plannedBy([{ call: good }]);
    expect(formatsIn(film)).toEqual(['bar-chart', 'title']);
    expect(film).toMatchObject({ style: 'playful', aspect: '9:16', theme: 'studio', fps: 60 });
    expect(film.colors).toMatchObject({ accent: '#ff6600' });
    expect(film.scenes.map(({ id }) => id)).toEqual(['scene-1', 'scene-2']);
    expect([caveat, requests.length, counted]).toEqual([null, 1, [{ ...usage, steps: 1 }]]);
    expect(requests[0]).toMatchObject({ forcedTool: 'write_film', responseTokens: 8_000 });
  });

  it('X2: asks the user nothing, except after a rejected plan', async () => {
    const { author, run } = authorOf([]);
    expect(await author.ask(facts({ prompt: 'A film' }), run)).toBeNull();
    expect(await author.ask(facts({ phase: 'question' }), run)).toMatchObject({ content: expect.stringContaining('different') });
  });

  it('X2: tells the model what Koda read in the request, and the uploads', async () => {
    const asset = { id: 'ast_0123456789abcdef0123', name: 'logo.png', path: 'public/assets/logo.png', kind: 'image' as const };
    const uploads = [{ ...asset, mime: 'image/png', bytes: 10, width: 40, height: 20, at: '2026-01-01T00:00:00.000Z' }];
    const { requests } = await plannedBy([{ call: good }], facts({ assets: uploads as unknown as AuthorContext['assets'] }));
    const text = textOf(requests[0]);
    for (const words of [
      prompt,
      'Word for word: “Thank you, Norway”',
      'aspect "9:16"',
      'bar-chart',
      '/assets/logo.png (image, 40 × 20)',
    ])
      expect(text).toContain(words);
    const drawn = await plannedBy(
      [{ call: { ...good, scenes: [title('A cat walks')] } }],
      facts({ prompt: 'A cat walks in and falls asleep' }),
    );
    expect(textOf(drawn.requests[0])).toContain('Drawings that no format has');
  });

  it('X2: keeps the look of the film that the user has seen, and shows it to the model', async () => {
    const seen = await builtInFilm();
    const hints = { ...noFacts.hints, film: { ...seen, theme: 'luxe' } };
    const { film, requests } = await plannedBy([{ call: good }], facts({ hints }));
    expect(film.theme).toBe('luxe');
    expect(textOf(requests[0])).toContain('The user has seen these scenes');
  });

  it('X2: gives a film the length that the user asked for', async () => {
    const given = facts({ prompt: `${prompt}. 12 seconds` });
    const { film } = await plannedBy(
      [{ call: { ...good, scenes: [{ ...bars, seconds: 40 }, title('Thank you, Norway')] } }],
      given,
    );
    expect(lengthOf(film)).toBe(12);
  });

  const slips: [string, Response][] = [
    ['`type` for `format`', { call: { ...good, scenes: [{ type: 'bar-chart', props: bars.props }, good.scenes[1]] } }],
    [
      'numbers as text',
      {
        call: {
          ...good,
          scenes: [
            {
              ...bars,
              props: { ...bars.props, items: bars.props.items.map(({ label, value }) => ({ label, value: String(value) })) },
            },
            good.scenes[1],
          ],
        },
      },
    ],
    ['scenes as JSON in a text', { call: { ...good, scenes: JSON.stringify(good.scenes) } }],
    ['the whole answer as JSON in a text', { json: JSON.stringify(JSON.stringify(good)) }],
    ['an answer in a wrapper', { call: { film: good } }],
    [
      'absent fields that may be null',
      { call: { ...good, scenes: [bars, { format: 'title', props: { text: 'Thank you, Norway', emphasis: [], icons: [] } }] } },
    ],
    [
      'a style, a theme and a colour that do not exist',
      { call: { ...good, style: 'fast', theme: 'dark', colors: { accent: 'orange' } } },
    ],
    ['upper-case colours', { call: { ...good, colors: { accent: '#FF6600' } } }],
    ['a repeated scene', { call: { ...good, scenes: [bars, bars, good.scenes[1], good.scenes[1]] } }],
    [
      'prose and Markdown around the JSON',
      { text: `Here is {the} film:\n\`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\`\nEnjoy!` },
    ],
    ['a comma after the last entry', { text: JSON.stringify(good).replace(/\}$/, ',}') }],
    ['a call as text', { text: `<tool_call>{"name": "write_film", "arguments": ${JSON.stringify(good)}}</tool_call>` }],
    ['the same answer twice', { text: `${JSON.stringify(good)}\n${JSON.stringify(good)}` }],
  ];
  it.each(slips)('X2: mends %s without a second request', async (_slip, response) => {
    const { film, requests } = await plannedBy([response]);
    expect(requests).toHaveLength(1);
    expect(formatsIn(film)).toEqual(['bar-chart', 'title']);
    expect(propsIn(film, 0)).toMatchObject({ items: [{ value: 40 }, { value: 25 }, { value: 12 }] });
    expect(film.colors).toMatchObject({ accent: '#ff6600' });
  });

  it('X2: takes the nearest icon for one that does not exist, and tells the user', async () => {
    const cards = [{ title: 'Sales by city', body: 'Up', time: null }];
    const notification = { format: 'notification', props: { app: 'Koda', icon: 'lucide:coffee-cups', cards, badge: null } };
    const { film, caveat, requests } = await plannedBy([{ call: { ...good, scenes: [notification, good.scenes[1]] } }]);
    expect(requests).toHaveLength(1);
    expect(propsIn(film, 0)).toMatchObject({ icon: 'lucide:coffee' });
    expect(caveat).toContain('lucide:coffee-cups');
  });

  it('X2: asks once more about wrong scenes, with their errors and a correct example, and keeps the others', async () => {
    const wrong = { ...bars, props: { ...bars.props, items: [{ label: 'Oslo', value: 'forty' }] } };
    const { film, requests, counted } = await plannedBy([
      { call: { ...good, scenes: [wrong, good.scenes[1]] } },
      { call: { ...good, scenes: [bars] } },
    ]);
    expect(formatsIn(film)).toEqual(['bar-chart', 'title']);
    expect(propsIn(film, 0)).toMatchObject({ items: [{ value: 40 }, { value: 25 }, { value: 12 }] });
    const repair = textOf(requests[1]);
    expect(repair).toContain('items.0.value');
    expect(repair).toContain('A correct bar-chart');
    expect(repair).not.toContain('"text":"Thank you, Norway"');
    expect([requests.length, counted.length]).toEqual([2, 2]);
  });

  it('X2: keeps the second request short, however much is wrong', async () => {
    const wrong = { format: 'list', props: { items: Array.from({ length: 900 }, () => ({ text: 'x'.repeat(90) })) } };
    const { requests } = await plannedBy([{ call: { ...good, scenes: [wrong] } }, { call: good }]);
    expect(textOf(requests[1]).length).toBeLessThan(6_000);
  });

  it('X2: asks for a quoted text that the film does not show', async () => {
    const { film, requests } = await plannedBy([{ call: { ...good, scenes: [bars, title('Thanks, Norway')] } }, { call: good }]);
    expect(textOf(requests[1])).toContain('“Thank you, Norway” word for word');
    expect(propsIn(film, 1)).toMatchObject({ text: 'Thank you, Norway' });
  });

  it('X2: asks for no notation of data word for word, and compares numbers by value', async () => {
    const table =
      'Bar chart of visits\nClass,Coach,Visits\n"Spin, early","Ruiz, Carla","1,204"\nYoga,"Bell, Ann",986\nEnd with “2,190”';
    const items = [
      { label: 'Spin, early', value: 1204 },
      { label: 'Yoga', value: 986 },
    ];
    const scenes = [
      { ...bars, props: { ...bars.props, title: 'Visits', items } },
      { format: 'number', props: { title: null, numbers: [{ value: 2190, label: 'visits' }] } },
    ];
    const { film, requests } = await plannedBy([{ call: { ...good, scenes } }], facts({ prompt: table }));
    expect(propsIn(film, 0)).toMatchObject({ items });
    expect(textOf(requests[0])).toContain('Word for word: “2,190”');
  });

  it('X2: asks once more about an unknown field that holds words of the request, and shows the model its own scene', async () => {
    const prompt = 'Chat: Ines: On the train? Tom: Platform 4';
    const chat = (name: string, more = {}) => ({
      format: 'chat',
      props: { messages: [{ side: 'left', text: 'On the train?', [name]: 'Ines', ...more }] },
    });
    const first = { ...good, scenes: [chat('person_shown', { mood: 'glad' })] };
    const { film, requests, caveat } = await plannedBy([{ call: first }, { call: { scenes: [chat('who')] } }], facts({ prompt }));
    expect(propsIn(film, 0)).toMatchObject({ messages: [{ who: 'Ines' }] });
    expect(textOf(requests[1])).toContain('person_shown: there is no such field; the fields are who, side, text.');
    expect(textOf(requests[1])).toContain('"person_shown":"Ines"');
    expect(textOf(requests[1])).not.toContain('mood: there');
    expect(caveat ?? '').not.toContain('left out');
  });

  it('X2: leaves a theme and colours to the model that the reader has only concluded', async () => {
    const prompt = 'Title: Night shift. Dark, slate and white.';
    const answer = { ...good, theme: 'terminal', colors: { accent: '#c0ffee' }, scenes: [title('Night shift')] };
    const { film, requests } = await plannedBy([{ call: answer }], facts({ prompt }));
    expect(film).toMatchObject({ theme: 'terminal', colors: { accent: '#c0ffee' } });
    expect(textOf(requests[0])).not.toContain('Set by the user');
    const named = 'Title: Night shift. Midnight theme, accent #ff6600.';
    const { film: fixed } = await plannedBy([{ call: answer }], facts({ prompt: named }));
    expect(fixed).toMatchObject({ theme: 'midnight', colors: { accent: '#ff6600' } });
  });

  const twice = (response: Response): Response[] => [response, response];
  const cut = JSON.stringify(good).slice(0, -60);
  const useless: [string, Response[], string][] = [
    ['prose', twice({ text: 'I would love to make this film! First, the bars grow.' }), 'prose'],
    ['JSON cut at the token limit', twice({ json: cut, stopReason: 'max_tokens' }), 'cut off'],
    ['JSON cut with another stop reason', twice({ json: cut }), 'cut off'],
    ['cut JSON as text', twice({ text: cut }), 'cut off'],
    ['5 MB', twice({ json: `{"scenes":[${'[],'.repeat(1_700_000)}` }), 'too long'],
    ['5 MB of braces', twice({ text: '{'.repeat(5_000_000) }), 'too long'],
    ['a text that repeats itself', twice({ text: 'The film shows {bars}. '.repeat(3_000) }), 'no valid JSON'],
    ['nothing', twice({ text: '' }), 'empty'],
    ['no scenes', twice({ call: { title: 'Sales', scenes: [] } }), 'scenes'],
    ['formats that do not exist', twice({ call: { ...good, scenes: [{ format: 'hologram', props: {} }] } }), 'hologram'],
    [
      'forty scenes',
      twice({ call: { ...good, scenes: Array.from({ length: 40 }, (_, index) => title(`Thank you, Norway ${index}`)) } }),
      'scenes',
    ],
    ['a refusal', [{ refusal: true }], 'declined'],
    ['a film without the quoted text', twice({ call: { ...good, scenes: [bars] } }), 'Thank you, Norway'],
  ];
  it.each(useless)('X2: plans the built-in film and says so if the model answers with %s', async (_what, responses, why) => {
    const { film, caveat, requests } = await plannedBy(responses);
    expect(film).toEqual(await builtInFilm());
    expect(caveat).toContain('built-in author');
    expect(caveat).toContain(why);
    expect(requests).toHaveLength(responses.length);
  });

  it('X2: ends with the error of a model that cannot be reached', async () => {
    const { author, run } = authorOf([]);
    await expect(author.plan(facts(), run)).rejects.toThrow('asked more often');
  });

  it('X2: counts its requests towards the run’s limits', async () => {
    const { author, run } = authorOf([{ call: good }]);
    const exhausted = { ...run, usage: () => ({ steps: 50, tokens: 0, costUsd: 0, workedMs: 0 }) };
    await expect(author.plan(facts(), exhausted)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('KODA_RUN_MAX_STEPS'),
    });
  });
});

describe('the prompt', () => {
  it('X2: has at most 3,000 tokens, and is the same in all requests', async () => {
    const one = (await plannedBy([{ call: good }])).requests[0];
    const other = (await plannedBy([{ call: { ...good, scenes: [title('A cat')] } }], facts({ prompt: 'A cat' }))).requests[0];
    expect(tokensOfPrompt(one?.system ?? '')).toBeLessThanOrEqual(3_000);
    expect([one?.system, JSON.stringify(one?.tools)]).toEqual([other?.system, JSON.stringify(other?.tools)]);
    expect(one?.system).not.toContain('Norway');
    expect(one?.system).toMatch(/never an instruction/);
  });

  it('X2: fits into 4,096 tokens with a typical request and its answer, or says that it does not', async () => {
    const { author, run, model } = authorOf([{ call: good }], 4_096);
    await author.plan(facts(), run);
    const [request] = model.requests;
    const { responseTokens = 0 } = request ?? {};
    const used = tokensOfPrompt(`${request?.system}${JSON.stringify(request?.tools)}${textOf(request)}`);
    expect(responseTokens).toBeGreaterThanOrEqual(400);
    expect(used + responseTokens).toBeLessThanOrEqual(4_096);
    const small = authorOf([{ call: good }], 2_000);
    await expect(small.author.plan(facts(), small.run)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(/holds 2000 tokens, and this request needs about \d{4}/),
    });
    expect(small.model.requests).toEqual([]);
  });
});

const at = '2026-01-01T00:00:00.000Z';
const accepted = (draft: PlanDraft): Plan => ({ ...draft, id: 'plan_0123456789abcdef0123', revision: 1, accepted: true });
const stored: Film = {
  ...{ version: 3, title: 'Sales', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60, seed: 1, language: 'en' },
  ...{ colors: { ink: '#101010' }, music: null },
  scenes: [
    { id: 'scene-1', seconds: 4, ...bars },
    { id: 'scene-2', seconds: 3, ...title('Thank you') },
  ],
};

const planApproval: Approval = { id: 'apr_0123456789abcdef0123', type: 'plan', content: 'x', options: [], planId: null, at };

async function changedBy(
  responses: readonly Response[],
  content: string,
): Promise<Written & { film: Film; requests: ModelRequest[] }> {
  const messageId = 'msg_0123456789abcdef0123';
  const { author, run, model } = authorOf(responses);
  const todo: Todo = { id: 'todo_1', key: `change:${messageId}`, title: 'Change', status: 'active', attempts: 1 };
  const files: SourceFile[] = [{ path: 'src/formats/title.tsx', content: 'x' }, ...printFilm(stored)];
  const context = facts({
    ...{ phase: 'executing', plan: accepted(planOf(stored)), todos: [todo] },
    messages: [{ id: messageId, role: 'user', content, queued: false, at }],
  });
  const written = await author.write({ context, todo, evidence: null, files: async () => files }, run);
  if (written === null) throw new Error('Nothing was written.');
  return { ...written, film: written.plan === null ? stored : (filmOf(written.plan) ?? stored), requests: model.requests };
}

describe('a change in one answer', () => {
  const edits = (...list: unknown[]) => ({ edits: list, summary: 'I changed it.' });

  it('X2: applies edits and writes the files that differ', async () => {
    const answer = edits(
      { type: 'field', scene: 'scene-1', path: ['items', 0, 'value'], value: 45 },
      { type: 'look', field: 'colors', value: { accent: '#ff0000' } },
      { type: 'add', after: 'scene-1', scene: title('In between') },
    );
    const { film, message, files, requests } = await changedBy([{ call: answer }], 'Oslo 45, red accent, and a scene in between');
    expect(formatsIn(film)).toEqual(['bar-chart', 'title', 'title']);
    expect(propsIn(film, 0)).toMatchObject({ items: [{ label: 'Oslo', value: 45 }, { value: 25 }, { value: 12 }] });
    expect(film.colors).toEqual({ ink: '#101010', accent: '#ff0000' });
    expect([film.scenes[0]?.seconds, film.scenes[2]]).toEqual([4, stored.scenes[1]]);
    expect(message).toBe('I changed it.');
    expect(files.map(({ path }) => path)).toContain(filmPath);
    expect(requests).toHaveLength(1);
    expect(textOf(requests[0])).not.toContain('"seed"');
  });

  it('X2: asks once more about edits that change nothing', async () => {
    const right = edits({ type: 'remove', scene: 'scene-2' });
    const { film, requests } = await changedBy(
      [{ call: edits({ type: 'field', scene: 'scene-2', path: ['heading'], value: 'x' }) }, { call: right }],
      'x',
    );
    expect(textOf(requests[1])).toContain('change nothing');
    expect(formatsIn(film)).toEqual(['bar-chart']);
  });

  const slips: [string, unknown][] = [
    ['a scene by number and a path as text', edits({ type: 'field', scene: 2, path: 'props.text', value: 'Thank you, Norway' })],
    ['a single edit', { type: 'field', scene: 'scene-2', path: ['text'], value: 'Thank you, Norway' }],
    [
      'edits as JSON in a text',
      { edits: JSON.stringify([{ op: 'field', scene: 2, path: ['text'], value: 'Thank you, Norway' }]) },
    ],
    ['a list of edits alone', [{ type: 'field', scene: '2', path: ['text'], value: 'Thank you, Norway' }]],
  ];
  it.each(slips)('X2: mends %s without a second request', async (_slip, answer) => {
    const { film, requests } = await changedBy([{ json: JSON.stringify(answer) }], 'Say “Thank you, Norway” at the end');
    expect(requests).toHaveLength(1);
    expect(film.scenes[0]).toEqual(stored.scenes[0]);
    expect(propsIn(film, 1)).toMatchObject({ text: 'Thank you, Norway' });
  });

  it('X2: removes an entry of a list, sets the length of the film, and lets a theme be seen', async () => {
    const drop = edits({ type: 'remove', scene: 'scene-1', path: ['items', 1] });
    const dropped = await changedBy([{ call: drop }], 'Without Bergen');
    expect(propsIn(dropped.film, 0)).toMatchObject({ items: [{ label: 'Oslo' }, { label: 'Bodø' }] });
    expect(formatsIn(dropped.film)).toEqual(['bar-chart', 'title']);
    const asValue = await changedBy([{ call: edits({ type: 'field', scene: 1, path: 'items.0', value: null }) }], 'No Oslo');
    expect(propsIn(asValue.film, 0)).toMatchObject({ items: [{ label: 'Bergen' }, { label: 'Bodø' }] });
    const longer = await changedBy([{ call: edits({ type: 'seconds', value: '20' }) }], '20 seconds');
    expect(lengthOf(longer.film)).toBe(20);
    const darker = await changedBy([{ call: edits({ type: 'look', field: 'theme', value: 'midnight' }) }], 'Darker');
    expect(darker.film).toMatchObject({ theme: 'midnight' });
    expect(darker.film.colors).toEqual({});
  });

  it('X2: keeps a highlight on its entry, or removes it with the entry', async () => {
    const highlight = edits({ type: 'field', scene: 'scene-1', path: ['highlight'], value: 2 });
    const propsAfter = async (...list: unknown[]) =>
      propsIn((await changedBy([{ call: edits(...highlight.edits, ...list) }], 'x')).film, 0);
    expect(await propsAfter({ type: 'remove', scene: 'scene-1', path: ['items', 0] })).toMatchObject({ highlight: 1 });
    expect(await propsAfter({ type: 'remove', scene: 'scene-1', path: ['items', 2] })).toMatchObject({ highlight: null });
    const shorter = {
      type: 'field',
      scene: 'scene-1',
      path: ['items'],
      value: [
        { label: 'Oslo', value: 1 },
        { label: 'Bodø', value: 2 },
      ],
    };
    expect(await propsAfter(shorter)).toMatchObject({ highlight: null });
  });

  it('X2: asks once more about a wrong edit, and for a quoted text that is missing', async () => {
    const right = edits({ type: 'field', scene: 'scene-2', path: ['text'], value: 'Tusen takk' });
    const wrong = edits({ type: 'field', scene: 'scene-9', path: ['text'], value: 'Tusen takk' });
    const first = await changedBy([{ call: wrong }, { call: right }], 'Say “Tusen takk”');
    expect(textOf(first.requests[1])).toContain('scene-9');
    expect(propsIn(first.film, 1)).toMatchObject({ text: 'Tusen takk' });
    const other = edits({ type: 'field', scene: 'scene-2', path: ['text'], value: 'Thanks a lot' });
    const second = await changedBy([{ call: other }, { call: right }], 'Replace “Thank you” by “Tusen takk”');
    expect(textOf(second.requests[1])).toContain('“Tusen takk” word for word');
    expect(propsIn(second.film, 1)).toMatchObject({ text: 'Tusen takk' });
  });

  it('X2: does not replace a scene that is written in code', async () => {
    const { author, run, model } = authorOf([
      { call: edits({ type: 'format', scene: 'scene-1', ...title('Sales') }) },
      { call: edits({ type: 'seconds', scene: 'scene-1', value: '6 s' }) },
    ]);
    const code = { id: 'scene-1', seconds: 4, title: 'Cat', description: 'A cat walks.', code: true as const };
    const plan = { ...accepted(planOf({ ...stored, scenes: [code, ...stored.scenes.slice(1)] })), accepted: false };
    const settled = [{ approval: planApproval, response: { outcome: 'changes' as const, text: 'Longer' } }];
    const proposal = await author.revise(facts({ phase: 'plan', plan, settled }), run);
    expect(textOf(model.requests[1])).toContain('is written in code');
    expect(filmOf(proposal?.plan ?? plan)?.scenes[0]).toEqual({ ...code, seconds: 6 });
  });

  it('X2: lets the built-in rules make the change, and says so, if the model’s answers are useless', async () => {
    const { film, message, requests } = await changedBy([{ text: 'Done!' }, { text: 'Really!' }], 'Remove scene 2');
    expect(formatsIn(film)).toEqual(['bar-chart']);
    expect(message).toContain('built-in rules');
    expect(message).toContain('I removed scene 2.');
    expect(requests).toHaveLength(2);
  });

  it('X2: tells the user what cannot be changed', async () => {
    const { film, message } = await changedBy(
      [{ call: { edits: [], summary: 'No format draws a walking cat.' } }],
      'Add a walking cat',
    );
    expect(film).toEqual(stored);
    expect(message).toBe('No format draws a walking cat.');
  });

  it('X2: changes a plan that waits for approval', async () => {
    const { author, run } = authorOf([{ call: edits({ type: 'remove', scene: 'scene-2' }) }]);
    const plan = { ...accepted(planOf(stored)), accepted: false };
    const settled = [{ approval: planApproval, response: { outcome: 'changes' as const, text: 'Without the end' } }];
    const proposal = await author.revise(facts({ phase: 'plan', plan, settled }), run);
    expect(formatsIn(filmOf(proposal?.plan ?? planOf(stored)) ?? stored)).toEqual(['bar-chart']);
    expect(proposal?.plan.caveat).toBe('I changed it.');
    const rendered = [{ approval: planApproval, response: { outcome: 'changes' as const, text: 'Render it in 4k' } }];
    const later = await author.revise(facts({ phase: 'plan', plan, settled: rendered }), run);
    expect(later?.plan.caveat).toContain('once you have accepted the plan');
  });
});

describe('a request for code', () => {
  it.each([
    'Write code for a walking cat',
    'Draw the cat as code',
    'A custom animation of a cat',
    'Schreib Code für eine laufende Katze',
    'Écris du code pour un chat',
    'Escribe código para un gato',
    'Scrivi il codice per un gatto',
    'Escreva código para um gato',
    'Schrijf code voor een kat',
    'Napisz kod dla kota',
    'A cat, drawn in code',
  ])('X2: is read in plain words: %s', (text) => {
    expect(jsonPath.isCodeRequest(text)).toBe(true);
  });

  it.each([
    'Our code of conduct in five points',
    'Use code SAVE20 at checkout',
    'We write code for hospitals',
    'Say “write code” in a title',
    'Show this code:\n```js\nlet a = 1\n```',
    prompt,
  ])('X2: is not a film about code: %s', (text) => {
    expect(jsonPath.isCodeRequest(text)).toBe(false);
  });
});
