import { type AttachedText, messageParts } from '#contract/attached-text.ts';
import { wasStoppedByUser } from '#contract/project.ts';
import { readSurface } from '#contract/surface/messages.ts';
import { valueAt } from '#contract/surface/pointer.ts';
import { questionSurface } from '#contract/surface/question.ts';
import type { Surface, SurfaceMessages } from '#contract/surface/surface.ts';
import type { StartedWork } from '#contract/tool-calls.ts';
import {
  type Answer,
  type AssistantState,
  endWithStarted,
  headingOf,
  type JobId,
  jobNamed,
  type Step,
  stateOf,
  stepsOf,
} from '#kinds/assistant/contract/assistant.ts';
import { type Confirmation, confirmationIn } from '#kinds/assistant/contract/confirmation.ts';
import type { ProjectView } from '../../project/reducer.ts';
import { stateOfAll, type WorkState } from './what-waits.ts';

type Known = Pick<ProjectView, 'project' | 'approval' | 'tools' | 'messages'>;

/** A surface that a step shows: an answered form, the surface of a message, or the current one. */
export type Target =
  | { readonly kind: 'form'; readonly approvalId: string; readonly at: string }
  | { readonly kind: 'message'; readonly messageId: string }
  | { readonly kind: 'now' };

export type StepLook = 'done' | 'started' | 'working' | 'waiting' | 'failed' | 'stopped' | 'adjusted' | 'next';

export interface ShownStep {
  readonly kind: 'step';
  readonly id: string;
  readonly look: StepLook;
  readonly verb: string;
  /** Time of a step that is over. `startedAt` if it is going on. */
  readonly time: { readonly durationMs: number } | { readonly at: string } | { readonly startedAt: string } | null;
  readonly sentence: string | null;
  readonly chip: { readonly title: string; readonly target: Target } | null;
  readonly progress: Progress | null;
}

export type Entry =
  | ShownStep
  | { readonly kind: 'said'; readonly id: string; readonly text: string; readonly files: readonly AttachedText[] }
  | { readonly kind: 'words'; readonly id: string; readonly text: string };

export function surfaceOf(messages: SurfaceMessages | undefined): Surface | null {
  const read = messages === undefined ? null : readSurface(messages);
  return read?.ok ? read.value : null;
}

const progressSurface = 'making-';
const isProgress = ({ surfaceId }: Surface): boolean => surfaceId.startsWith(progressSurface);

export interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

/** Returns what a progress surface counts. `null` for other surfaces. */
export function progressOf(surface: Surface): Progress | null {
  if (!isProgress(surface)) return null;
  const count = (name: string) => {
    const value = valueAt(surface.data, `/progress/${name}`);
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
  };
  const total = count('total');
  return total === 0 ? null : { done: count('done'), failed: count('failed'), total };
}

/** Formats “0 done, 2 failed, 1 to go”. */
export function progressText({ done, failed, total }: Progress): string {
  const left = total - done - failed;
  return [`${done} done`, ...(failed > 0 ? [`${failed} failed`] : []), ...(left > 0 ? [`${left} to go`] : [])].join(', ');
}

/** Returns the job that carries the conversation. `null` if a language model does. */
export const jobOf = ({ project }: Pick<Known, 'project'>): JobId | null => jobNamed(project.prompt)?.id ?? null;

const deletingTools: ReadonlySet<string> = new Set(['delete_videos', 'delete_schedules']);

/**
 * Returns whether the open question is the one before videos or schedules are deleted. Koda draws that itself, so it goes by the call that waits
 * and not by the surface, which a model could imitate.
 */
export function asksToDelete({ approval, tools }: Pick<Known, 'approval' | 'tools'>): boolean {
  const asking = tools.findLast(({ durationMs }) => durationMs === null);
  return approval?.type === 'question' && asking !== undefined && deletingTools.has(asking.name);
}

/** Returns the open question if Koda asks it itself. */
export const confirmationOf = ({ approval }: Pick<Known, 'approval'>): Confirmation | null =>
  approval && confirmationIn(approval);

/** What the conversation is about: the last message that is no answer to a form. */
function requestAt({ messages }: Pick<Known, 'messages'>, answers: readonly Answer[]): string {
  const answered = new Set(answers.map(({ messageId }) => messageId));
  return messages.findLast(({ id, role }) => role === 'user' && !answered.has(id))?.at ?? '';
}

/** `started`: the turn has ended, and what it started goes on in its own project. */
export type ShownState = AssistantState | 'started';

/** States of the films and apps that the last turn has started, by project id. Those that are not loaded yet are missing. */
export type WorkStates = ReadonlyMap<string, WorkState>;

