import { wasStoppedByUser } from '#contract/project.ts';
import { readSurface } from '#contract/surface/messages.ts';
import { valueAt } from '#contract/surface/pointer.ts';
import { questionSurface } from '#contract/surface/question.ts';
import type { Surface, SurfaceMessages } from '#contract/surface/surface.ts';
import {
  type Answer,
  type AssistantState,
  headingOf,
  type JobId,
  jobNamed,
  type Step,
  stateOf,
  stepsOf,
} from '#kinds/assistant/contract/assistant.ts';
import type { ProjectView } from '../../project/reducer.ts';

type Known = Pick<ProjectView, 'project' | 'approval' | 'tools' | 'messages'>;

/** A surface that a step shows: an answered form, the surface of a message, or the current one. */
export type Target =
  | { readonly kind: 'form'; readonly approvalId: string; readonly at: string }
  | { readonly kind: 'message'; readonly messageId: string }
  | { readonly kind: 'now' };

export type StepLook = 'done' | 'working' | 'waiting' | 'failed' | 'stopped' | 'adjusted' | 'next';

export interface ShownStep {
  readonly kind: 'step';
  readonly id: string;
  readonly look: StepLook;
  readonly verb: string;
  /** Time of a step that is over. `startedAt` if it is going on. */
  readonly time: { readonly durationMs: number } | { readonly at: string } | { readonly startedAt: string } | null;
  readonly sentence: string | null;
  readonly chip: { readonly title: string; readonly target: Target } | null;
  /** From 0 to 1. `null` if there is none. */
  readonly progress: number | null;
}

export type Entry = ShownStep | { readonly kind: 'said' | 'words'; readonly id: string; readonly text: string };

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

/** Returns the job that carries the conversation. `null` if a language model does. */
export const jobOf = ({ project }: Pick<Known, 'project'>): JobId | null => jobNamed(project.prompt)?.id ?? null;

const deletingTool = 'delete_videos';

/**
 * Returns whether the open question is the one before videos are deleted. Koda draws that itself, so it goes by the call that waits
 * and not by the surface, which a model could imitate.
 */
export function asksToDelete({ approval, tools }: Pick<Known, 'approval' | 'tools'>): boolean {
  const asking = tools.findLast(({ durationMs }) => durationMs === null);
  return approval?.type === 'question' && asking?.name === deletingTool;
}

/** Koda's own question before a call that no button has allowed. */
export interface Confirmation {
  readonly question: string;
  /** The model's words, which are not Koda's. */
  readonly says: string;
}

/** Returns the open question if Koda asks it itself: a model can ask with a surface only. */
export function confirmationOf({ approval }: Pick<Known, 'approval'>): Confirmation | null {
  if (approval?.type !== 'question' || approval.surface !== undefined) return null;
  if (approval.options.map(({ id }) => id).join() !== 'yes,no') return null;
  const end = approval.content.lastIndexOf('\n\n');
  return { question: approval.content.slice(end + 2), says: approval.content.slice(0, Math.max(0, end)).trim() };
}

/** What the conversation is about: the last message that is no answer to a form. */
function requestAt({ messages }: Pick<Known, 'messages'>, answers: readonly Answer[]): string {
  const answered = new Set(answers.map(({ messageId }) => messageId));
  return messages.findLast(({ id, role }) => role === 'user' && !answered.has(id))?.at ?? '';
}

/** The states in their order, and which of them this round of the conversation has passed. */
export function trackOf(
  known: Known,
  answers: readonly Answer[],
): { readonly state: AssistantState; readonly passed: readonly AssistantState[] } {
  const state = stateOf(known);
  const since = requestAt(known, answers);
  const passed: AssistantState[] = [];
  const isEnded = state === 'done' || state === 'failed' || state === 'stopped';
  if (state !== 'thinking') passed.push('thinking');
  if (state !== 'waiting' && answers.some(({ at }) => at > since)) passed.push('waiting');
  if (isEnded && stepsOf(known).some(({ startedAt }) => startedAt > since)) passed.push('running');
  return { state, passed };
}

const looks = { running: 'working', done: 'done', failed: 'failed' } as const;

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
  /** Tool of a step. */
  readonly tool?: string;
  readonly entry: Entry;
}

