import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cycleKindId, cycleTodos, maxSpecificationBytes, sourceFolder, specificationProblem } from '#contract/cycle.ts';
import { errorCodeSchema, errorMessage, KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { maxTodoAttempts } from '#contract/project.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { type CommandContext, pageTimeoutMs, StudioClient, saveDownload } from './client.ts';
import { applyChanges, conflictsIn, cycleFolder, isInterrupted, keepResult, recoverChanges } from './cycle/apply.ts';
import { readResult, zipOf } from './cycle/archive.ts';
import { commitOnBranch, requireNewBranch } from './cycle/branch.ts';
import { type DiffStat, patchOf, statsOf } from './cycle/diff.ts';
import { type Failure, type Graph, runGraph, type Update } from './cycle/graph.ts';
import { type LocalStudio, startLocalStudio } from './cycle/local-studio.ts';
import { type Change, changesBetween, type LocalTree, ownPath, readTree } from './cycle/tree.ts';

export interface CycleOptions {
  readonly id: string;
  readonly root: string;
  readonly dryRun: boolean;
  readonly keepSandbox: boolean;
  /** New branch for the result, which then does not change the work tree. */
  readonly branch: string | null;
  readonly local: boolean;
}

/** State of a cycle, in the names that the console and scripts show (C2). */
interface CycleState {
  readonly spec_content: string;
  readonly modified_files: readonly string[];
  readonly project_id: string | null;
  readonly tests: 'pending' | 'failed' | 'passed';
}

/** Everything that a cycle reads before it starts, and does not change. */
interface Cycle {
  readonly options: CycleOptions;
  readonly root: string;
  readonly tree: LocalTree;
  readonly context: CommandContext;
  /** Folder for the backup and for a result that could not be applied. */
  readonly folder: string;
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
const importTimeoutMs = 10 * 60_000;
const teardownTimeoutMs = 120_000;
/** Setup, and each attempt at each todo. */
const maxSteps = 1 + Object.keys(cycleTodos).length * maxTodoAttempts;

const localWarning = [
  '⚠ --local: NO ISOLATION. The coder’s commands and the tests run on this machine with your permissions.',
  '  They can read and change everything that you can. Use it only for specifications and code that you trust.',
];

/** Implements a specification of a repository in its `src/`, and brings the result back (C1). */
export async function runCycle(
  options: CycleOptions,
  { url, terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'> & { url: string },
): Promise<void> {
  const { root, specification, tree } = readInput(options, terminal);
  for (const line of tree.leftOut) terminal.note(line);
  signal.throwIfAborted();
  let studio: LocalStudio | null = null;
  if (options.local) {
    for (const line of localWarning) terminal.note(line);
    studio = await startLocalStudio();
  }
  try {
    const client = new StudioClient(studio?.url ?? url);
    const folder = cycleFolder(root, options.id, new Date());
    const cycle: Cycle = { options, root, tree, folder, context: { client, terminal, signal } };
    const initial: CycleState = { spec_content: specification, modified_files: [], project_id: null, tests: 'pending' };
    const progress = new Progress(cycle.context);
    try {
      await runGraph(cycleGraph(cycle, progress), initial, {
        signal,
        onStep: (name, visit) => terminal.note(visit === 1 ? `[${name}]` : `[${name}] attempt ${visit}`),
      });
    } finally {
      await progress.close();
    }
  } finally {
    await studio?.stop();
  }
}

/** Reads and validates everything local. Throws before anything has started. */
function readInput(options: CycleOptions, terminal: CommandContext['terminal']) {
  const { id, branch, dryRun, local, keepSandbox } = options;
  if (!idPattern.test(id))
    throw invalid(`--id ${JSON.stringify(id.slice(0, 80))} is not valid. Use 1 to 64 letters, digits, “_” and “-”.`);
  if (dryRun && branch !== null) throw invalid('--dry-run changes nothing, so it cannot be combined with --branch.');
  if (local && keepSandbox) throw invalid('--local removes its studio at the end, so it cannot be combined with --keep-sandbox.');
  const root = resolve(options.root);
  const specification = readSpecification(root, id);
  if (branch !== null) requireNewBranch(root, branch);
  if (dryRun && isInterrupted(root))
    throw new KodaError(
      'CONFLICT',
      `A cycle in ${root} was interrupted. Run one without --dry-run, which recovers its files first.`,
    );
  if (!dryRun) for (const line of recoverChanges(root)) terminal.note(line);
  return { root, specification, tree: readTree(root) };
}

function readSpecification(root: string, id: string): string {
  const path = `dev_documents/CYCLE${id}/SPEC.md`;
  const place = ownPath(root, path);
  let content: Buffer;
  try {
    content = readFileSync(place);
  } catch (cause) {
    throw new KodaError('FORBIDDEN', `${path} cannot be read: ${errorMessage(cause)}.`, { cause });
  }
  const problem = specificationProblem(content.toString('utf8'));
  if (problem !== null)
    throw invalid(
      `${path} cannot be used, because ${problem}. Describe what to build in at most ${maxSpecificationBytes / 1024} KiB of text.`,
    );
  return content.toString('utf8');
}

/** The steps in order, with a loop from CODING to itself while tests fail. The server limits the attempts. */
function cycleGraph(cycle: Cycle, progress: Progress): Graph<'SETUP_SANDBOX' | 'CODING', CycleState> {
  return {
    start: 'SETUP_SANDBOX',
    maxSteps,
    steps: {
      SETUP_SANDBOX: { run: (state, update) => setUp(cycle, state, update), next: () => 'CODING' },
      CODING: {
        run: async (state, update) => void update({ tests: await progress.nextOutcome(idIn(state)) }),
        next: ({ tests }) => (tests === 'failed' ? 'CODING' : 'end'),
      },
    },
    last: { name: 'SYNC_BACK_AND_TEARDOWN', run: (state, failure, update) => syncBackAndTearDown(cycle, state, failure, update) },
  };
}

async function setUp({ options, tree, context }: Cycle, state: CycleState, update: Update<CycleState>): Promise<void> {
  const { client, terminal, signal } = context;
  terminal.note(`  Sending SPEC.md and ${counted(tree.files.size, 'file')}…`);
  const content = new Blob([await zipOf(tree, state.spec_content)]);
  // Not cancelled: the answer has the id of the project, which is needed to remove its sandbox.
  const limit = AbortSignal.timeout(importTimeoutMs);
  const project = await client.import({ name: `CYCLE${options.id}.zip`, content }, { signal: limit, kind: cycleKindId });
  update({ project_id: project.id });
  terminal.note(`  Project ${project.id}: ${client.url}/p/${project.id}`);
  signal.throwIfAborted();
  const call = { id: project.id, name: 'list_files', body: { path: '.' } };
  const { result } = await client.call(routes.callTool, call, { timeoutMs: pageTimeoutMs, signal });
  if (result.status === 'error') throw new KodaError('SANDBOX_DEAD', `The sandbox could not be started: ${result.message}`);
  terminal.note('  The sandbox is ready.');
}

/** Follows the events of a project from one outcome of its tests to the next. */
class Progress {
  readonly #context: CommandContext;
  #events: AsyncIterator<ProjectEvent, unknown> | null = null;
  #attempts = new Map<string, number>();

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Returns after the next check of the tests. Throws if the project fails or waits for something else than its acceptance. */
  async nextOutcome(projectId: string): Promise<'failed' | 'passed'> {
    const { client, terminal, signal } = this.#context;
    this.#events ??= client.events(projectId, { afterSeq: 0, signal })[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#events.next();
      if (next.done === true)
        throw new KodaError('SERVICE_UNAVAILABLE', 'The studio ended the event stream. Check that it is running.');
      const event = next.value;
      if (event.type === 'error')
        throw new KodaError(errorCodeSchema.safeParse(event.code).data ?? 'GENERATION_FAILED', event.message, {
          recovery: 'retry',
        });
      if (event.type === 'approval.requested') {
        if (event.approval.type === 'preview') return 'passed';
        throw new KodaError('GENERATION_FAILED', `The project asks a question: ${event.approval.content}`);
      }
      show(event, terminal);
      if (event.type === 'todo.updated' && this.#isAnotherAttempt(event.todos)) return 'failed';
    }
  }

  /** Closes the connection, which would otherwise keep the process alive. */
  async close(): Promise<void> {
    await this.#events?.return?.();
  }

  #isAnotherAttempt(todos: Extract<ProjectEvent, { type: 'todo.updated' }>['todos']): boolean {
    const isRepeated = todos.some(({ id, attempts, status }) => {
      const before = this.#attempts.get(id) ?? 0;
      return status === 'active' && before > 0 && attempts > before;
    });
    this.#attempts = new Map(todos.map(({ id, attempts }) => [id, attempts]));
    return isRepeated;
  }
}

function show(event: ProjectEvent, terminal: CommandContext['terminal']): void {
  switch (event.type) {
    case 'thinking':
      if (event.text !== null) terminal.progress(`  ${event.text}`);
      break;
    case 'todo.updated': {
      const active = event.todos.find(({ status }) => status === 'active');
      if (active !== undefined) terminal.progress(`  ${active.title}`);
      break;
    }
    case 'message.added':
      if (event.message.role === 'assistant') terminal.note(`  ${event.message.content}`);
      break;
    case 'tool.finished':
      terminal.note(`  ${event.name}: ${(event.error?.message ?? event.summary).split('\n', 1)[0]}`);
      break;
    default:
      break;
  }
}

/** Brings the result back if there is one. Then it removes the sandbox, whatever happened. */
async function syncBackAndTearDown(
  cycle: Cycle,
  state: CycleState,
  failure: Failure | null,
  update: Update<CycleState>,
): Promise<void> {
  try {
    if (failure === null) await syncBack(cycle, idIn(state), update);
    else cycle.context.terminal.note(`  Nothing in ${sourceFolder}/ was changed.`);
  } finally {
    await tearDown(cycle, state);
  }
}

async function syncBack(cycle: Cycle, projectId: string, update: Update<CycleState>): Promise<void> {
  const { options, root, context, folder } = cycle;
  const { client, terminal, signal } = context;
  const changes = await changesOf(projectId, cycle);
  update({ modified_files: changes.map(({ path }) => path) });
  if (options.dryRun) {
    const patch = await patchOf(changes);
    if (patch !== '') terminal.result(patch.trimEnd());
    terminal.note(`  Dry run: ${counted(changes.length, 'file')} would change. Nothing was changed.`);
    return;
  }
  const stats = await statsOf(changes);
  signal.throwIfAborted();
  if (options.branch !== null) {
    const commit = commitOnBranch(root, options.branch, changes, `Implement cycle ${options.id}`);
    terminal.note(`  Committed ${commit.slice(0, 12)} on the branch ${options.branch}. The work tree is unchanged.`);
  } else if (changes.length > 0) {
    apply(root, folder, changes, terminal);
  }
  for (const line of summaryOf(stats)) terminal.result(line);
  const accept = { id: projectId, body: { action: 'accept' as const, renderFinal: false } };
  // The files are changed, so a studio that is gone now makes no difference to the result.
  await client.call(routes.decidePreview, accept).catch((error: unknown) => terminal.note(`  ${errorMessage(error)}`));
}

function apply(root: string, folder: string, changes: readonly Change[], terminal: CommandContext['terminal']): void {
  const conflicts = conflictsIn(root, changes);
  if (conflicts.length > 0) {
    const result = keepResult(root, folder, changes);
    throw new KodaError(
      'CONFLICT',
      `Nothing was applied, because these files have changed since the cycle started: ${conflicts.join(', ')}. The result is in ${result}.`,
    );
  }
  const { kept } = applyChanges(root, folder, changes);
  for (const path of kept)
    terminal.note(`  ${path} was edited while the result was applied, and kept. The new content is in ${folder}/result.`);
  terminal.note(`  The old files are in ${join(folder, 'backup')}.`);
}

async function changesOf(projectId: string, { tree, context }: Cycle): Promise<Change[]> {
  const folder = await mkdtemp(join(tmpdir(), 'koda-cycle-'));
  try {
    const archive = join(folder, 'result.zip');
    await saveDownload(routeUrl(routes.archive, { id: projectId }), archive, context);
    return changesBetween(tree, await readResult(archive, tree));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A failure is reported and never replaces the cycle's own result or error. */
async function tearDown({ options, context }: Cycle, { project_id: id }: CycleState): Promise<void> {
  const { client, terminal } = context;
  if (id === null) return;
  if (options.keepSandbox) {
    terminal.note(`  The sandbox stays: ${client.url}/p/${id}`);
    return;
  }
  try {
    const limit = { timeoutMs: teardownTimeoutMs, signal: AbortSignal.timeout(teardownTimeoutMs) };
    await client.call(routes.stop, { id }, limit);
    await client.call(routes.removeSandbox, { id }, limit);
    terminal.note('  The sandbox is removed.');
  } catch (error) {
    terminal.note(`  The sandbox could not be removed: ${errorMessage(error)} The studio removes it once it has been idle.`);
  }
}

function summaryOf(stats: readonly DiffStat[]): string[] {
  if (stats.length === 0) return ['No files changed.'];
  const width = Math.max(...stats.map(({ path }) => path.length));
  const lines = stats.map(({ path, status, added, deleted }) => {
    const count = added === null || deleted === null ? 'binary' : `+${added} -${deleted}`;
    return `${status}  ${path.padEnd(width)}  ${count}`;
  });
  const sum = (key: 'added' | 'deleted') => stats.reduce((total, stat) => total + (stat[key] ?? 0), 0);
  return [...lines, `${counted(stats.length, 'file')} changed, ${sum('added')} lines added, ${sum('deleted')} deleted.`];
}

function idIn({ project_id: id }: CycleState): string {
  if (id === null) throw new Error('The cycle has no project.');
  return id;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const invalid = (message: string) => new KodaError('VALIDATION_ERROR', message);
