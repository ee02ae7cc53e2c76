import type { EventBody } from '#contract/events.ts';
import type { Principal } from '#contract/principal.ts';
import { maxTodoAttempts, type Todo } from '#contract/project.ts';
import type { GenerateCodeTask } from '#contract/tools.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import { remarksOf } from '../tools/code.ts';
import type { CheckFailure, CheckReport } from '../tools/context.ts';
import { buildOf, kindOf, type ProjectCore } from './deps.ts';
import type { Kind } from './kind.ts';
import { newMessage } from './phases.ts';

const maxShownProblems = 3;
/** The user sees them nowhere else. */
const maxShownRemarks = 12;
const maxProblemCharacters = 400;

type CheckOutcome = { readonly failure: CheckFailure | null } & Pick<CheckReport, 'contactSheet'>;

const unchecked: CheckReport = { problems: [], warnings: [], differences: [], info: null, contactSheet: null };
const passed: CheckOutcome = { failure: null, contactSheet: null };

interface CheckCall {
  readonly core: ProjectCore;
  /** Who causes the events. */
  readonly by: Principal;
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
  const report = await check(call, state, null, { reuse: false, typesFirst: false, contactSheet });
  if (report.problems.length === 0) core.passedChecks.keepRemarks(projectId, remarksOf(report));
  const isItsWork = todo !== undefined && buildOf(kindOf(core, state.project)).isFinalStep(todo.key);
  const failure = report.problems.length > 0 && isItsWork ? await countFailure(call, todo.id, report) : null;
  return { ...report, failure };
}

/** Checks what the code generator has written for a task, without counting an attempt. Errors from the sandbox propagate. */
export async function checkGenerated(call: CheckCall, task: GenerateCodeTask): Promise<CheckReport> {
  const state = await call.core.store.state(call.projectId);
  const { generator } = kindOf(call.core, state.project);
  if (state.plan === null || generator === undefined) return unchecked;
  const todoKey = state.todos.find(({ status }) => status === 'active')?.key ?? null;
  const key = generator.checkKey(task, { plan: state.plan, todoKey });
  return await check(call, state, key, { reuse: false, typesFirst: true, contactSheet: true });
}

/**
 * Checks the files before a todo is done, or if `null`, before the work is shown. `failure` is `null` if they pass. Skips files that
 * have already passed: an author that sees images has then seen their frames. Errors from the sandbox propagate.
 */
export async function checkBeforeDone(
  call: CheckCall,
  { todoId, contactSheet }: { todoId: string | null; contactSheet: boolean },
): Promise<CheckOutcome> {
  const { core, canRepair, projectId } = call;
  const state = await core.store.state(projectId);
  if (state.plan === null) return passed;
  const kind = kindOf(core, state.project);
  const todo = todoId === null ? closingTodo(state.todos, kind) : state.todos.find(({ id }) => id === todoId);
  if (todoId !== null && todo === undefined) return passed;
  const key = todoId === null ? null : (todo?.key ?? null);
  if (kind.check === undefined) return passed;
  const { isWhole } = kind.check.scopeOf(key);
  // An author that cannot repair its work does not benefit from early checks.
  if (!isWhole && !canRepair) return passed;
  const report = await check(call, state, key, { reuse: true, typesFirst: false, contactSheet });
  const frames = { contactSheet: report.contactSheet };
  if (report.problems.length > 0) return { failure: await countFailure(call, todo?.id ?? null, report), ...frames };
  if (!canRepair) await reportDifferences(call, kindOf(core, state.project).noun, report.differences);
  const warnings = remarksOf(report);
  // Reported once, and only to an author that can act on it, so that a warning never fails the work.
  const isNew = warnings.length > 0 && canRepair && todoId !== null && core.passedChecks.isFirstWarning(projectId, todoId);
  if (isWhole && report !== unchecked) core.passedChecks.keepRemarks(projectId, warnings);
  if (!isNew && isWhole && canRepair && todoId !== null) await reportRemaining(call);
  return { failure: isNew ? { title: todo?.title ?? null, problems: [], warnings, attempts: null } : null, ...frames };
}

/** Returns the todo that shows the work: the active one, or the last final step. */
function closingTodo(todos: readonly Todo[], kind: Kind): Todo | undefined {
  return todos.find(({ status }) => status === 'active') ?? todos.findLast(({ key }) => buildOf(kind).isFinalStep(key));
}

async function check(
  { core, projectId, open, signal }: CheckCall,
  state: ProjectState,
  todoKey: string | null,
  { reuse, typesFirst, contactSheet }: { reuse: boolean; typesFirst: boolean; contactSheet: boolean },
): Promise<CheckReport> {
  const { plan } = state;
  if (plan === null) return unchecked;
  const kind = kindOf(core, state.project);
  if (kind.check === undefined) return unchecked;
  const scope = kind.check.scopeOf(todoKey);
  const { sandbox } = await open();
  const { revision } = await sandbox.changes({ since: 0, signal });
  const files = `${sandbox.id} ${revision} ${plan.revision}`;
  if (reuse && core.passedChecks.covers(projectId, files, scope)) return unchecked;
  const unfinished =
    !scope.isWhole &&
    state.todos.some(({ key, status }) => key !== todoKey && status === 'pending' && !buildOf(kind).isFinalStep(key));
  const report = await kind.check.run(sandbox, { plan, scope, unfinished, typesFirst, contactSheet }, { signal });
  // Files that could not be checked because the page cannot be built yet have not passed.
  if (report.problems.length === 0 && report.info !== null) core.passedChecks.add(projectId, files, scope);
  return report;
}

/** Counts a failed attempt at a todo. The last one fails the todo and shows the user the reason. */
export async function countFailure(
  { core, by, projectId }: Pick<CheckCall, 'core' | 'by' | 'projectId'>,
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
    await core.store.record(projectId, bodies, { by });
    return { title: todo.title, problems, warnings, attempts: { made: attempt, left: isLast ? 0 : maxTodoAttempts - attempt } };
  });
}

async function reportDifferences(call: CheckCall, noun: string, differences: readonly string[]): Promise<void> {
  if (differences.length === 0) return;
  await tellUser(call, [`The ${noun} differs from its plan:`, ...differences.map((line) => `- ${line}`)].join('\n'));
}

/** Tells the user about the remarks that the author has read and left. */
async function reportRemaining(call: CheckCall): Promise<void> {
  const left = call.core.passedChecks.takeRemarks(call.projectId);
  if (left.length > 0) await tellUser(call, remainingRemarks(left));
}

async function tellUser({ core, by, projectId }: CheckCall, text: string): Promise<void> {
  await core.lock.run(projectId, async () => {
    await core.store.record(projectId, [{ type: 'message.added', message: newMessage('assistant', text) }], { by });
  });
}

function giveUpMessage(problems: readonly string[]): string {
  const lead = `I tried ${maxTodoAttempts} times, but these problems remain:`;
  return [lead, ...shortList(problems, maxShownProblems), 'Retry, or tell me what to change.'].join('\n');
}

function remainingRemarks(remarks: readonly string[]): string {
  return [
    'I left this as it is, although the check remarks on it:',
    ...shortList(remarks, maxShownRemarks),
    'Tell me what to change.',
  ].join('\n');
}

function shortList(findings: readonly string[], max: number): string[] {
  const first = findings.slice(0, max).map((finding) => `- ${finding.slice(0, maxProblemCharacters)}`);
  return findings.length > first.length ? [...first, `- and ${findings.length - first.length} more`] : first;
}
