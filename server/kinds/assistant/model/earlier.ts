import { z } from 'zod';
import { refuse } from '#contract/permission.ts';
import type { ApprovalResponse, Message } from '#contract/project.ts';
import { type Scope, tableRows, textIn } from '#contract/surface/drawing.ts';
import { readSurface } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import type { AuthorContext } from '../../../projects/assignment.ts';
import type { Answers, EndedRun } from '../../../projects/author.ts';
import type { Failed } from '../../../tools/decision.ts';
import { isProgress } from '../progress.ts';
import { cancelButton } from '../surfaces.ts';
import { canResume, PastTurn } from '../turn.ts';
import { type ModelForm, namedValues } from './form.ts';
import { done, type Happened } from './happened.ts';
import { type Step, stepSchema } from './step.ts';
import { said, shortened } from './told.ts';

/** Earlier turns of a conversation, in the words in which the model was told of them when they happened. */

const maxCharacters = { message: 1_500, surface: 1_000, input: 350, request: 500 };

/** Keys under which a turn stores what it has done. */
export const keys = {
  request: 'request',
  said: (step: number) => `said-${step}`,
  step: (step: number) => `step-${step}`,
  form: (step: number, attempt: number) => `form-${step}-${attempt}`,
  labels: (step: number) => `labels-${step}`,
  confirm: (step: number) => `confirm-${step}`,
  call: (step: number) => `call-${step}`,
  failure: 'failure',
};

export interface EarlierTurn {
  /** Id of the message that it answers. */
  readonly request: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly happened: readonly Happened[];
  /** Names of the tools whose results it contains. */
  readonly tools: readonly string[];
}

/** Returns the turns that a language model has made, oldest first. */
export function earlierTurns(runs: readonly EndedRun[], answers: Answers): EarlierTurn[] {
  return runs.flatMap((run) => {
    if (!canResume(run.transcript)) return [];
    const turn = new PastTurn(run.transcript, answers);
    if (turn.value(keys.step(1), stepSchema) === null && turn.value(keys.failure, z.string()) === null) return [];
    const { startedAt, finishedAt, outcome } = run;
    return [{ request: turn.value(keys.request, z.string()), startedAt, finishedAt, ...retold(turn, outcome) }];
  });
}

function retold(turn: PastTurn, outcome: EndedRun['outcome']): Pick<EarlierTurn, 'happened' | 'tools'> {
  const happened: Happened[] = [];
  const tools: string[] = [];
  for (let number = 1; ; number += 1) {
    happened.push(...(turn.value(keys.said(number), z.array(z.string())) ?? []).map(done.said));
    const step = turn.value(keys.step(number), stepSchema);
    if (step === null) break;
    const { says, next } = step;
    if (next.type === 'end') return { happened: [...happened, done.ended(says, next.form)], tools };
    if (next.type === 'show') {
      happened.push(...answered(turn, number, { says, form: next.form }));
      continue;
    }
    happened.push(...called(turn, number, next));
    tools.push(next.tool);
  }
  if (outcome === 'stopped') happened.push(done.stopped(null));
  if (outcome === 'failed') happened.push(done.stopped(turn.value(keys.failure, z.string()) ?? 'unknown'));
  return { happened, tools };
}

function answered(
  turn: PastTurn,
  number: number,
  { says, form }: { readonly says: string; readonly form: ModelForm },
): readonly Happened[] {
  let last: ApprovalResponse | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const response = turn.answer(keys.form(number, attempt));
    if (response === null) break;
    last = response;
  }
  return toldAnswer(says, form, last);
}

/** Returns an interface and the answer to it. */
export function toldAnswer(says: string, form: ModelForm, response: ApprovalResponse | null): readonly Happened[] {
  if (response?.outcome !== 'submitted')
    return done.answeredInWords(says, form, response?.outcome === 'free_text' ? response.text : null);
  const { button, values } = response;
  const label = [...form.buttons, cancelButton].find(({ id }) => id === button)?.label ?? button;
  return done.pressed(says, form, { button: label, values: namedValues(form, values) });
}

