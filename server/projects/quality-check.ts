import type { EventBody } from '#contract/events.ts';
import { maxTodoAttempts, type Todo } from '#contract/project.ts';
import type { KindDefinition } from '../authors/kind.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import { type CheckReport, checkWork } from '../tools/checks/check-work.ts';
import type { Refusal } from '../tools/context.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { newMessage } from './phases.ts';

/** Of the problems that a failed todo still has, in the message to the user. */
const maxShownProblems = 3;
const maxProblemCharacters = 400;

interface CheckCall {
  readonly core: ProjectCore;
  /** Whether the author can mend what the check finds. */
  readonly mends: boolean;
  readonly projectId: string;
  /** The project's sandbox, its files complete. */
  readonly open: () => Promise<{ sandbox: Sandbox }>;
  readonly signal: AbortSignal;
}

/**
 * Checks the whole project and says what is wrong. While a todo is at work that looks at the finished film, a failure
 * counts as an attempt of that todo. Throws what the sandbox throws: what could not be checked is no failure of the work.
 */
export async function checkFilm(
  call: CheckCall,
  { picture }: { picture: boolean },
): Promise<CheckReport & { readonly refusal: Refusal | null }> {
  const { core, projectId } = call;
  const state = await core.store.state(projectId);
  const todo = state.todos.find(({ status }) => status === 'active');
  const report = await check(call, state, null, { reuse: false, picture });
  const isItsWork = todo !== undefined && kindOf(core, state.project).isClosing(todo.key);
  const refusal = report.problems.length > 0 && isItsWork ? await countFailure(call, todo.id, report) : null;
  return { ...report, refusal };
}

/**
 * Whether the files are good enough for a todo to count as done, or with `null` for the film to be shown. Null = they
 * are. Files that have passed are not checked again. Throws what the sandbox throws.
 */
export async function refuseUnchecked(call: CheckCall, todoId: string | null): Promise<Refusal | null> {
  const { core, mends, projectId } = call;
  const state = await core.store.state(projectId);
  if (state.plan === null) return null;
  const kind = kindOf(core, state.project);
  const todo = todoId === null ? filmTodo(state.todos, kind) : state.todos.find(({ id }) => id === todoId);
  // The caller reports a todo that does not exist.
  if (todoId !== null && todo === undefined) return null;
  const key = todoId === null ? null : (todo?.key ?? null);
  const { wholeFilm } = kind.checkFor(key, state.plan);
  // An author that cannot mend its work has nothing from an early verdict; the finished film is looked at all the same.
  if (!wholeFilm && !mends) return null;
  const report = await check(call, state, key, { reuse: true, picture: false });
  if (report.problems.length > 0) return await countFailure(call, todo?.id ?? null, report);
  if (!mends && report.differences.length > 0) await tellDifferences(core, projectId, report.differences);
  const remarks = [...report.remarks, ...report.differences];
  // Reported once, so that a matter of taste can never bring a film to its end, and only to an author that can change it.
  const isNews = remarks.length > 0 && mends && todoId !== null && core.passedChecks.isFirstRemark(projectId, todoId);
  return isNews ? { title: todo?.title ?? null, problems: [], remarks, attempts: null } : null;
}

/** The todo whose work it is to show the film: the one at work, or the last of those that look at the film. */
function filmTodo(todos: readonly Todo[], kind: KindDefinition): Todo | undefined {
  return todos.find(({ status }) => status === 'active') ?? todos.findLast(({ key }) => kind.isClosing(key));
}

async function check(
  { core, projectId, open, signal }: CheckCall,
  state: ProjectState,
  todoKey: string | null,
  { reuse, picture }: { reuse: boolean; picture: boolean },
): Promise<CheckReport> {
  const { plan } = state;
  const nothing = { problems: [], remarks: [], differences: [], info: null, contactSheet: null };
  if (plan === null) return nothing;
  const kind = kindOf(core, state.project);
  const scope = kind.checkFor(todoKey, plan);
  const { sandbox } = await open();
  const { revision } = await sandbox.changes({ since: 0, signal });
  const files = `${sandbox.id} ${revision} ${plan.revision}`;
  if (reuse && core.passedChecks.covers(projectId, files, scope)) return nothing;
  const unfinished =
    !scope.wholeFilm && state.todos.some(({ key, status }) => key !== todoKey && status === 'pending' && !kind.isClosing(key));
  const report = await checkWork(sandbox, { film: plan, scope, unfinished, picture }, { signal });
  // What was not looked at, since the page cannot be made yet, has not passed either.
  if (report.problems.length === 0 && report.info !== null) core.passedChecks.add(projectId, files, scope);
  return report;
}

/** Counts a failed attempt at a todo; the last one ends the todo, and a message tells the user why. */
export async function countFailure(
  { core, projectId }: Pick<CheckCall, 'core' | 'projectId'>,
  todoId: string | null,
  { problems, remarks }: Pick<CheckReport, 'problems' | 'remarks'>,
): Promise<Refusal> {
  return await core.lock.run(projectId, async () => {
    const { todos } = await core.store.state(projectId);
    const todo = todos.find(({ id }) => id === todoId);
    if (todo === undefined) return { title: null, problems, remarks, attempts: null };
    const attempt = Math.max(1, todo.attempts);
    const isLast = attempt >= maxTodoAttempts;
    // What is mended is at work, so that saying so does not count as one more attempt.
    const status = todos.some((other) => other.status === 'active') ? todo.status : 'active';
    const changed: Todo = { ...todo, attempts: isLast ? attempt : attempt + 1, status: isLast ? 'failed' : status };
    const bodies: EventBody[] = [{ type: 'todo.updated', todos: todos.map((other) => (other.id === todo.id ? changed : other)) }];
    if (isLast) bodies.push({ type: 'message.added', message: newMessage('assistant', farewell(problems)) });
    await core.store.record(projectId, bodies);
    return { title: todo.title, problems, remarks, attempts: { made: attempt, left: isLast ? 0 : maxTodoAttempts - attempt } };
  });
}

/** An author that cannot mend its film says what it lacks, before anybody sees it. */
async function tellDifferences(core: ProjectCore, projectId: string, differences: readonly string[]): Promise<void> {
  const text = ['The film is not quite what its plan says:', ...differences.map((line) => `- ${line}`)].join('\n');
  await core.lock.run(projectId, async () => {
    await core.store.record(projectId, [{ type: 'message.added', message: newMessage('assistant', text) }]);
  });
}

/** For the user, when a todo is given up. */
function farewell(problems: readonly string[]): string {
  const first = problems.slice(0, maxShownProblems).map((problem) => `- ${problem.slice(0, maxProblemCharacters)}`);
  const more = problems.length > first.length ? [`- and ${problems.length - first.length} more`] : [];
  return [
    `I tried ${maxTodoAttempts} times, and this still stands in the way:`,
    ...first,
    ...more,
    'Retry, or say what should be different.',
  ].join('\n');
}
