import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { formatBytes } from '#contract/display.ts';
import { errorCodeSchema, errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { maxTodoAttempts } from '#contract/project.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import {
  cycleKindId,
  cycleTodos,
  maxSpecificationBytes,
  sourceFolder,
  specificationProblem,
} from '#kinds/cycle/contract/cycle.ts';
import { type CommandContext, pageTimeoutMs, StudioClient, saveDownload } from '../../../cli/client.ts';
import { applyChanges, conflictsIn, cycleName, isInterrupted, keepResult, recoverChanges } from './apply.ts';
import { readResult, zipOf } from './archive.ts';
import { commitOnBranch, requireNewBranch } from './branch.ts';
import { type DiffStat, patchOf, statsOf } from './diff.ts';
import { Folder, type TreeFile } from './folder.ts';
import { type LocalStudio, startLocalStudio } from './local-studio.ts';
import { requireNoSecrets } from './secrets.ts';
import { type Change, changesBetween, type LocalTree, readTree } from './tree.ts';

export interface CycleOptions {
  readonly id: string;
  readonly root: string;
  readonly dryRun: boolean;
  readonly keepSandbox: boolean;
  /** New branch for the result, which then does not change the work tree. */
  readonly branch: string | null;
  readonly local: boolean;
  /** Files to send even if git ignores them or they look like secrets. */
  readonly include: readonly string[];
  /** Lists the files that are sent. */
  readonly verbose: boolean;
}

