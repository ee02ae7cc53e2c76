import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { aspectSchema } from '#contract/render.ts';
import { type Film, maxScenes, styleSchema, themeSchema } from '#kinds/film/contract/film.ts';
import { filmOf, lengthOf } from '#kinds/film/contract/outline.ts';
import { type Reading, seenHintsSchema } from '#kinds/film/contract/reading.ts';
import { jsonTool, withOneRepair } from '../../../llm/one-repair.ts';
import { type AuthorContext, requestTextOf } from '../../../projects/assignment.ts';
import type { AskForJson, AuthorRun, Builder, JsonPath, Proposal } from '../../../projects/author.ts';
import { readingOf } from '../document/read-request.ts';
import { formatOf } from '../formats/catalogue.ts';
import { formatCatalogue } from '../formats/format-list.ts';
import { afterRejection, assetsOf, proposalOf, proposedFilm, writeWith } from './author.ts';
import { changeFilm } from './change-film.ts';
import { editedFilm, type MadeFilm, plannedFilm, type Rejected, wrongScenes } from './one-call-answer.ts';
import { quotesOf } from './read/sentences.ts';
import { renderRequestIn } from './render-request.ts';
import codeWords from './words/code-request.json' with { type: 'json' };

/** Makes films of formats with one answer of any language model for a plan, and one for each change. */

const rules = readFileSync(new URL('./one-call.md', import.meta.url), 'utf8');
const system = `${rules}${formatCatalogue()}\n`;

const color = z.string().optional();
const scene = z.object({ format: z.string(), seconds: z.number().optional(), props: z.record(z.string(), z.unknown()) });
const filmTool = jsonTool(
  'write_film',
  'Makes the film.',
  z.object({
    title: z.string(),
    style: styleSchema,
    theme: themeSchema,
    aspect: aspectSchema,
    colors: z.object({ ground: color, ink: color, accent: color, helper: color }).optional(),
    scenes: z.array(scene).min(1).max(maxScenes),
    caveat: z.string().nullable(),
  }),
);
const sceneId = z.string();
const path = z.array(z.union([z.string(), z.int()]));
const editTool = jsonTool(
  'edit_film',
  'Changes the film.',
  z.object({
    edits: z.array(
      z.union([
        z.object({
          type: z.literal('field'),
          scene: sceneId,
          path,
          value: z.unknown(),
        }),
        z.object({ type: z.literal('format'), scene: sceneId, format: z.string(), props: scene.shape.props }),
        z.object({
          type: z.literal('seconds'),
          scene: sceneId.optional().describe('without it: the whole film'),
          value: z.number(),
        }),
        z.object({ type: z.literal('look'), field: z.enum(['title', 'style', 'theme', 'aspect', 'colors']), value: z.unknown() }),
        z.object({ type: z.literal('add'), after: sceneId.nullable(), scene }),
        z.object({ type: z.literal('move'), scene: sceneId, after: sceneId.nullable() }),
        z.object({ type: z.literal('remove'), scene: sceneId, path: path.optional().describe('of one list entry') }),
      ]),
    ),
    summary: z.string().describe('one sentence to the user: what changed, and what did not'),
  }),
);

/** “Write code” and the like, but not “use code SAVE20” and “we write code”, which are texts of a film. */
const codeRequest = new RegExp(`(?<![\\p{L}\\p{N}])(?:${Object.values(codeWords).join('|')})(?![\\p{L}\\p{N}])`, 'giu');

/** Returns whether the request asks for code, outside what it quotes. */
function isCodeRequest(text: string): boolean {
  const quotes = quotesOf(text, 0, text.length);
  const blocks = [...text.matchAll(/```[\s\S]*?(?:```|$)/gu)].map(({ index, 0: block }) => ({
    start: index,
    end: index + block.length,
  }));
  const isQuoted = (at: number) => [...quotes, ...blocks].some(({ start, end }) => start <= at && at < end);
  return [...text.matchAll(codeRequest)].some(({ index }) => !isQuoted(index));
}

export const jsonPath: Required<JsonPath<Builder>> = {
  isCodeRequest,
  author: (ask, model) => ({
    ...model,
    canRepair: false,
    canResume: (transcript) => transcript.length === 0,
    ask: ({ phase }) => (phase === 'question' ? afterRejection : null),
    plan: (facts, run) => propose(ask, facts, run),
    revise: (facts, run) => propose(ask, facts, run),
    write: writeWith((film, words, facts, run) => changed(ask, film, { words, facts, run })),
  }),
};