/** Returns the state of an ended turn: that of the work that it started, if any. */
function endOf(known: Known, steps: readonly Step[], states: WorkStates): ShownState {
  const asTold = endWithStarted(steps) ? 'started' : 'done';
  const work = startedIn(known);
  return work.length === 0 ? asTold : stateOfAll(work.map(({ projectId }) => states.get(projectId) ?? asTold));
}

/** The states in their order, and which of them this round of the conversation has passed. */
export function trackOf(
  known: Known,
  answers: readonly Answer[],
  work: WorkStates,
): { readonly state: ShownState; readonly passed: readonly AssistantState[] } {
  const state = stateOf(known);
  const since = requestAt(known, answers);
  const steps = stepsOf(known).filter(({ startedAt }) => startedAt > since);
  const passed: AssistantState[] = [];
  const isEnded = state === 'done' || state === 'failed' || state === 'stopped';
  if (state !== 'thinking') passed.push('thinking');
  if (state !== 'waiting' && answers.some(({ at }) => at > since)) passed.push('waiting');
  if (isEnded && steps.length > 0) passed.push('running');
  const shown = state === 'done' ? endOf(known, steps, work) : state;
  return { state: shown, passed: passed.filter((one) => one !== shown) };
}

const looks = { running: 'working', done: 'done', started: 'started', failed: 'failed' } as const;

const workTexts: Readonly<Record<Exclude<WorkState, 'started'>, string>> = {
  done: 'is finished',
  waiting: 'waits for you',
  failed: 'failed',
  stopped: 'was stopped',
  deleted: 'was deleted',
};

/** Updates a step with the state of the work that it started. */
function withWork(shown: ShownStep, { tool, work, state: called }: Step, states: WorkStates): ShownStep {
  const state = work === null || called === 'failed' ? undefined : states.get(work.projectId);
  if (work === null || state === undefined || state === 'started') return shown;
  const doneVerb = tool === 'make_project' ? 'Made' : 'Changed';
  const verb = state === 'done' ? doneVerb : shown.verb;
  return { ...shown, look: state === 'deleted' ? 'stopped' : state, verb, sentence: `“${work.name}” ${workTexts[state]}` };
}

/** `refused`: calls that the person has refused or stopped, which is no failure. */
function toolStep({ callId, tool, verb, state, startedAt, durationMs, sentence }: Step, refused: ReadonlySet<string>): ShownStep {
  const usual = tool === 'adjust' && state === 'done' ? 'adjusted' : looks[state];
  return {
    kind: 'step',
    id: callId,
    look: refused.has(callId) ? 'stopped' : usual,
    verb,
    time: durationMs === null ? { startedAt } : { durationMs },
    sentence,
    chip: null,
    progress: null,
  };
}

const plain = { kind: 'step', time: null, sentence: null, chip: null, progress: null } as const;

function nowStep(known: Known, state: AssistantState): ShownStep[] {
  const { project, approval } = known;
  switch (state) {
    case 'waiting': {
      const form = surfaceOf(approval?.surface);
      const asked = confirmationOf(known)?.question ?? approval?.content;
      const title = (form && headingOf(form)) || asked || 'A question';
      const shown = approval?.type === 'permission' ? 'May Koda send this?' : title;
      return [{ ...plain, id: 'now', look: 'waiting', verb: 'Waiting for you', chip: { title: shown, target: { kind: 'now' } } }];
    }
    case 'thinking':
      return [{ ...plain, id: 'now', look: 'working', verb: thinkingName(known), sentence: project.thinking }];
    case 'failed':
      return [{ ...plain, id: 'now', look: 'failed', verb: 'Failed', sentence: firstSentence(project.error?.message ?? '') }];
    case 'stopped':
      return [{ ...plain, id: 'now', look: 'stopped', verb: 'Stopped', sentence: 'What was finished is kept.' }];
    case 'running':
    case 'done':
      return [];
  }
}

/** A ready job weighs nothing. */
export const thinkingName = (known: Pick<Known, 'project'>): string => (jobOf(known) === null ? 'Thinking' : 'Preparing');

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

const rendering = ['make the videos', 'a table of results'];
const coming: Readonly<Record<JobId, readonly string[]>> = {
  variants: rendering,
  sizes: rendering,
  'clean-up': ['delete, after you confirm', 'done'],
  schedule: ['make the schedule', 'the next runs'],
};

/** Returns at most two steps that come if the person goes on. */
function nextSteps(known: Known, state: AssistantState): ShownStep[] {
  const job = jobOf(known);
  if (job === null || known.approval?.type === 'permission') return [];
  const all = coming[job];
  const isLate = state === 'running' ? known.tools.at(-1)?.name === 'render_videos' : asksToDelete(known);
  const left = state === 'waiting' || isLate ? all.slice(isLate ? 1 : 0) : [];
  return left.map((what) => ({ ...plain, id: `next-${what}`, look: 'next', verb: `Then: ${what}` }));
}

