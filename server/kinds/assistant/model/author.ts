import { z } from 'zod';
import { hasAttached } from '#contract/attached-text.ts';
import { KodaError } from '#contract/errors.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import { withOneRepair } from '../../../llm/one-repair.ts';
import type { AuthorContext } from '../../../projects/assignment.ts';
import type { AskForJson, AuthorRun, Converser, JsonPath, Reply } from '../../../projects/author.ts';
import { maxAttempts } from '../../../tools/decision.ts';
import { failed, type Tool } from '../../../tools/tool.ts';
import { readsUntrusted } from '../../../tools/untrusted.ts';
import { requestIn } from '../author.ts';
import { cancelled } from '../jobs/job.ts';
import type { ActingStudio, StudioFor } from '../studio.ts';
import { cancelButton } from '../surfaces.ts';
import { timeZoneIn } from '../time-zone.ts';
import { callableTools, offText, toolsOffIn } from '../tool-limits.ts';
import { canResume, Turn, Waiting } from '../turn.ts';
import { projectLines, requestMessage, startedLines, systemPrompt } from './account.ts';
import { callLabelsSchema, labelsInCall } from './call-labels.ts';
import { confirmationBefore } from './confirmation.ts';
import { type EarlierTurn, earlierTurns, keys, toldAnswer, toldFailure, wordsIn } from './earlier.ts';
import { type ModelForm, problemsIn, surfaceIn, type Values } from './form.ts';
import { done, type Happened } from './happened.ts';
import { type Allowed, callKey, type Rejected, rejected, type Step, stepIn, stepSchema, stepTool } from './step.ts';
import { json } from './told.ts';

/**
 * A language model reasons, the turn acts, and what is observed is part of the next request, until the model ends the turn: it
 * answers one JSON value for each step, and calls no tool itself.
 */
export const jsonPath = (studioFor: StudioFor): JsonPath<Converser> => ({
  author: (ask, model) => ({
    ...model,
    canResume,
    async converse(context, run) {
      const turn = await Turn.open(run, async (tool) =>
        toolsOffIn((await run.context()).hints).includes(tool) ? failed('NOT_PERMITTED', offText(tool)) : null,
      );
      try {
        const turns = earlierTurns(await run.earlierRuns(), await run.answers());
        return await new Conversation(ask, { context, run, turn, turns, studio: await studioFor(context.projectId) }).reply();
      } catch (error) {
        if (error instanceof Waiting) return null;
        // Stored for the next turn's prompt.
        if (error instanceof KodaError && !run.signal.aborted)
          await turn.once(keys.failure, z.string(), async () => error.message);
        throw error;
      }
    },
  }),
});

const maxSteps = 60;
const maxAnswers = 20;

/** What the person has allowed by pressing a button: one call of a tool, as the button's label names it. */
interface Permit {
  readonly tool: string;
  readonly label: string;
}

interface Scope {
  readonly context: AuthorContext;
  readonly run: AuthorRun;
  readonly turn: Turn;
  readonly turns: readonly EarlierTurn[];
  readonly studio: Pick<ActingStudio, 'films' | 'parameters' | 'projects' | 'schedules' | 'started'>;
}

class Conversation {
  readonly #ask: AskForJson;
  readonly #scope: Scope;
  readonly #tools: readonly Tool[];
  /** What has happened in this turn, in words for the model. */
  readonly #done: Happened[] = [];
  readonly #refused = new Map<string, string>();
  readonly #failed = new Map<string, string>();
  #failuresInARow = 0;
  #entered: Values = {};
  #permit: Permit | null = null;
  /** Also true if earlier messages have files or earlier turns have read such text, because each request tells of them. */
  #hasReadUntrusted: boolean;

  constructor(ask: AskForJson, scope: Scope) {
    this.#ask = ask;
    this.#scope = scope;
    this.#tools = callableTools(scope.run.tools);
    const isUntrusted = (name: string): boolean => {
      const tool = this.#tools.find((one) => one.name === name);
      // A tool of a server that has been removed since.
      return tool === undefined || readsUntrusted(tool);
    };
    this.#hasReadUntrusted =
      scope.context.messages.some(({ content }) => hasAttached(content)) ||
      scope.turns.some(({ tools }) => tools.some(isUntrusted));
  }

