import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import { withOneRepair } from '../../../llm/one-repair.ts';
import type { AuthorContext } from '../../../projects/assignment.ts';
import type { AskForJson, AuthorRun, Converser, JsonPath, Reply } from '../../../projects/author.ts';
import { maxAttempts } from '../../../tools/decision.ts';
import type { Tool } from '../../../tools/tool.ts';
import { readsUntrusted } from '../../../tools/untrusted.ts';
import { requestIn } from '../author.ts';
import { cancelled } from '../jobs/job.ts';
import type { ActingStudio, StudioFor } from '../studio.ts';
import { cancelButton } from '../surfaces.ts';
import { canResume, Turn, Waiting } from '../turn.ts';
import { done, projectLines, requestMessage, systemPrompt } from './account.ts';
import { type ModelForm, namedValues, problemsIn, surfaceIn, type Values } from './form.ts';
import { type Allowed, callKey, type Rejected, rejected, type Step, stepIn, stepSchema, stepTool } from './step.ts';

/**
 * A language model reasons, the turn acts, and what is observed is part of the next request, until the model ends the turn: it
 * answers one JSON value for each step, and calls no tool itself.
 */
export const jsonPath = (studioFor: StudioFor): JsonPath<Converser> => ({
  author: (ask, model) => ({
    ...model,
    canResume,
    async converse(context, run) {
      const turn = await Turn.open(run);
      try {
        return await new Conversation(ask, { context, run, turn, studio: await studioFor(context.projectId) }).reply();
      } catch (error) {
        if (error instanceof Waiting) return null;
        throw error;
      }
    },
  }),
});

const maxSteps = 60;
const maxAnswers = 20;

/** Tools of every kind that a step replaces. */
const replaced: ReadonlySet<string> = new Set(['add_message', 'show_surface', 'set_thinking', 'request_approval', 'adjust']);

/** What the person has allowed by pressing a button: one call of a tool, as the button's label names it. */
interface Permit {
  readonly tool: string;
  readonly label: string;
}

interface Scope {
  readonly context: AuthorContext;
  readonly run: AuthorRun;
  readonly turn: Turn;
  readonly studio: Pick<ActingStudio, 'films' | 'projects'>;
}

class Conversation {
  readonly #ask: AskForJson;
  readonly #scope: Scope;
  readonly #tools: readonly Tool[];
  /** What has happened in this turn, in words for the model. */
  readonly #done: string[] = [];
  readonly #refused = new Map<string, string>();
  readonly #failed = new Map<string, string>();
  #failuresInARow = 0;
  #entered: Values = {};
  #permit: Permit | null = null;
  #hasReadUntrusted = false;

  constructor(ask: AskForJson, scope: Scope) {
    this.#ask = ask;
    this.#scope = scope;
    this.#tools = scope.run.tools.offeredIn('executing').filter(({ name }) => !replaced.has(name));
  }

