// npm run bench -- model: how well and at what cost the language model that is set plans films.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { errorMessage } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { StudioClient } from '../../server/cli/client.ts';
import type { FormatFilm } from '../../server/kinds/film/author/plan-film.ts';
import { readConfig } from '../../server/lib/config.ts';
import { outboundFetch } from '../../server/lib/outbound-fetch.ts';
import { responseLimits } from '../../server/llm/models/response-timeouts.ts';
import { createModelSet } from '../../server/llm/settings/model-set.ts';
import { modelsFor } from '../../server/llm/settings/resolve.ts';
import { nothingStored } from '../../server/llm/settings/stored.ts';
import { readTurn } from '../../server/llm/turn.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { type Fact, meets, type Request, textsOf } from '../requests/facts.ts';
import { type FilmSheets, openFilmSheets } from '../requests/film-sheets.ts';
import judged from '../requests/judged.json' with { type: 'json' };
import { median } from './render/statistics.ts';

const helpText = `npm run bench -- model [options]

Has the language model that the environment sets (.env.example: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, KODA_MODEL …) plan films
for requests whose facts are known, and counts requests, tokens, money and seconds. A program looks for the facts that are
letters or numbers; the same model judges the others from the film's texts. Nothing is rendered. Without a model, measures the
built-in author, and the other facts stay open. A model that is paid for costs about what it prints.

  --requests N       requests, spread over all that formats can express (30)
  --sheets FOLDER    draw twelve frames of each film of formats there
  --by NAME          who answered, for the record (the model's name)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    sheets: { type: 'string' },
    by: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({
    requests: z.coerce.number().int().min(1).max(100).default(30),
    sheets: z.string().optional(),
    by: z.string().optional(),
    json: z.string().optional(),
  })
  .parse(values);

const practical = (judged as unknown as readonly Request[]).filter(({ kind }) => kind !== 'beyond');
const requests = practical.filter((_, index) => {
  const share = options.requests / practical.length;
  return Math.floor((index + 1) * share) > Math.floor(index * share);
});

const config = readConfig(process.env);
const settings = modelsFor(config.models, nothingStored);
const set = settings && modelSet(settings);
const by = options.by ?? set?.services.orchestrator.name ?? 'the built-in author';

/** The model without retries, which only judges. */
function modelSet(chosen: NonNullable<typeof settings>) {
  const limits = { ...responseLimits, idleTimeoutMs: config.modelSilenceMs };
  const nothing = async () => undefined;
  return createModelSet(chosen, {
    resilience: { limits, onWait: nothing, onResume: nothing, onWarning: nothing, random: Math.random },
    recordingFolder: config.dataDir,
    fetch: outboundFetch({ privateAddresses: 'allow' }),
  });
}

interface Planned {
  readonly film: Film;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly seconds: number;
}

/** Has a film planned, and takes the first answer to every question. Throws if there is no plan. */
async function plan(client: StudioClient, prompt: string): Promise<Planned> {
  const startedAtMs = performance.now();
  const sum = { requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const { id } = await client.call(routes.createProject, { body: { prompt } });
  const signal = AbortSignal.timeout(30 * 60_000);
  for await (const event of client.events(id, { afterSeq: 0, signal })) {
    if (event.type === 'error') throw new Error(event.message);
    if (event.type === 'usage') {
      sum.requests += 1;
      sum.inputTokens += event.inputTokens;
      sum.outputTokens += event.outputTokens;
      sum.costUsd += event.costUsd;
    }
    if (event.type !== 'approval.requested') continue;
    const { approval } = event;
    if (approval.type === 'plan') break;
    const [first] = approval.options;
    const answer = first === undefined ? { text: prompt } : { optionId: first.id };
    await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, ...answer } });
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { film } = await client.call(filmRoutes.document, { id });
  if (film === null) throw new Error('The plan has no film.');
  return { film, ...sum, seconds };
}

const verdictSchema = z.object({ verdicts: z.array(z.boolean()) });
const { $schema: _, ...inputSchema } = z.toJSONSchema(verdictSchema);

/** Has the model judge facts that are no letters. `null` where it gives no verdict. */
async function judge(request: string, film: Film, facts: readonly string[]): Promise<(boolean | null)[]> {
  if (set === null || facts.length === 0) return facts.map(() => null);
  const scenes = film.scenes.map((scene) =>
    isCode(scene) ? { code: scene.description } : { format: scene.format, texts: textsOf(scene.props, film.language) },
  );
  const look = { theme: film.theme, style: film.style, aspect: film.aspect, colors: film.colors };
  const text = [
    `Somebody asked for a film:\n${request}`,
    `This film was planned:\n${JSON.stringify({ ...look, scenes })}`,
    `Is each of these statements true of it?\n${facts.map((fact, index) => `${index + 1}. ${fact}`).join('\n')}`,
  ];
  const tool = { name: 'judge', description: 'Gives one verdict per statement, in order.', inputSchema };
  const { content } = await readTurn(
    set.services.orchestrator.stream(
      {
        ...{ role: 'orchestrator', projectId: null, tools: [tool], forcedTool: tool.name },
        system: 'You judge strictly whether statements about a film are true. In doubt, they are false.',
        messages: [{ role: 'user', content: [{ type: 'text', text: text.join('\n\n') }] }],
      },
      { signal: AbortSignal.timeout(600_000) },
    ),
  );
  const call = content.find((block) => block.type === 'tool_use');
  const given = verdictSchema.safeParse(call?.type === 'tool_use' ? call.input : null).data?.verdicts ?? [];
  return facts.map((_, index) => given[index] ?? null);
}

const wordsOf = (fact: Fact): string | null => {
  if ('other' in fact) return fact.other;
  return 'colour' in fact ? `It uses the colour: ${fact.colour}` : null;
};

interface Row extends Omit<Planned, 'film'> {
  readonly id: string;
  /** Why there is no film. `null` if there is one. */
  readonly failure: string | null;
  readonly right: number;
  readonly wrong: readonly string[];
  readonly open: number;
}

async function measure(client: StudioClient, { id, request, facts }: Request, sheets: FilmSheets | null): Promise<Row> {
  const nothing = { requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, seconds: 0 };
  const planned = await plan(client, request).catch((error: unknown) => errorMessage(error));
  if (typeof planned === 'string')
    return { id, ...nothing, failure: planned, right: 0, wrong: facts.map((fact) => JSON.stringify(fact)), open: 0 };
  const { film, ...spent } = planned;
  const formats = { ...film, scenes: film.scenes.filter((scene) => !isCode(scene)) } as FormatFilm;
  const worded = facts.flatMap((fact) => wordsOf(fact) ?? []);
  const verdicts = await judge(request, film, worded);
  const results = facts.map((fact) => {
    const words = wordsOf(fact);
    return { fact, isMet: words === null ? meets(formats, fact) : (verdicts[worded.indexOf(words)] ?? null) };
  });
  if (sheets !== null && options.sheets !== undefined && formats.scenes.length === film.scenes.length)
    await sheets.draw(formats, join(options.sheets, `${id}.jpg`));
  return {
    ...{ id, ...spent, failure: null, right: results.filter(({ isMet }) => isMet === true).length },
    wrong: results.flatMap(({ fact, isMet }) => (isMet === false ? [JSON.stringify(fact)] : [])),
    open: results.filter(({ isMet }) => isMet === null).length,
  };
}

if (options.sheets !== undefined) await mkdir(options.sheets, { recursive: true });
await using studio = await startTestStudio({ models: config.models, modelSilenceMs: config.modelSilenceMs });
const sheets = options.sheets === undefined ? null : await openFilmSheets();
const client = new StudioClient(studio.url, () => readLocalKey(studio.dataDir));
const rows: Row[] = [];
for (const request of requests) {
  const row = await measure(client, request, sheets);
  rows.push(row);
  const { id, right, wrong, open, failure } = row;
  const cost = `${row.requests} requests, ${row.inputTokens} + ${row.outputTokens} tokens, $${row.costUsd.toFixed(3)}, ${row.seconds.toFixed(1)} s`;
  console.log(`${id}  ${right} of ${right + wrong.length} facts${open === 0 ? '' : `, ${open} open`}  ${cost}`);
  for (const line of failure === null ? wrong : [failure]) console.log(`     ${line}`);
}
await sheets?.[Symbol.asyncDispose]();

const middle = (value: (row: Row) => number) => median(rows.map(value));
const whole = rows.filter(({ wrong, failure }) => wrong.length === 0 && failure === null).length;
const summary = {
  ...{ by, requests: rows.length, everyFact: whole, failed: rows.filter(({ failure }) => failure !== null).length },
  ...{ openFacts: rows.reduce((sum, { open }) => sum + open, 0), costUsd: rows.reduce((sum, { costUsd }) => sum + costUsd, 0) },
  median: { requests: middle((row) => row.requests), inputTokens: middle((row) => row.inputTokens) },
};
console.log(
  `\n${by}: every fact in ${whole} of ${rows.length}, ${summary.failed} without a film, ${summary.openFacts} facts not judged`,
);
console.log(
  `median: ${summary.median.requests} requests, ${summary.median.inputTokens} + ${middle((row) => row.outputTokens)} tokens, ${middle((row) => row.seconds).toFixed(1)} s; together $${summary.costUsd.toFixed(2)}`,
);
if (options.json) await writeFile(options.json, `${JSON.stringify({ area: 'model', summary, rows }, null, 2)}\n`);