interface Placed {
  readonly at: string;
  /** Among what has the same time. */
  readonly order: number;
  /** Tool of a step. */
  readonly tool?: string;
  readonly entry: Entry;
}

interface EntriesOptions {
  readonly answers: readonly Answer[];
  /** The last message that `answers` take into account. */
  readonly readUpTo: string | null;
  readonly work: WorkStates;
}

/** Returns what the left column shows, oldest first. */
export function entriesOf(known: Known, { answers, readUpTo, work }: EntriesOptions): readonly Entry[] {
  const state = stateOf(known);
  const steps = stepsOf(known);
  const refused = new Set(known.tools.filter(({ error }) => error?.code === 'CANCELLED').map(({ callId }) => callId));
  // A call that waits for the person has not begun yet.
  const shown = state === 'waiting' ? steps.filter((step) => step.state !== 'running') : steps;
  // A call that has asked begins after the last answer.
  const answeredAt = new Map(answers.map(({ callId, at }) => [callId, at]));
  const placed: Placed[] = shown.map((step) => ({
    at: answeredAt.get(step.callId) ?? step.startedAt,
    order: answeredAt.has(step.callId) ? 1 : 0,
    tool: step.tool,
    entry: withWork(toolStep(step, refused), step, work),
  }));
  const answerOf = new Map(answers.map((answer) => [answer.messageId, answer]));
  const last = known.messages.findIndex(({ id }) => id === readUpTo);
  const stage = stageOf(known, answers);
  for (const [index, message] of known.messages.entries()) {
    const { id, role, content, at } = message;
    const answer = answerOf.get(id);
    if (answer !== undefined) placed.push(...repliesTo(known, answers, answer), { at, order: 0, entry: answeredStep(answer) });
    // A message that came since may be an answer.
    if (role === 'user' && (index <= last || index === 0) && answer?.isInWords !== false) {
      const { words, files } = messageParts(content);
      placed.push({ at, order: 0, entry: { kind: 'said', id, text: words, files } });
    } else if (role === 'assistant') {
      const surface = surfaceOf(message.surface);
      const isNow = stage.kind === 'surface' && stage.surface.surfaceId === surface?.surfaceId;
      const target: Target = isNow ? { kind: 'now' } : { kind: 'message', messageId: id };
      if (surface === null) placed.push({ at, order: 0, entry: { kind: 'words', id, text: content } });
      else if (!joined(placed, { surface, target, at })) {
        const isStarted = endWithStarted(steps.filter(({ startedAt }) => startedAt <= at));
        placed.push({ at, order: 0, entry: surfaceStep({ id, content, surface, target, isStarted }) });
      }
    }
  }
  const sorted = placed
    .toSorted((one, other) => one.at.localeCompare(other.at) || one.order - other.order)
    .map(({ entry }) => entry);
  return [...sorted, ...nowStep(known, state), ...nextSteps(known, state)];
}

/** What was said with a form is the reply if the person had said something since the first message. */
function repliesTo({ messages }: Known, answers: readonly Answer[], { approvalId, says, askedAt }: Answer): Placed[] {
  const before = messages.findLastIndex(({ role, at }) => role === 'user' && at < askedAt);
  const isPress = answers.some(({ messageId, isInWords }) => messageId === messages[before]?.id && !isInWords);
  if (says === '' || before < 1 || isPress) return [];
  return [{ at: askedAt, order: 0, entry: { kind: 'words', id: `says-${approvalId}`, text: says } }];
}

function answeredStep({ approvalId, isInWords, title, at }: Answer): ShownStep {
  const chip = { title, target: { kind: 'form', approvalId, at } } as const;
  const verb = isInWords ? 'You answered in words' : 'You answered';
  return { ...plain, id: approvalId, look: 'done', verb, time: { at }, chip };
}

interface SurfaceMessage {
  readonly id: string;
  readonly content: string;
  readonly surface: Surface;
  readonly target: Target;
  /** Whether it is about work that goes on. */
  readonly isStarted: boolean;
}

function surfaceStep({ id, content, surface, target, isStarted }: SurfaceMessage): ShownStep {
  const title = headingOf(surface) || content;
  const isResult = surface.surfaceId.endsWith('-result') && !isStarted;
  return { ...plain, id, look: 'done', verb: isResult ? 'Done' : 'Shown', chip: { title, target } };
}

interface ProgressMessage {
  readonly surface: Surface;
  readonly target: Target;
  readonly at: string;
}