function called(turn: PastTurn, number: number, { tool, input }: Extract<Step['next'], { type: 'call' }>): readonly Happened[] {
  const call = turn.call(keys.call(number));
  if (call === null) {
    const words = turn.answer(keys.confirm(number));
    return words === null ? [done.failed(tool, input, wasStopped)] : done.refused(tool, input, wordsIn(words));
  }
  if (call.outcome === null) return [done.failed(tool, input, wasStopped)];
  if (call.outcome.failure === null) return [done.called(tool, input, call.outcome.output, maxCharacters.input)];
  return toldFailure(tool, input, { failure: call.outcome.failure, answer: call.answer });
}

const wasStopped: Failed = { code: 'CANCELLED', message: 'It was stopped.' };

/** Returns why a call failed. `answer`: what the person answered to the tool's own question. */
export function toldFailure(
  tool: string,
  input: unknown,
  { failure, answer }: { readonly failure: Failed; readonly answer: ApprovalResponse | null },
): readonly Happened[] {
  const isRefused = answer !== null && isRefusal(failure.code, answer);
  return isRefused ? done.refused(tool, input, wordsIn(answer)) : [done.failed(tool, input, failure)];
}

/** A call to which the person agreed may fail with the same codes. */
function isRefusal(code: string, answer: ApprovalResponse): boolean {
  if (answer.outcome === 'free_text' || (answer.outcome === 'option' && answer.optionId === refuse)) return true;
  return code === 'CANCELLED';
}

export const wordsIn = (response: ApprovalResponse): string | null => (response.outcome === 'free_text' ? response.text : null);

/**
 * Returns what came before the request, oldest first: the messages, and each turn in place of the messages that it has led to.
 * A turn without a transcript is told by its messages.
 */
export function earlierEntries(
  { messages }: Pick<AuthorContext, 'messages'>,
  { request, turns }: { readonly request: Message | null; readonly turns: readonly EarlierTurn[] },
): Happened[] {
  const before = messages.slice(0, request === null ? 0 : messages.indexOf(request));
  const requests = new Set(turns.map((turn) => turn.request));
  const isTold = ({ id, at }: Message) =>
    !requests.has(id) && turns.some(({ startedAt, finishedAt }) => at >= startedAt && at <= finishedAt);
  const timeline = [
    ...before.filter((message) => !isTold(message)).map((message) => ({ at: message.at, entries: toldMessage(message) })),
    ...turns.map(({ startedAt, happened }) => ({ at: startedAt, entries: happened })),
  ];
  return timeline.sort((one, other) => one.at.localeCompare(other.at)).flatMap(({ entries }) => entries);
}

function toldMessage({ role, content, surface = [] }: Message): Happened[] {
  const words = { words: maxCharacters.message, file: maxCharacters.message };
  if (role === 'user') return [{ text: `Person: ${said(content, words)}`, least: maxCharacters.request }];
  const shown = wordsOf(surface);
  return shown === null
    ? []
    : [{ text: `You: ${[said(content, words), shortened(shown, maxCharacters.surface)].join(' ').trim()}` }];
}

/** Returns what can be read on a surface. `null` if it only showed progress. */
function wordsOf(messages: SurfaceMessages): string | null {
  const read = readSurface(messages);
  if (!read.ok) return '';
  const { surfaceId, components, data } = read.value;
  if (isProgress(surfaceId)) return null;
  const scope: Scope = { data, row: '' };
  const parts = [...components.values()].flatMap((part) => {
    if (part.component === 'Text' || part.component === 'Alert') return [textIn(part.text, scope)];
    if (part.component !== 'Table') return [];
    const { rows } = tableRows(part, scope, { first: 0, end: maxRows });
    return [JSON.stringify([part.columns.map(({ title }) => textIn(title, scope)), ...rows])];
  });
  return parts.join(' ');
}

const maxRows = 50;