  async reply(): Promise<Reply> {
    const { context, turn } = this.#scope;
    const requestId = await turn.once(keys.request, z.string(), async () => requestIn(context)?.id ?? '');
    for (let number = 1; number <= maxSteps; number += 1) {
      await this.#listen(number);
      const step = await turn.once(keys.step(number), stepSchema, () => this.#nextStep(requestId));
      const { says, next } = step;
      if (next.type === 'end') return this.#end(says, next.form);
      if (next.type === 'call') await this.#call(number, step, next);
      else if (!(await this.#show(number, says, next.form))) return cancelled;
    }
    throw new KodaError('LIMIT_EXCEEDED', `Nothing was finished in ${maxSteps} steps. Say it differently, or use a ready job.`, {
      recovery: 'retry',
    });
  }

  /** Takes up what the person has said in the meantime. */
  async #listen(number: number): Promise<void> {
    const { context, run, turn } = this.#scope;
    const said = await turn.once(keys.said(number), z.array(z.string()), async () => {
      const queued = await run.takeQueuedMessages();
      // What had been said before the turn began is the request, or comes before it.
      return queued.filter((words) => number > 1 || context.messages.every(({ content }) => content !== words));
    });
    this.#done.push(...said.map(done.said));
    this.#noteFiles(said);
  }

  #noteFiles(words: readonly string[]): void {
    if (words.some(hasAttached)) this.#hasReadUntrusted = true;
  }

  async #nextStep(requestId: string): Promise<Step> {
    const { context, run, turns, studio } = this.#scope;
    const request = context.messages.find(({ id }) => id === requestId);
    // The person can turn tools off and on between steps.
    const off = new Set(toolsOffIn((await run.context()).hints));
    const tools = this.#tools.filter(({ name }) => !off.has(name));
    const system = systemPrompt(run.kind.workflow.prompt, tools);
    const timeZone = timeZoneIn(context.hints);
    const allowed: Allowed = { tools, off, refused: this.#refused, failed: this.#failed, timeZone };
    const projects = off.has('list_projects') ? null : await projectLines(studio);
    const started = off.has('show_project') ? [] : await startedLines(studio);
    const step = await withOneRepair<Step, Rejected>(this.#ask, run, {
      ...{ noun: 'step', system, tool: stepTool, unusable: (text) => rejected(text), repairText },
      message: requestMessage(context, { request: request ?? null, turns, done: this.#done, projects, started, timeZone }),
      settle(value) {
        const step = stepIn(value, allowed);
        return 'problems' in step ? { ...step, answer: value } : step;
      },
    });
    run.signal.throwIfAborted();
    if (!('why' in step)) return step;
    throw new KodaError(
      'LLM_RESPONSE',
      `The model’s answer made no sense twice. Say it differently, or use a ready job. ${step.why}`,
      { recovery: 'retry' },
    );
  }

  #end(says: string, form: ModelForm | null): Reply {
    if (form === null) return { content: says };
    const drawn = surfaceIn(form, { surfaceId: this.#scope.turn.surfaceId('result'), entered: {} });
    return { content: says, ...('surface' in drawn && { surface: drawn.surface }) };
  }

  /** Returns whether the person goes on. A form whose values are wrong is shown again, with what is wrong. */
  async #show(number: number, says: string, form: ModelForm): Promise<boolean> {
    let problems: readonly string[] = [];
    for (let attempt = 1; attempt <= maxAnswers; attempt += 1) {
      const response = await this.#answerTo(keys.form(number, attempt), says, withProblems(form, problems));
      this.#permit = null;
      if (response.outcome !== 'submitted') {
        this.#done.push(...toldAnswer(says, form, response));
        const words = wordsIn(response);
        if (words !== null) this.#noteFiles([words]);
        return true;
      }
      if (response.button === cancelButton.id) return false;
      this.#entered = { ...this.#entered, ...response.values };
      problems = problemsIn(form, response.values);
      if (problems.length > 0) continue;
      this.#done.push(...toldAnswer(says, form, response));
      const button = form.buttons.find(({ id }) => id === response.button);
      if (button?.runs) this.#permit = { tool: button.runs, label: button.label };
      return true;
    }
    throw new KodaError('LIMIT_EXCEEDED', `This form was answered ${maxAnswers} times. Say it differently, or use a ready job.`);
  }

  async #answerTo(key: string, says: string, form: ModelForm): Promise<ApprovalResponse> {
    const { turn } = this.#scope;
    const buttons = form.buttons.some(({ id }) => id === cancelButton.id) ? form.buttons : [...form.buttons, withoutEffect];
    const drawn = surfaceIn({ ...form, buttons }, { surfaceId: turn.surfaceId(key), entered: this.#entered });
    if ('problem' in drawn) throw new Error(`A checked form cannot be shown: ${drawn.problem}`);
    return await turn.ask(key, { content: says, options: [], surface: drawn.surface });
  }

  async #call(number: number, step: Step, { tool: name, input }: Extract<Step['next'], { type: 'call' }>): Promise<void> {
    const { turn, run } = this.#scope;
    const tool = this.#tools.find((one) => one.name === name);
    if (tool === undefined) {
      const message = 'The tool is no longer there.';
      this.#refused.set(name, message);
      this.#done.push(done.failed(name, input, { code: 'UNKNOWN_TOOL', message }));
      return;
    }
    const refusal = await this.#refusalOf(number, { step, tool, input });
    if (refusal !== null) {
      this.#refuse({ tool, input, message: 'The person did not want it.' }, refusal);
      this.#done.push(...done.refused(name, input, wordsIn(refusal)));
      return;
    }
    const { output, failure } = await turn.call(keys.call(number), name, { input, output: z.unknown() });
    run.signal.throwIfAborted();
    if (readsUntrusted(tool)) this.#hasReadUntrusted = true;
    if (failure === null) {
      this.#failuresInARow = 0;
      // A press allows one successful call.
      if (this.#permit?.tool === name) this.#permit = null;
      this.#done.push(done.called(name, input, output));
      return;
    }
    const answer = await turn.answerOfCall(keys.call(number));
    this.#failed.set(callKey(name, input), failure.message);
    if (refusals.has(failure.code)) this.#refuse({ tool, input, message: failure.message }, answer);
    this.#done.push(...toldFailure(name, input, { failure, answer }));
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= maxAttempts)
      throw new KodaError('MAX_RETRIES', `Three attempts failed. Koda stops here. The last one: ${failure.message}`, {
        recovery: 'retry',
      });
  }

  /**
   * Words say what else to do, so they rule out only this call. A refusal without words rules out the tool, and so does any refusal of
   * a tool that may send data out.
   */
  #refuse(
    { tool, input, message }: { readonly tool: Tool; readonly input: unknown; readonly message: string },
    answer: ApprovalResponse | null,
  ): void {
    const words = answer === null ? null : wordsIn(answer);
    if (words !== null) this.#noteFiles([words]);
    if (words === null || readsUntrusted(tool)) this.#refused.set(tool.name, message);
    else this.#failed.set(callKey(tool.name, input), message);
  }

  /**
   * Returns `null` if the person wants a call that makes or changes something, or else the answer that refuses it. A button has allowed it if it names the tool, and its
   * label has each number of what the call does. Otherwise, and once the model has read files or other untrusted text, Koda asks in
   * its own words. Tools of high risk, and those outside Koda, ask for themselves.
   */
  async #refusalOf(
    number: number,
    { step, tool, input }: { readonly step: Step; readonly tool: Tool; readonly input: unknown },
  ): Promise<ApprovalResponse | null> {
    const permit = this.#permit;
    if (tool.risk !== 'medium' || tool.category === 'outside' || tool.category === 'search') return null;
    // On one line, so that a model cannot write what looks like a question of Koda's.
    const what = tool.label(input).replaceAll(/\s+/gu, ' ');
    const isAllowed = permit?.tool === tool.name && numbersIn(what).every((one) => numbersIn(permit.label).includes(one));
    if (isAllowed && !this.#hasReadUntrusted) return null;
    const { turn, run, studio } = this.#scope;
    const pressed = permit?.tool === tool.name ? permit.label : null;
    const labels = await turn.once(keys.labels(number), callLabelsSchema, () =>
      labelsInCall(input, { studio, signal: run.signal }),
    );
    const asked = { label: what, input, labels, says: step.says, pressed, hasReadUntrusted: this.#hasReadUntrusted };
    const question = await confirmationBefore(asked, { studio, messages: (await run.context()).messages });
    const response = await turn.ask(keys.confirm(number), question);
    return response.outcome === 'option' && response.optionId === 'yes' ? null : response;
  }
}

/** Returns whole numbers as digits without leading zeros, because 08:00 is 8:00. */
function numbersIn(text: string): string[] {
  return (text.match(/\d+/gu) ?? []).map((digits) => digits.replace(/^0+(?=\d)/u, ''));
}

/** The person refused or stopped a call, or may not make it. */
const refusals: ReadonlySet<string> = new Set(['CANCELLED', 'NOT_PERMITTED', 'FORBIDDEN', 'UNAUTHORIZED']);

function withProblems(form: ModelForm, problems: readonly string[]): ModelForm {
  if (problems.length === 0) return form;
  return { ...form, parts: [{ component: 'Alert', tone: 'error', text: problems.join('\n') }, ...form.parts] };
}

const withoutEffect = { ...cancelButton, runs: null, primary: false };

const maxAnswerCharacters = 1_500;

const repairText = ({ problems, answer }: Rejected): string =>
  [
    answer === undefined
      ? 'Your last answer cannot be used:'
      : `Your last answer was: ${json(answer, maxAnswerCharacters)}\nIt cannot be used:`,
    ...problems.slice(0, 8).map(({ text }) => `- ${text.slice(0, 300)}`),
    'Answer again, completely.',
  ].join('\n');