/** Puts a progress surface on the step that shows it: the last one that had begun by then. Returns false if there is none. */
function joined(placed: Placed[], { surface, target, at }: ProgressMessage): boolean {
  const progress = progressOf(surface);
  const step = placed.findLast((one) => one.tool === 'render_videos' && one.at <= at);
  if (step?.entry.kind !== 'step' || progress === null) return false;
  const isWorking = step.entry.look === 'working';
  const sentence = isWorking ? progressText(progress) : step.entry.sentence;
  const chip = { title: headingOf(surface), target };
  const entry = { ...step.entry, sentence, chip, progress: isWorking ? progress : null };
  placed[placed.indexOf(step)] = { ...step, entry };
  return true;
}

/** What the stage shows. */
export type Stage =
  | { readonly kind: 'permission' | 'deletion' | 'failed' | 'stopped' | 'thinking' }
  | ({ readonly kind: 'confirmation' } & Confirmation)
  | {
      readonly kind: 'surface';
      readonly surface: Surface;
      readonly title: string;
      /** What is said with it. `null` if that is the title. */
      readonly says: string | null;
      readonly isQuestion: boolean;
    }
  | { readonly kind: 'words'; readonly text: string };

export function stageOf(known: Known, answers: readonly Answer[]): Stage {
  const { approval, messages } = known;
  if (approval !== null) {
    if (approval.type === 'permission') return { kind: 'permission' };
    if (asksToDelete(known)) return { kind: 'deletion' };
    const confirmation = confirmationOf(known);
    if (confirmation !== null) return { kind: 'confirmation', ...confirmation };
    return shownSurface(questionSurface(approval), approval.content, true);
  }
  const { error } = known.project;
  if (error !== null) return { kind: wasStoppedByUser(error) ? 'stopped' : 'failed' };
  const since = messages.findLast(({ role }) => role === 'user')?.at ?? requestAt(known, answers);
  const said = messages.filter(({ role, at }) => role === 'assistant' && at >= since);
  const shown = said.findLast(({ surface }) => surface !== undefined) ?? videosBeingMade(known);
  const surface = surfaceOf(shown?.surface);
  if (shown !== undefined && surface !== null) return shownSurface(surface, shown.content, false);
  const words = said.at(-1);
  if (words === undefined || stateOf(known) !== 'done') return { kind: 'thinking' };
  return { kind: 'words', text: words.content };
}

/** Returns the progress message of the running batch, which later messages may follow. Skips earlier batches, which are complete. */
function videosBeingMade({ tools, messages }: Known): Known['messages'][number] | undefined {
  if (!tools.some(({ name, durationMs }) => name === 'render_videos' && durationMs === null)) return undefined;
  return messages.findLast((message) => {
    const surface = surfaceOf(message.surface);
    const progress = surface && progressOf(surface);
    return progress && progress.done + progress.failed < progress.total;
  });
}

/**
 * Returns the films and apps that the last turn created or changed, without duplicates. Empty until the turn ends. A turn lasts from
 * reply to reply, because a message during a turn does not begin another.
 */
export function startedIn(known: Known): readonly StartedWork[] {
  const state = stateOf(known);
  const isDone = state === 'done';
  if (!isDone && state !== 'failed' && state !== 'stopped') return [];
  const replies = known.messages.filter(({ role, surface }) => {
    const shown = surfaceOf(surface);
    return role === 'assistant' && !(shown && isProgress(shown));
  });
  const since = replies.at(isDone ? -2 : -1)?.at ?? '';
  const steps = stepsOf(known).filter(({ startedAt }) => startedAt > since);
  return [...new Map(steps.flatMap(({ work }) => (work === null ? [] : [[work.projectId, work] as const]))).values()];
}

function shownSurface(surface: Surface, content: string, isQuestion: boolean): Stage {
  const heading = headingOf(surface);
  // A ready job repeats its heading in its last message.
  const says = heading === '' || content.startsWith(heading) ? null : content;
  return { kind: 'surface', surface, title: heading || content, says, isQuestion };
}

/** Returns what the live region says: the state, with each tenth of progress. */
export function announcement(known: Known, state: ShownState): string {
  const name = {
    thinking: thinkingName(known),
    waiting: 'Waiting for you',
    running: 'Running',
    done: 'Done',
    started: 'Started',
    failed: 'Failed',
    stopped: 'Stopped',
  }[state];
  if (state !== 'running') return name;
  const surface = surfaceOf(known.messages.findLast((message) => message.surface !== undefined)?.surface);
  const progress = surface && progressOf(surface);
  if (!progress) return name;
  const tenth = Math.max(1, progress.total / 10);
  const done = Math.floor(Math.floor(progress.done / tenth) * tenth);
  const failures = progress.failed === 0 ? '' : `, ${progress.failed} failed`;
  return `${name}, ${done} of ${progress.total} videos${failures}`;
}