/** Everything that a cycle reads before it starts, and does not change. */
interface Cycle {
  readonly options: CycleOptions;
  readonly root: string;
  readonly specification: string;
  readonly tree: LocalTree;
  readonly context: CommandContext;
  /** Name of the records: the backup, and a result that could not be applied. */
  readonly name: string;
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
const importTimeoutMs = 10 * 60_000;
const teardownTimeoutMs = 120_000;
const maxAttempts = Object.keys(cycleTodos).length * maxTodoAttempts;

const localWarning = [
  '⚠ --local: NO ISOLATION. The coder’s commands and the tests run on this machine with your permissions.',
  '  They can read and change everything that you can. Use it only for specifications and code that you trust.',
];

/** Implements a specification of a repository in its `src/`, and brings the result back. */
export async function runCycle(options: CycleOptions, { client: running, terminal, signal }: CommandContext): Promise<void> {
  const { root, specification, tree } = readInput(options, terminal);
  for (const line of tree.leftOut) terminal.note(line);
  signal.throwIfAborted();
  let studio: LocalStudio | null = null;
  if (options.local) {
    for (const line of localWarning) terminal.note(line);
    studio = await startLocalStudio();
  }
  try {
    const client = studio === null ? running : new StudioClient(studio.url, () => studio.token);
    const name = cycleName(options.id, new Date());
    await runSteps({ options, root, specification, tree, name, context: { client, terminal, signal } });
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
  const repository = repositoryIn(options.root);
  const root = repository.path;
  const specification = readSpecification(repository, id);
  if (branch !== null) requireNewBranch(root, branch);
  if (dryRun && isInterrupted(root))
    throw new KodaError(
      'CONFLICT',
      `A cycle in ${root} was interrupted. Run one without --dry-run, which recovers its files first.`,
    );
  if (!dryRun) for (const line of recoverChanges(root)) terminal.note(line);
  noteOldRecords(repository, terminal);
  const include = new Set(options.include.map((path) => posix.normalize(path)));
  const tree = readTree(root, { include });
  const sent = new Map([[specification.path, specification.file], ...tree.files]);
  const unknown = [...include].find((path) => !sent.has(path));
  if (unknown !== undefined)
    throw invalid(
      `--include ${unknown} is no file below ${sourceFolder}/. Name it from the repository’s folder, as ${sourceFolder}/.env.`,
    );
  requireNoSecrets(sent, include);
  return { root, specification: specification.file.content.toString('utf8'), tree };
}

function repositoryIn(root: string): Folder {
  try {
    return new Folder(root);
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT', 'ENOTDIR')) throw cause;
    throw new KodaError('NOT_FOUND', `The folder ${root} does not exist. Set the repository's folder with --root.`, { cause });
  }
}

/** Earlier versions kept their records in the repository, where its authors can put some too. */
function noteOldRecords(repository: Folder, terminal: CommandContext['terminal']): void {
  if (!repository.stats('.koda')?.isDirectory() || !repository.stats('.koda/cycles')?.isDirectory()) return;
  terminal.note(
    'The records of an earlier version in .koda/cycles are ignored. If it was interrupted, compare src/ with the folders “backup” there by hand. Then delete .koda/cycles.',
  );
}

function readSpecification(repository: Folder, id: string): { path: string; file: TreeFile } {
  const path = `dev_documents/CYCLE${id}/SPEC.md`;
  if (repository.stats(path) === undefined)
    throw new KodaError(
      'NOT_FOUND',
      `${path} does not exist in ${repository.path}. Create it, or set the repository's folder with --root.`,
    );
  let file: TreeFile;
  try {
    file = repository.read(path);
  } catch (cause) {
    if (cause instanceof KodaError) throw cause;
    throw new KodaError('FORBIDDEN', `${path} cannot be read: ${errorMessage(cause)}.`, { cause });
  }
  const problem = specificationProblem(file.content.toString('utf8'));
  if (problem !== null)
    throw invalid(
      `${path} cannot be used, because ${problem}. Describe what to build in at most ${maxSpecificationBytes / 1024} KiB of text.`,
    );
  return { path, file };
}

/** Runs the steps in order. The last one runs whatever happened, and brings the result back if there is one. */
async function runSteps(cycle: Cycle): Promise<void> {
  const { terminal, signal } = cycle.context;
  const progress = new Progress(cycle.context);
  let projectId: string | null = null;
  let isPassed = false;
  try {
    terminal.note('[SETUP_SANDBOX]');
    signal.throwIfAborted();
    projectId = await send(cycle);
    await startSandbox(cycle, projectId);
    for (let attempt = 1; !isPassed; attempt += 1) {
      signal.throwIfAborted();
      if (attempt > maxAttempts) throw endless();
      terminal.note(attempt === 1 ? '[CODING]' : `[CODING] attempt ${attempt}`);
      isPassed = (await progress.nextOutcome(projectId)) === 'passed';
    }
    signal.throwIfAborted();
  } finally {
    terminal.note('[SYNC_BACK_AND_TEARDOWN]');
    try {
      if (projectId !== null && isPassed && !signal.aborted) await syncBack(cycle, projectId);
      else terminal.note(`  Nothing in ${sourceFolder}/ was changed.`);
    } finally {
      if (projectId !== null) await tearDown(cycle, projectId);
      await progress.close();
    }
  }
}

const endless = () =>
  new KodaError(
    'LIMIT_EXCEEDED',
    `The tests failed ${maxAttempts} times, so the cycle was stopped. Split the specification into smaller ones.`,
  );

/** Sends the repository's files, and returns the id of the project that holds them. */
async function send({ options, specification, tree, context }: Cycle): Promise<string> {
  const { client, terminal } = context;
  const sizeBytes = [...tree.files.values()].reduce((total, file) => total + file.content.length, 0);
  terminal.note(`  Sending SPEC.md and ${counted(tree.files.size, 'file')} (${formatBytes(sizeBytes)})…`);
  if (options.verbose) for (const [path, file] of tree.files) terminal.note(`    ${path}  ${formatBytes(file.content.length)}`);
  const content = new Blob([await zipOf(tree, specification)]);
  // Not cancelled: the response has the id of the project, without which nobody can remove its sandbox.
  const limit = AbortSignal.timeout(importTimeoutMs);
  const project = await client.import({ name: `CYCLE${options.id}.zip`, content }, { signal: limit, kind: cycleKindId });
  terminal.note(`  Project ${project.id}: ${client.address}/p/${project.id}`);
  return project.id;
}

async function startSandbox({ context: { client, terminal, signal } }: Cycle, projectId: string): Promise<void> {
  signal.throwIfAborted();
  const call = { id: projectId, name: 'list_files', body: { path: '.' } };
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

async function syncBack(cycle: Cycle, projectId: string): Promise<void> {
  const { options, root, context, name } = cycle;
  const { client, terminal, signal } = context;
  const changes = await changesOf(projectId, cycle);
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
    apply(root, name, changes, terminal);
  }
  for (const line of summaryOf(stats)) terminal.result(line);
  const accept = { id: projectId, body: { action: 'accept' as const, renderFinal: false } };
  // The files are changed, so a studio that is gone now makes no difference to the result.
  await client.call(routes.decidePreview, accept).catch((error: unknown) => terminal.note(`  ${errorMessage(error)}`));
}

function apply(root: string, name: string, changes: readonly Change[], terminal: CommandContext['terminal']): void {
  const conflicts = conflictsIn(root, changes);
  if (conflicts.length > 0) {
    const result = keepResult(root, name, changes);
    throw new KodaError(
      'CONFLICT',
      `Nothing was applied, because these files have changed since the cycle started: ${conflicts.join(', ')}. The result is in ${result}.`,
    );
  }
  const { folder, kept } = applyChanges(root, name, changes);
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
async function tearDown({ options, context }: Cycle, id: string): Promise<void> {
  const { client, terminal } = context;
  if (options.keepSandbox) {
    terminal.note(`  The sandbox stays: ${client.address}/p/${id}`);
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

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const invalid = (message: string) => new KodaError('VALIDATION_ERROR', message);