/** Plans a film for the first request. Later requests change the film of the previous plan. */
async function propose(ask: AskForJson, facts: AuthorContext, run: AuthorRun): Promise<Proposal> {
  const { plan } = facts;
  const stored = plan === null ? null : filmOf(plan);
  if (plan === null || stored === null) return await planned(ask, facts, run);
  const words = requestTextOf(facts.settled.at(-1)?.response);
  if (words !== null && renderRequestIn(words) !== null) return proposalOf(proposedFilm(facts));
  const { film, explanation } =
    words === null ? { film: stored, explanation: plan.caveat } : await changed(ask, stored, { words, facts, run });
  return proposalOf({ film, caveat: explanation, notShown: plan.notShown ?? [] });
}

async function planned(ask: AskForJson, facts: AuthorContext, run: AuthorRun): Promise<Proposal> {
  const { film: seen, corrections = [], ...hints } = seenHintsSchema.parse(facts.hints);
  const assets = assetsOf(facts.assets);
  const reading = readingOf({ text: facts.prompt, hints, theme: null, assets, corrections, choices: [], order: [] });
  const builtIn = proposedFilm(facts);
  const message = requestMessage(facts, reading, seen ?? null);
  const texts = quotedTexts(facts.prompt, reading);
  // The user has seen the look of this film, and may have chosen it.
  const seenLook = seen === undefined ? [] : (['style', 'theme', 'aspect', 'colors'] as const);
  const chosen = new Set([...chosenIn(facts, reading), ...seenLook]);
  const options = { defaults: builtIn.film, chosen, assets, texts, request: facts.prompt };
  await run.showText('Planning the film', { isEnd: false });
  const settled = await withOneRepair<MadeFilm, Rejected>(ask, run, {
    ...{ ...common, tool: filmTool, message },
    settle: (value, before) => plannedFilm(value, { ...options, before }),
  });
  if ('why' in settled) {
    const caveat = `${settled.why} Koda’s built-in author planned this film instead.`;
    return proposalOf({ ...builtIn, caveat: [caveat, builtIn.caveat].filter(Boolean).join(' ') });
  }
  return proposalOf({ film: settled.film, caveat: settled.says, notShown: builtIn.notShown });
}

/** Changes a film as a message says. */
async function changed(
  ask: AskForJson,
  film: Film,
  { words, facts, run }: { words: string; facts: AuthorContext; run: AuthorRun },
): Promise<{ film: Film; explanation: string }> {
  const assets = assetsOf(facts.assets);
  const { seed: _, version: __, ...shown } = film;
  const message = [
    `The film:\n${JSON.stringify(shown)}`,
    uploadsLine(facts),
    `The change that the user asks for:\n${words}`,
    'Change as little as possible. Scenes go by id, list entries from 0: ["items", 0, "text"]. Call edit_film.',
  ];
  // The user may quote a text of the film in order to remove it.
  const before = JSON.stringify(film);
  const texts = quotesOf(words, 0, words.length).flatMap(({ piece }) => (before.includes(piece.text) ? [] : [piece.text]));
  await run.showText('Changing the film', { isEnd: false });
  const settled = await withOneRepair<MadeFilm, Rejected>(ask, run, {
    ...{ ...common, tool: editTool, message: message.filter(Boolean).join('\n\n') },
    settle: (value) => editedFilm(value, film, { assets, texts }),
  });
  if (!('why' in settled)) return { film: settled.film, explanation: settled.says ?? '' };
  const builtIn = changeFilm(film, words, { assets });
  const explanation = `${settled.why} Koda’s built-in rules read the message instead. ${builtIn.explanation}`;
  return { film: builtIn.film, explanation };
}

/** What a second request repeats of the first answer, at most. */
const maxProblems = 12;
const maxProblemCharacters = 200;
const maxGivenCharacters = 8_000;

const unusable = (text: string): Rejected => ({ problems: [{ scene: null, text }], scenes: null });

/** Describes what is wrong with an answer: the scenes concerned, their errors, and a correct example of each of their formats. */
function repairText(rejected: Rejected): string {
  const { scenes } = rejected;
  const lines = linesOf(rejected).map((line) => `- ${line}`);
  const wrong = wrongScenes(rejected);
  if (scenes === null || wrong === null)
    return ['Your last answer cannot be used:', ...lines, ...givenLine(scenes), 'Answer again, completely.'].join('\n');
  const given = wrong.map((index) => scenes[index]);
  const examples = [...new Set(given.map(formatIn))].flatMap((id) => {
    const format = formatOf(id);
    return format === null ? [] : [`A correct ${id}: ${JSON.stringify(format.example)}`];
  });
  return [
    'Some scenes of your last answer cannot be used:',
    ...lines,
    ...givenLine(given),
    ...examples,
    `Answer again with the same film and only ${wrong.length === 1 ? 'this scene' : `these ${wrong.length} scenes, in this order`}, corrected.`,
  ].join('\n');
}

