import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { changeMessageId, type Plan, type PlanDraft } from '#contract/project.ts';
import { appHintsSchema } from '#kinds/app/contract/app.ts';
import { type AppDocument, documentPath } from '../../../../sandbox-image/templates/app/model/document.ts';
import { readTable, recogniseTable } from '../../../../sandbox-image/templates/app/model/tables.ts';
import { jsonTool, withOneRepair } from '../../../llm/one-repair.ts';
import {
  type Assignment,
  type AuthorContext,
  requestTextOf,
  type SourceFile,
  type Written,
} from '../../../projects/assignment.ts';
import type { AskForJson, AuthorRun, Builder, JsonPath, Proposal } from '../../../projects/author.ts';
import { builtInAuthor } from '../author.ts';
import { newApp, planOf, readableApp } from '../document.ts';
import { editedApp } from '../edit.ts';
import { changesToFollow, withHandwork } from '../follow.ts';
import { startingPoint } from '../starting-points.ts';
import { appIn, type MadeApp, type Rejected, rejected } from './answer.ts';
import { appCatalogue, editCatalogue } from './catalogue.ts';
import { changeIn } from './changes.ts';

/** Makes apps with one answer of any language model for a plan, and one for each change. */

const rules = readFileSync(new URL('./one-call.md', import.meta.url), 'utf8');
const appSystem = `${rules}${appCatalogue}\n`;
const changeSystem = `${appSystem}Edits, by type:\n${editCatalogue}\n`;

const part = z.looseObject({});
const appTool = jsonTool(
  'write_app',
  'Makes the app.',
  z.object({
    name: z.string(),
    theme: z.string(),
    icon: z.string().optional(),
    lists: z.array(z.looseObject({ id: z.string(), name: z.string(), one: z.string(), fields: z.array(part) })),
    pages: z.array(z.looseObject({ name: z.string(), icon: z.string().optional(), views: z.array(part) })),
    samples: z
      .record(z.string(), z.array(part))
      .optional()
      .describe('up to 8 invented records per list id, by field id; relations by title, dates yyyy-mm-dd, money as 12.50'),
    caveat: z.string().nullable().describe('what the app does not do, or null'),
  }),
);
const changeTool = jsonTool(
  'change_app',
  'Changes the app.',
  z.object({
    edits: z.array(z.looseObject({ type: z.string() })),
    summary: z.string().describe('one or two sentences to the user: what changed, and what did not'),
  }),
);

/** No model writes code for an app. Once one does, `isCodeRequest` tells requests for it. */
export const jsonPath: JsonPath<Builder> = {
  author: (ask, model) => ({
    ...model,
    canRepair: false,
    canResume: (transcript) => transcript.length === 0,
    ask: (facts, run) => builtInAuthor.ask(facts, run),
    plan: (facts, run) => planned(ask, facts, run),
    revise: (facts, run) => revised(ask, facts, run),
    async write(assignment, run) {
      const messageId = changeMessageId(assignment.todo.key);
      if (messageId === null) return await builtInAuthor.write(assignment, run);
      return await written(ask, messageId, assignment, run);
    },
  }),
};

const maxCaveat = 500;
const sentences = (parts: readonly string[]) => parts.filter((one) => one.trim() !== '').join(' ');
const shortened = (text: string) =>
  text.length <= maxCaveat ? text : `${text.slice(0, maxCaveat - 1).replace(/\p{Cs}$/u, '')}…`;
const todayIso = () => new Date().toISOString().slice(0, 10);