  async reply(): Promise<Reply> {
    const { context, run, turn } = this.#scope;
    const requestId = await turn.once('request', z.string(), async () => requestIn(context)?.id ?? '');
    const system = systemPrompt(run.kind.workflow.prompt, this.#tools);
    for (let number = 1; number <= maxSteps; number += 1) {
      await this.#listen(number);
      const step = await turn.once(`step-${number}`, stepSchema, () => this.#nextStep(system, requestId));
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
    const said = await this.#scope.turn.once(`said-${number}`, z.array(z.string()), () => this.#scope.run.takeQueuedMessages());
    this.#done.push(...said.map(done.said));
  }

  async #nextStep(system: string, requestId: string): Promise<Step> {
    const { context, run, studio } = this.#scope;
    const request = context.messages.find(({ id }) => id === requestId);
    const allowed: Allowed = { tools: this.#tools, refused: this.#refused, failed: this.#failed };
    const step = await withOneRepair<Step, Rejected>(this.#ask, run, {
      ...{ noun: 'step', system, tool: stepTool, unusable: (text) => rejected(text), repairText },
      message: requestMessage(context, { request: request ?? null, done: this.#done, projects: await projectLines(studio) }),
      settle: (value) => stepIn(value, allowed),
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
      const response = await this.#answerTo(`form-${number}-${attempt}`, says, withProblems(form, problems));
      this.#permit = null;
      if (response.outcome !== 'submitted') {
        this.#done.push(done.answeredInWords(form, response.outcome === 'free_text' ? response.text : null));
        return true;
      }
      if (response.button === cancelButton.id) return false;
      this.#entered = { ...this.#entered, ...response.values };
      problems = problemsIn(form, response.values);
      if (problems.length > 0) continue;
      const button = form.buttons.find(({ id }) => id === response.button);
      this.#done.push(done.pressed(form, button?.label ?? response.button, namedValues(form, response.values)));
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
    if (tool === undefined || !(await this.#isConfirmed(number, { step, tool, input }))) {
      const reason = tool === undefined ? 'The tool is no longer there.' : 'The person did not want it.';
      this.#refused.set(name, reason);
      this.#done.push(done.failed(name, input, { code: 'CANCELLED', message: reason }));
      return;
    }
    const { output, failure } = await turn.call(`call-${number}`, name, { input, output: z.unknown() });
    run.signal.throwIfAborted();
    if (readsUntrusted(tool)) this.#hasReadUntrusted = true;
    if (failure === null) {
      this.#failuresInARow = 0;
      // A press allows one successful call.
      if (this.#permit?.tool === name) this.#permit = null;
      this.#done.push(done.called(name, input, output));
      return;
    }
    this.#failed.set(callKey(name, input), failure.message);
    if (refusals.has(failure.code)) this.#refused.set(name, failure.message);
    this.#done.push(done.failed(name, input, failure));
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= maxAttempts)
      throw new KodaError('MAX_RETRIES', `Three attempts failed. Koda stops here. The last one: ${failure.message}`, {
        recovery: 'retry',
      });
  }

  /**
   * Returns whether the person wants a call that makes or changes something. A button has allowed it if it names the tool, and its
   * label has each number of what the call does. Otherwise, and after the model has read what others wrote, Koda asks in its own
   * words. Tools of high risk, and those outside Koda, ask for themselves.
   */
  async #isConfirmed(
    number: number,
    { step, tool, input }: { readonly step: Step; readonly tool: Tool; readonly input: unknown },
  ): Promise<boolean> {
    const permit = this.#permit;
    if (tool.risk !== 'medium' || tool.category === 'outside' || tool.category === 'search') return true;
    // On one line, so that a model cannot write what looks like a question of Koda's.
    const what = tool.label(input).replaceAll(/\s+/gu, ' ');
    const sent = sentWords.safeParse(input).data?.message.replaceAll(/\s+/gu, ' ');
    const numbers = what.match(/\d+/gu) ?? [];
    const isAllowed = permit?.tool === tool.name && numbers.every((one) => permit.label.match(/\d+/gu)?.includes(one));
    if (isAllowed && !this.#hasReadUntrusted) return true;
    const response = await this.#scope.turn.ask(`confirm-${number}`, {
      content: `${step.says}\n\n${what}${sent === undefined ? '' : `: “${sent}”`}. Go on?`,
      options: [
        { id: 'yes', label: 'Go on' },
        { id: 'no', label: 'Do nothing' },
      ],
    });
    return response.outcome === 'option' && response.optionId === 'yes';
  }
}

/** Input of a tool that passes words on, which the person sees before they are sent. */
const sentWords = z.object({ message: z.string() });

/** The person refused or stopped a call, or may not make it. */
const refusals: ReadonlySet<string> = new Set(['CANCELLED', 'NOT_PERMITTED', 'FORBIDDEN', 'UNAUTHORIZED']);

function withProblems(form: ModelForm, problems: readonly string[]): ModelForm {
  if (problems.length === 0) return form;
  return { ...form, parts: [{ component: 'Alert', tone: 'error', text: problems.join('\n') }, ...form.parts] };
}

const withoutEffect = { ...cancelButton, runs: null, primary: false };

const repairText = ({ problems }: Rejected): string =>
  [
    'Your last answer cannot be used:',
    ...problems.slice(0, 8).map(({ text }) => `- ${text.slice(0, 300)}`),
    'Answer again, completely.',
  ].join('\n');
