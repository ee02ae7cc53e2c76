import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { changeMessageId, type PlanDraft } from '#contract/project.ts';
import { appHintsSchema } from '#kinds/app/contract/app.ts';
import { ownListId, suggestionsFor } from '#kinds/app/contract/request.ts';
import type { AppDocument, List } from '../../../sandbox-image/templates/app/model/document.ts';
import { journalPath, newJournal } from '../../../sandbox-image/templates/app/model/journal.ts';
import type { Assignment, AuthorContext, SourceFile, Written } from '../../projects/assignment.ts';
import type { AuthorRun, Builder, Proposal, Question } from '../../projects/author.ts';
import { noServices } from '../../projects/author-run.ts';
import { newApp, planOf, problemsOf, readableApp, type StoredApp } from './document.ts';
import { changesToFollow } from './follow.ts';
import type { StartingPoint } from './starting-points/starting-point.ts';
import { ownSamples, sampleRecords, startingPoint, startingPoints } from './starting-points.ts';
import { appTodos } from './todos.ts';
import { countOf } from './words.ts';

/**
 * The built-in author, which needs neither a key nor a network. It reads no sentences: it chooses a starting point or a list and its
 * fields by their words, and prints the code from the document.
 */
export const builtInAuthor: Builder = {
  kind: 'builder',
  name: 'Koda builder (built in)',
  canRepair: false,
  canResume: (transcript) => transcript.length === 0,
  // The words decide, or a single list is proposed. Only a rejected plan leaves open what is wanted.
  ask: ({ phase }) => (phase === 'question' ? afterRejection : null),
  plan: proposed,
  revise: ({ plan }) => {
    if (plan === null) throw new KodaError('GENERATION_FAILED', 'There is no plan to change.');
    return { callId: null, content: wordsAreNotRead, plan };
  },
  write: written,
};

const wordsAreNotRead =
  'I cannot change an app by words yet, so I left it as it is. Under Structure you can add, rename and remove lists, fields, pages and views, and choose the theme.';

const afterRejection: Question = {
  callId: null,
  content: 'What should the app keep track of?',
  options: startingPoints.slice(0, 8).map(({ id, name, text }) => ({ id, label: name, description: text })),
};

function proposed(facts: AuthorContext): Proposal {
  const plan = proposedPlan(facts);
  return { callId: null, content: `${plan.title}: ${plan.summary}.${plan.caveat === null ? '' : ` ${plan.caveat}`}`, plan };
}

function proposedPlan({ hints, prompt, settled }: AuthorContext): PlanDraft {
  const answer = answerIn(settled);
  if (answer !== null) return planFor(answer);
  const { document, start } = appHintsSchema.parse(hints);
  if (document !== undefined) return planOf(newApp(document, start ?? null));
  const chosen = start === undefined ? null : startingPoint(start);
  return chosen === null ? planFor(prompt) : planOfStart(chosen);
}

/** Returns the answer to the question after a rejected plan, or `null` if none was rejected. */
function answerIn(settled: AuthorContext['settled']): string | null {
  const response = settled.findLast(({ approval }) => approval.type === 'question')?.response;
  switch (response?.outcome) {
    case 'option':
      return response.optionId;
    case 'free_text':
      return response.text;
    default:
      return null;
  }
}

const planOfStart = ({ document, id }: StartingPoint) => planOf(newApp(document, id));

/** Returns the plan of the starting point with this id, or of the app that the words lead to, or else of a single list. */
function planFor(words: string): PlanDraft {
  const start = startingPoint(words);
  if (start !== null) return planOfStart(start);
  const [best, ...others] = suggestionsFor(words, startingPoints, { currency: 'GBP' });
  if (best !== undefined) {
    const caveat = others.length === 0 ? null : `It could also be: ${others.map(({ name }) => name).join(', ')}.`;
    return planOf(newApp(best.document, best.id === ownListId ? null : best.id), caveat === null ? {} : { caveat });
  }
  const document = singleList(words);
  const caveat = `I assumed a list “${document.name}” with a name, a note and a tick for what is done, because the words name nothing that I know. Change the fields before you build it.`;
  return planOf(newApp(document), { caveat });
}

const maxNameCharacters = 40;

