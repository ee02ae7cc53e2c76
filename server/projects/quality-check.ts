import type { EventBody } from '#contract/events.ts';
import { maxTodoAttempts, type Todo } from '#contract/project.ts';
import type { KindDefinition } from '../kinds/kind.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { CheckFailure, CheckReport } from '../tools/context.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { newMessage } from './phases.ts';

const maxShownProblems = 3;
const maxProblemCharacters = 400;

interface CheckCall {
  readonly core: ProjectCore;
  readonly canRepair: boolean;
  readonly projectId: string;
  readonly open: () => Promise<{ sandbox: Sandbox }>;
  readonly signal: AbortSignal;
}

/**
 * Checks the whole project. During a final step, a failure counts as an attempt at that todo. Errors from the sandbox
 * propagate, because they say nothing about the work.
 */
export async function checkAll(
  call: CheckCall,
  { contactSheet }: { contactSheet: boolean },
): Promise<CheckReport & { readonly failure: CheckFailure | null }> {
  const { core, projectId } = call;
  const state = await core.store.state(projectId);
  const todo = state.todos.find(({ status }) => status === 'active');
  const report = await check(call, state, null, { reuse: false, contactSheet });
  const isItsWork = todo !== undefined && kindOf(core, state.project).isFinalStep(todo.key);
  const failure = report.problems.length > 0 && isItsWork ? await countFailure(call, todo.id, report) : null;
  return { ...report, failure };
}

/**
 * Checks the files before a todo is done, or if `null`, before the work is shown. Returns `null` if they pass. Skips files
 * that have already passed. Errors from the sandbox propagate.
 */
export async function checkBeforeDone(call: CheckCall, todoId: string | null): Promise<CheckFailure | null> {
  const { core, canRepair, projectId } = call;
  const state = await core.store.state(projectId);
  if (state.plan === null) return null;
  const kind = kindOf(core, state.project);
  const todo = todoId === null ? closingTodo(state.todos, kind) : state.todos.find(({ id }) => id === todoId);
  if (todoId !== null && todo === undefined) return null;
  const key = todoId === null ? null : (todo?.key ?? null);
  const { isWhole } = kind.check.scopeOf(key);
  // An author that cannot repair its work does not benefit from early checks.
  if (!isWhole && !canRepair) return null;
  const report = await check(call, state, key, { reuse: true, contactSheet: false });
  if (report.problems.length > 0) return await countFailure(call, todo?.id ?? null, report);
  if (!canRepair && report.differences.length > 0) await reportDifferences(core, state, report.differences);
  const warnings = [...report.warnings, ...report.differences];
  // Reported once, and only to an author that can act on it, so that a warning never fails the work.
  const isNew = warnings.length > 0 && canRepair && todoId !== null && core.passedChecks.isFirstWarning(projectId, todoId);
  return isNew ? { title: todo?.title ?? null, problems: [], warnings, attempts: null } : null;
}

/** Returns the todo that shows the work: the active one, or the last final step. */
function closingTodo(todos: readonly Todo[], kind: KindDefinition): Todo | undefined {
  return todos.find(({ status }) => status === 'active') ?? todos.findLast(({ key }) => kind.isFinalStep(key));
}

async function check(
  { core, projectId, open, signal }: CheckCall,
  state: ProjectState,
  todoKey: string | null,
  { reuse, contactSheet }: { reuse: boolean; contactSheet: boolean },
): Promise<CheckReport> {
  const { plan } = state;
  const nothing = { problems: [], warnings: [], differences: [], info: null, contactSheet: null };
  if (plan === null) return nothing;
  const kind = kindOf(core, state.project);
  const scope = kind.check.scopeOf(todoKey);
  const { sandbox } = await open();
  const { revision } = await sandbox.changes({ since: 0, signal });
  const files = `${sandbox.id} ${revision} ${plan.revision}`;
  if (reuse && core.passedChecks.covers(projectId, files, scope)) return nothing;
  const unfinished =
    !scope.isWhole && state.todos.some(({ key, status }) => key !== todoKey && status === 'pending' && !kind.isFinalStep(key));
  const report = await kind.check.run(sandbox, { plan, scope, unfinished, contactSheet }, { signal });
  // Files that could not be checked because the page cannot be built yet have not passed.
  if (report.problems.length === 0 && report.info !== null) core.passedChecks.add(projectId, files, scope);
  return report;
}

/** Counts a failed attempt at a todo. The last one fails the todo and shows the user the reason. */
export async function countFailure(
  { core, projectId }: Pick<CheckCall, 'core' | 'projectId'>,
  todoId: string | null,
  { problems, warnings }: Pick<CheckReport, 'problems' | 'warnings'>,
): Promise<CheckFailure> {
  return await core.lock.run(projectId, async () => {
    const { todos } = await core.store.state(projectId);
    const todo = todos.find(({ id }) => id === todoId);
    if (todo === undefined) return { title: null, problems, warnings, attempts: null };
    const attempt = Math.max(1, todo.attempts);
    const isLast = attempt >= maxTodoAttempts;
    // Reactivates a repaired todo, so that the model's own update does not count as another attempt.
    const status = todos.some((other) => other.status === 'active') ? todo.status : 'active';
    const changed: Todo = { ...todo, attempts: isLast ? attempt : attempt + 1, status: isLast ? 'failed' : status };
    const bodies: EventBody[] = [{ type: 'todo.updated', todos: todos.map((other) => (other.id === todo.id ? changed : other)) }];
    if (isLast) bodies.push({ type: 'message.added', message: newMessage('assistant', giveUpMessage(problems)) });
    await core.store.record(projectId, bodies);
    return { title: todo.title, problems, warnings, attempts: { made: attempt, left: isLast ? 0 : maxTodoAttempts - attempt } };
  });
}

async function reportDifferences(core: ProjectCore, { project }: ProjectState, differences: readonly string[]): Promise<void> {
  const projectId = project.id;
  const text = [`The ${kindOf(core, project).noun} differs from its plan:`, ...differences.map((line) => `- ${line}`)].join('\n');
  await core.lock.run(projectId, async () => {
    await core.store.record(projectId, [{ type: 'message.added', message: newMessage('assistant', text) }]);
  });
}

function giveUpMessage(problems: readonly string[]): string {
  const first = problems.slice(0, maxShownProblems).map((problem) => `- ${problem.slice(0, maxProblemCharacters)}`);
  const more = problems.length > first.length ? [`- and ${problems.length - first.length} more`] : [];
  return [
    `I tried ${maxTodoAttempts} times, but these problems remain:`,
    ...first,
    ...more,
    'Retry, or tell me what to change.',
  ].join('\n');
}