/** Plans an app for the request. A document that the user has seen, or a starting point that they have chosen, stays as it is. */
async function planned(ask: AskForJson, facts: AuthorContext, run: AuthorRun): Promise<Proposal | null> {
  const { document, start } = appHintsSchema.parse(facts.hints);
  const answer = requestTextOf(facts.settled.findLast(({ approval }) => approval.type === 'question')?.response);
  const isChosen = answer === null ? document !== undefined || start !== undefined : startingPoint(answer) !== null;
  if (isChosen) return await builtInAuthor.plan(facts, run);
  await run.showText('Planning the app', { isEnd: false });
  const made = await withOneRepair<MadeApp, Rejected>(ask, run, {
    ...{ ...common, system: appSystem, tool: appTool, message: requestMessage(facts.prompt, answer) },
    settle: (value, before) => appIn(value, { before, todayIso: todayIso() }),
  });
  if (!('why' in made)) {
    const app = { ...newApp(made.document), samples: made.samples };
    const caveat = shortened(sentences([...made.says, ...rowsNotTaken(facts.prompt)])) || null;
    return proposalOf(planOf(app, { caveat }));
  }
  const builtIn = await builtInAuthor.plan(facts, run);
  if (builtIn === null) return null;
  const caveat = shortened(
    sentences([`${made.why} Koda’s built-in author planned this app instead.`, builtIn.plan.caveat ?? '']),
  );
  return proposalOf({ ...builtIn.plan, caveat });
}

function proposalOf(plan: PlanDraft): Proposal {
  return { callId: null, content: sentences([`${plan.title}: ${plan.summary}.`, plan.caveat ?? '']), plan };
}

/** Changes a plan that waits for approval. */
async function revised(ask: AskForJson, facts: AuthorContext, run: AuthorRun): Promise<Proposal> {
  const { plan } = facts;
  if (plan === null) throw new KodaError('GENERATION_FAILED', 'There is no plan to change.');
  const words = requestTextOf(facts.settled.at(-1)?.response) ?? '';
  const { draft, says } = await changed(ask, run, { plan, words, files: [] });
  return proposalOf({ ...(draft ?? plan), caveat: shortened(says) || null });
}

interface Change {
  readonly plan: Plan;
  readonly words: string;
  /** Files of the app, in which people may have edited pages by hand. Empty before it is built. */
  readonly files: readonly SourceFile[];
}

interface Changed {
  /** `null` if nothing was changed. */
  readonly draft: PlanDraft | null;
  readonly says: string;
}

const unchanged = 'The app is as it was. You can change it under Structure, or say it in other words.';

/** Changes an app as a message says, on the same path as the page Structure. */
async function changed(ask: AskForJson, run: AuthorRun, { plan, words, files }: Change): Promise<Changed> {
  const app = readableApp(plan);
  const { document } = app;
  const message = [
    `The app:\n${JSON.stringify(shownTo(document))}`,
    `The change that the user asks for:\n${words}`,
    'Change as little as possible. Rename with rename edits, so that values stay. An edit replaces a whole field; of a view, only what it names. Edits are applied in order: add a field before the view that shows it. Call change_app.',
  ].join('\n\n');
  await run.showText('Changing the app', { isEnd: false });
  const read = readIn(files);
  const made = await withOneRepair<Changed, Rejected>(ask, run, {
    ...{ ...common, system: changeSystem, tool: changeTool, message },
    async settle(value) {
      const change = changeIn(value, { document, revision: plan.revision, words, nowIso: new Date().toISOString() });
      if ('problems' in change) return change;
      const { edits, says } = change;
      if (edits === null) return { draft: null, says: shortened(sentences(says)) };
      try {
        const marked = await withHandwork(app, edits, read);
        const { draft } = editedApp({ ...plan, ...(marked !== null && planOf(marked, plan)) }, edits);
        return { draft, says: shortened(sentences([...says, ...readableApp(draft).notes])) };
      } catch (error) {
        if (error instanceof KodaError) return rejected([error.message], value);
        throw error;
      }
    },
  });
  return 'why' in made ? { draft: null, says: `${made.why} ${unchanged}` } : made;
}

const readIn = (files: readonly SourceFile[]) => {
  const texts = new Map(files.map(({ path, content }) => [path, content]));
  return async (path: string) => texts.get(path) ?? null;
};

/** Returns the document without what a model need not know, with choices as `id: name`. */
function shownTo({ version: _, lists, ...look }: AppDocument): unknown {
  return {
    ...look,
    lists: lists.map(({ removed: __, fields, ...list }) => ({
      ...list,
      fields: fields.map((field) =>
        'choices' in field ? { ...field, choices: Object.fromEntries(field.choices.map(({ id, name }) => [id, name])) } : field,
      ),
    })),
  };
}