/** What both requests have in common. */
const common = { noun: 'film', system, unusable, repairText };

const linesOf = ({ problems }: Rejected) =>
  problems
    .slice(0, maxProblems)
    .map(({ scene: index, text }) => `${index === null ? '' : `Scene ${index + 1}: `}${text.slice(0, maxProblemCharacters)}`);

/** Repeats the scenes of an answer, unless they are longer than they are worth. */
function givenLine(scenes: readonly unknown[] | null): string[] {
  const text = scenes === null ? '' : JSON.stringify(scenes);
  return text === '' || text.length > maxGivenCharacters ? [] : [`The scenes were ${text}`];
}

const formatIn = (given: unknown): string =>
  typeof given === 'object' && given !== null && 'format' in given && typeof given.format === 'string' ? given.format : '';

/** Returns the texts in quotation marks that the film has to show. */
function quotedTexts(prompt: string, { spans, blocks }: Reading): string[] {
  const shown = spans.filter(({ state }) => state === 'shown' || state === 'question');
  const data = blocks.filter(({ kind }) => notations.has(kind));
  return quotesOf(prompt, 0, prompt.length).flatMap(({ piece }) => {
    const isIn = (ranges: readonly { start: number; end: number }[]) =>
      ranges.some(({ start, end }) => start < piece.end && piece.start < end);
    return isIn(shown) && !isIn(data) ? [piece.text] : [];
  });
}

/** Returns the request with what Koda has read in it. */
function requestMessage(facts: AuthorContext, reading: Reading, seen: Film | null): string {
  const { prompt, settled } = facts;
  const answers = settled.flatMap(({ approval, response }) =>
    approval.type === 'question' ? (requestTextOf(response) ?? []) : [],
  );
  const textsIn = (state: Reading['spans'][number]['state']) =>
    reading.spans.filter((span) => span.state === state).map(({ start, end }) => quoted(prompt.slice(start, end)));
  const { film } = reading;
  const chosen = chosenIn(facts, reading);
  const set =
    film === null
      ? []
      : chosen.map((what) => `${what} ${what === 'length' ? `${lengthOf(film)} s` : JSON.stringify(film[what])}`);
  const lines = [
    ['Word for word', quotedTexts(prompt, reading).map(quoted)],
    ['Set by the user', set],
    ['Data', reading.blocks.map(({ kind, size }) => `${kind} (${size})`)],
    ['Not meant to be shown', textsIn('left-out')],
    ['Drawings that no format has', textsIn('needs-drawing')],
    ['Formats that may fit', [...new Set(film?.scenes.map(formatIn))]],
  ] as const;
  return [
    `The request:\n${prompt}`,
    ...answers.map((answer) => `The user answered: ${answer}`),
    `What Koda read in it:\n${lines.flatMap(([name, texts]) => (texts.length === 0 ? [] : [`- ${name}: ${texts.join('; ')}`])).join('\n')}`,
    uploadsLine(facts),
    seen === null
      ? ''
      : `The user has seen these scenes and likes them: ${JSON.stringify(seen.scenes.map(({ id: _, ...one }) => one))}`,
    'Call write_film.',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * Returns the values that the model may not change. If the reader has only inferred a theme or colours from words such as “dark”,
 * the model decides, because it reads the same words.
 */
function chosenIn({ prompt, hints }: AuthorContext, { chosen, spans }: Reading): Reading['chosen'] {
  const says = (looks: readonly string[], isMeant: (words: string, value: string) => boolean) =>
    spans.some(
      ({ sets, start, end }) => sets !== null && looks.includes(sets.look) && isMeant(prompt.slice(start, end), sets.value),
    );
  const isNamed = says(['theme'], (words, value) => words.toLowerCase().includes(value.toLowerCase()));
  const isExact = says(['ground', 'ink', 'accent'], (words) => words.includes('#'));
  return chosen.filter((what) => {
    if (what === 'theme') return isNamed || (hints['theme'] ?? null) !== null;
    return what !== 'colors' || isExact;
  });
}

/** Data whose quotation marks belong to its notation. */
const notations = new Set<string>(['table', 'json', 'code', 'terminal']);

const quoted = (text: string) => `“${text.trim()}”`;

function uploadsLine({ assets }: AuthorContext): string {
  const names = assetsOf(assets).map(
    ({ path, kind, width, height }) => `${path} (${kind}${width === null ? '' : `, ${width} × ${height}`})`,
  );
  return names.length === 0 ? '' : `Uploads: ${names.join('; ')}`;
}