function singleList(words: string): AppDocument {
  const line = words.replace(/\s+/g, ' ').trim();
  const cut = line.slice(0, maxNameCharacters);
  const whole = line.length > maxNameCharacters && cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  // The cut may leave half of a surrogate pair at the end.
  const name =
    whole
      .replace(/\p{Cs}$/u, '')
      .replace(/[.!?,;:]+$/, '')
      .trim() || 'My list';
  const list: List = {
    id: 'items',
    name,
    one: 'entry',
    fields: [
      { id: 'name', name: 'Name', type: 'text', needed: true },
      { id: 'note', name: 'Note', type: 'longtext' },
      { id: 'done', name: 'Done', type: 'yesno' },
    ],
  };
  return {
    version: 1,
    name,
    theme: 'studio',
    mode: 'system',
    icon: 'list',
    lists: [list],
    pages: [{ id: 'items', name, icon: 'list', views: [{ view: 'table', id: 'items', list: 'items' }] }],
  };
}

async function written(assignment: Assignment, run: AuthorRun): Promise<Written | null> {
  const { context, todo } = assignment;
  const { plan } = context;
  if (plan === null) throw new KodaError('GENERATION_FAILED', 'Nothing to build: the project has no plan.');
  if (changeMessageId(todo.key) !== null) return unchanged(wordsAreNotRead);
  switch (todo.key) {
    case appTodos.validate: {
      const problems = problemsOf(plan);
      if (problems.length === 0) return null;
      throw new KodaError('INVALID_PLAN', `The app cannot be built. ${problems.join(' ')}`, { details: { reasons: problems } });
    }
    case appTodos.analyse:
    case appTodos.generate:
      await run.showText(differenceIn(await printedChanges(readableApp(plan), await assignment.files())), { isEnd: false });
      return null;
    case appTodos.write:
      return await writtenApp(readableApp(plan), await assignment.files(), run);
    default:
      return null;
  }
}

function unchanged(message: string): Written {
  const task = { task: 'modify_existing' as const, files: ['src/app.json'], change: 'Read the message.' };
  return { files: [], deleted: [], summary: message, task, plan: null, message };
}

type Changes = { readonly write: readonly SourceFile[]; readonly remove: readonly string[] };

async function printedChanges(app: StoredApp, files: readonly SourceFile[]): Promise<Changes> {
  const texts = new Map(files.map(({ path, content }) => [path, content]));
  const read = async (path: string) => texts.get(path) ?? null;
  return (await changesToFollow(app, read, { writesFirst: true })) ?? { write: [], remove: [] };
}

function differenceIn({ write, remove }: Changes): string {
  if (write.length + remove.length === 0) return 'All files are as in the document';
  const removed = remove.length === 0 ? '' : `, ${countOf(remove.length, 'file')} to delete`;
  return `${countOf(write.length, 'file')} to write${removed}`;
}

async function writtenApp(app: StoredApp, files: readonly SourceFile[], run: AuthorRun): Promise<Written> {
  const { write, remove } = await printedChanges(app, files);
  const samples = (await hasRecords(run)) ? [] : samplesOf(app);
  const written = [...write, ...samples];
  const { lists, pages } = app.document;
  return {
    files: written,
    deleted: [...remove],
    summary: `“${app.document.name}”: ${countOf(lists.length, 'list')} and ${countOf(pages.length, 'page')} in ${countOf(written.length, 'file')}.`,
    task: { task: 'initial_setup', style: app.document.theme },
    plan: null,
    message: null,
  };
}

function samplesOf(app: StoredApp): SourceFile[] {
  const { document, start } = app;
  const point = start === null ? null : startingPoint(start);
  const now = new Date();
  const options = { nowMs: now.getTime(), newId: () => randomBytes(8).toString('hex'), isSample: true };
  const content = newJournal(point === null ? ownSamples(app) : sampleRecords(point, document, now), options);
  return content === '' ? [] : [{ path: journalPath, content }];
}

/** Returns whether the app has data already, which samples must not replace. */
async function hasRecords(run: AuthorRun): Promise<boolean> {
  const call = { id: newId('call'), name: 'match_glob', input: { pattern: `/${journalPath}` } };
  const { result } = await run.callTool(call, { services: noServices });
  if (result.status !== 'completed')
    throw new KodaError('GENERATION_FAILED', 'The project’s files cannot be searched, so its data might be overwritten.', {
      recovery: 'retry',
    });
  return foundSchema.parse(result.output).paths.length > 0;
}

const foundSchema = z.object({ paths: z.array(z.string()) });