/** Writes what a message changes. The plan records the change, so that a retry does not make it twice. */
async function written(
  ask: AskForJson,
  messageId: string,
  { context, files: read }: Assignment,
  run: AuthorRun,
): Promise<Written> {
  const { plan, messages } = context;
  if (plan === null) throw new KodaError('GENERATION_FAILED', 'Nothing to change: the project has no plan.');
  const words = messages.find(({ id }) => id === messageId)?.content ?? '';
  const files = await read();
  const made =
    plan.change?.messageId === messageId
      ? { draft: plan, says: plan.change.summary }
      : await changed(ask, run, { plan, words, files });
  const follow =
    made.draft === null ? null : await changesToFollow(readableApp(made.draft), readIn(files), { writesFirst: false });
  return {
    files: [...(follow?.write ?? [])],
    deleted: [...(follow?.remove ?? [])],
    summary: made.says,
    task: { task: 'modify_existing', files: [documentPath], change: words },
    plan: made.draft === null ? null : changeOf(made.draft, { messageId, summary: made.says }),
    message: made.says,
  };
}

/** Returns the plan after a change whose files are written with it. */
function changeOf({ edited: _, ...draft }: PlanDraft, change: PlanDraft['change']): PlanDraft {
  return { ...draft, change };
}

/** What both requests have in common. */
const common = { noun: 'app', unusable: (text: string) => rejected([text]), repairText };

const maxProblems = 12;
const maxProblemCharacters = 240;
const maxGivenCharacters = 6_000;

function repairText({ problems, given }: Rejected): string {
  const text = given === null || given === undefined ? '' : JSON.stringify(given);
  return [
    'Your last answer cannot be used:',
    ...problems.slice(0, maxProblems).map((problem) => `- ${problem.text.slice(0, maxProblemCharacters)}`),
    ...(text === '' || text.length > maxGivenCharacters ? [] : [`It was ${text}`]),
    'Answer again, completely.',
  ].join('\n');
}

const maxCellCharacters = 60;
const exampleRows = 3;

function requestMessage(prompt: string, answer: string | null): string {
  const table = tableIn(prompt);
  return [
    `The request:\n${table === null ? prompt : table.words}`,
    ...(answer === null ? [] : [`The user rejected a plan, and says what the app should keep track of:\n${answer}`]),
    ...(table === null ? [] : [`The request has a table of ${table.rows} rows. Its columns:\n${table.columns.join('\n')}`]),
    `Today is ${todayIso()}.`,
    'Call write_app.',
  ].join('\n\n');
}

/** Returns the columns of a table in a request, with examples, and the words before and after it. `null` if it has none. */
function tableIn(prompt: string): { words: string; rows: number; columns: string[] } | null {
  const lines = prompt.split(/\r?\n/u);
  const isRow = (line: string) => (line.match(/[\t|;]|,(?! )/gu) ?? []).length > 0;
  const first = lines.findIndex((line, index) => isRow(line) && isRow(lines[index + 1] ?? '') && isRow(lines[index + 2] ?? ''));
  if (first < 0) return null;
  const length = lines.slice(first).findIndex((line) => !isRow(line));
  const end = length < 0 ? lines.length : first + length;
  const table = readTable(lines.slice(first, end).join('\n'));
  if ('problem' in table || table.header.length < 2) return null;
  const columns = recogniseTable(table, { todayIso: todayIso() }).columns.map(({ name, type, values }, index) => {
    const cells = table.rows.slice(0, exampleRows).map((row) => JSON.stringify((row[index] ?? '').slice(0, maxCellCharacters)));
    const choices = type === 'choice' && values !== undefined ? ` of ${values.slice(0, 20).join(', ').slice(0, 300)}` : '';
    return `- ${name} (${type}${choices}): ${cells.join(', ')}`;
  });
  return { words: [...lines.slice(0, first), ...lines.slice(end)].join('\n').trim(), rows: table.rows.length, columns };
}

function rowsNotTaken(prompt: string): string[] {
  const table = tableIn(prompt);
  return table === null ? [] : [`The ${table.rows} rows of your table are not in the app yet: import them once it runs.`];
}