/** Returns what the left column shows, oldest first. `readUpTo`: the last message that `answers` take into account. */
export function entriesOf(known: Known, answers: readonly Answer[], readUpTo: string | null): readonly Entry[] {
  const state = stateOf(known);
  const steps = stepsOf(known);
  const refused = new Set(known.tools.filter(({ error }) => error?.code === 'CANCELLED').map(({ callId }) => callId));
  // A call that waits for the person has not begun yet.
  const shown = state === 'waiting' ? steps.filter((step) => step.state !== 'running') : steps;
  const placed: Placed[] = shown.map((step) => ({ at: step.startedAt, tool: step.tool, entry: toolStep(step, refused) }));
  const answerOf = new Map(answers.map((answer) => [answer.messageId, answer]));
  const last = known.messages.findIndex(({ id }) => id === readUpTo);
  const stage = stageOf(known, answers);
  for (const [index, message] of known.messages.entries()) {
    const { id, role, content, at } = message;
    const answer = answerOf.get(id);
    if (answer !== undefined) placed.push({ at, entry: answeredStep(answer) });
    // A message that came since may be an answer.
    else if (role === 'user' && (index <= last || index === 0)) placed.push({ at, entry: { kind: 'said', id, text: content } });
    else if (role === 'assistant') {
      const surface = surfaceOf(message.surface);
      const isNow = stage.kind === 'surface' && stage.surface.surfaceId === surface?.surfaceId;
      const target: Target = isNow ? { kind: 'now' } : { kind: 'message', messageId: id };
      if (surface === null) placed.push({ at, entry: { kind: 'words', id, text: content } });
      else if (!joined(placed, surface, target)) placed.push({ at, entry: surfaceStep({ id, content, surface, target }) });
    }
  }
  const sorted = placed.toSorted((one, other) => one.at.localeCompare(other.at)).map(({ entry }) => entry);
  return [...sorted, ...nowStep(known, state), ...nextSteps(known, state)];
}

function answeredStep({ approvalId, title, at }: Answer): ShownStep {
  const chip = { title, target: { kind: 'form', approvalId, at } } as const;
  return { ...plain, id: approvalId, look: 'done', verb: 'You answered', time: { at }, chip };
}

interface SurfaceMessage {
  readonly id: string;
  readonly content: string;
  readonly surface: Surface;
  readonly target: Target;
}

function surfaceStep({ id, content, surface, target }: SurfaceMessage): ShownStep {
  const title = headingOf(surface) || content;
  const isResult = surface.surfaceId.endsWith('-result');
  return { ...plain, id, look: 'done', verb: isResult ? 'Done' : 'Shown', chip: { title, target } };
}

/** Puts a progress surface on the step that shows it. Returns false if there is none. */
function joined(placed: Placed[], surface: Surface, target: Target): boolean {
  const progress = progressOf(surface);
  const index = placed.findLastIndex(({ tool, entry }) => tool === 'render_videos' && entry.kind === 'step' && !entry.chip);
  const step = placed[index];
  if (step?.entry.kind !== 'step' || progress === null) return false;
  const { done, failed, total } = progress;
  const isWorking = step.entry.look === 'working';
  const sentence = isWorking ? `${done} of ${total} done${failed === 0 ? '' : `, ${failed} failed`}` : step.entry.sentence;
  const chip = { title: headingOf(surface), target };
  const entry = { ...step.entry, sentence, chip, progress: isWorking ? (done + failed) / total : null };
  placed[index] = { ...step, entry };
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
  const shown = said.findLast(({ surface }) => surface !== undefined);
  const surface = surfaceOf(shown?.surface);
  if (shown !== undefined && surface !== null) return shownSurface(surface, shown.content, false);
  const words = said.at(-1);
  return words === undefined || stateOf(known) !== 'done' ? { kind: 'thinking' } : { kind: 'words', text: words.content };
}

function shownSurface(surface: Surface, content: string, isQuestion: boolean): Stage {
  const heading = headingOf(surface);
  // A ready job repeats its heading in its last message.
  const says = heading === '' || content.startsWith(heading) ? null : content;
  return { kind: 'surface', surface, title: heading || content, says, isQuestion };
}

/** Returns what the live region says: the state, with each tenth of progress. */
export function announcement(known: Known): string {
  const state = stateOf(known);
  const name = {
    thinking: thinkingName(known),
    waiting: 'Waiting for you',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    stopped: 'Stopped',
  }[state];
  if (state !== 'running') return name;
  const surface = surfaceOf(known.messages.findLast((message) => message.surface !== undefined)?.surface);
  const progress = surface && progressOf(surface);
  if (!progress) return name;
  const tenth = Math.max(1, progress.total / 10);
  const done = Math.floor(Math.floor(progress.done / tenth) * tenth);
  return `${name}, ${done} of ${progress.total} videos`;
}
