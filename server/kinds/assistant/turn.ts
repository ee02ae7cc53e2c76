import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import { readSurface } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import type { AuthorContext } from '../../projects/assignment.ts';
import type { Answers, AuthorRun } from '../../projects/author.ts';
import type { ApprovalRequest } from '../../tools/context.ts';
import { type Adjustment, decideAfter, type Failed } from '../../tools/decision.ts';
import { failed, type ToolResult } from '../../tools/tool.ts';
import { timeZoneIn } from './time-zone.ts';

/** Entry of a run's transcript. What a turn has done is read from it after a restart, and is not done again. */
const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn'), id: z.string() }),
  z.object({ type: z.literal('value'), key: z.string(), value: z.unknown() }),
  z.object({ type: z.literal('started'), key: z.string(), callId: z.string() }),
]);
type Entry = z.infer<typeof entrySchema>;

/** Returns whether this version can go on with a transcript. */
export const canResume = (transcript: readonly unknown[]): boolean => entrySchema.array().safeParse(transcript).success;

/** The turn waits for the person. It goes on with the answer, from its start, and finds here what it has already done. */
export class Waiting extends Error {
  constructor() {
    super('The turn waits for the person.');
  }
}

/** Reads what a turn that has ended has done. */
export class PastTurn {
  readonly #entries: readonly Entry[];
  readonly #answers: Answers;

  /** Throws if this version cannot read the transcript. */
  constructor(transcript: readonly unknown[], answers: Answers) {
    this.#entries = entrySchema.array().parse(transcript);
    this.#answers = answers;
  }

  /** Returns a value of `Turn.once`. `null` if the turn did not get that far. */
  value<Schema extends z.ZodType>(key: string, schema: Schema): z.output<Schema> | null {
    const found = this.#entries.find((entry) => entry.type === 'value' && entry.key === key);
    return found?.type === 'value' ? (schema.safeParse(found.value).data ?? null) : null;
  }

  /** Returns what the person answered to a question of `Turn.ask`. */
  answer(key: string): ApprovalResponse | null {
    const turn = this.#entries.find((entry) => entry.type === 'turn');
    return turn === undefined ? null : (this.#answers.get(`${turn.id}-${key}`) ?? null);
  }

  /** Returns the outcome of a `Turn.call`, and what the person answered to the tool's own question. `null` if it did not start. */
  call(key: string): { readonly outcome: Outcome | null; readonly answer: ApprovalResponse | null } | null {
    const attempt = this.#entries.findLast((entry) => entry.type === 'started' && isAttempt(entry.key, key));
    if (attempt?.type !== 'started') return null;
    return { outcome: this.value(attempt.key, outcomeSchema), answer: this.#answers.get(attempt.callId) ?? null };
  }
}

const isAttempt = (key: string, call: string): boolean => key.startsWith(`${call}-`) && /^\d+$/u.test(key.slice(call.length + 1));

type Outcome = { readonly output: unknown; readonly failure: null } | { readonly output: null; readonly failure: Failed };
const outcomeSchema = z.union([
  z.object({ output: z.unknown(), failure: z.null() }),
  z.object({ output: z.null(), failure: z.object({ code: z.string(), message: z.string() }) }),
]);

type Checked<T> = { readonly value: T } | { readonly problems: readonly string[] };

export interface Form<T> {
  /** One sentence on what is asked. */
  readonly content: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Draws the form with the values so far, and with what is wrong with them. */
  readonly draw: (
    surfaceId: string,
    entered: { readonly values: Readonly<Record<string, unknown>>; readonly problems: readonly string[] },
  ) => SurfaceMessages;
  readonly check: (values: Readonly<Record<string, unknown>>) => Checked<T>;
}

const maxAnswers = 50;

/** A form's question: the turn, the form's key, and the numbers of its round and answer. */
const formKey = /^call_[^-]+-(?<key>.+?)(?:-\d+)+$/u;

interface CallOptions {
  /** Other ways of doing the same, with the input that they change. */
  readonly adjustments?: readonly (Adjustment & { readonly input: object })[];
}

/** Returns the error result for a tool that must not run, or `null`. Called before each attempt, even after the person agreed. */
type RefusalOf = (tool: string) => Promise<ToolResult | null>;

/** One turn of a job: its questions and calls, each made once. */
export class Turn {
  /** The person's time zone. `null` if it is not known. */
  readonly timeZone: string | null;
  readonly #run: AuthorRun;
  readonly #entries: Entry[];
  readonly #id: string;
  readonly #settled: AuthorContext['settled'];
  readonly #refusal: RefusalOf;

  private constructor(
    run: AuthorRun,
    { entries, id, settled, hints }: { entries: Entry[]; id: string } & Pick<AuthorContext, 'settled' | 'hints'>,
    refusal: RefusalOf,
  ) {
    this.#run = run;
    this.#entries = entries;
    this.#id = id;
    this.#settled = settled;
    this.timeZone = timeZoneIn(hints);
    this.#refusal = refusal;
  }

  static async open(run: AuthorRun, refusal: RefusalOf = async () => null): Promise<Turn> {
    const entries = entrySchema.array().parse(await run.transcript());
    const { settled, hints } = await run.context();
    const first = entries.find((entry) => entry.type === 'turn');
    if (first !== undefined) return new Turn(run, { entries, id: first.id, settled, hints }, refusal);
    const id = newId('call');
    const turn = new Turn(run, { entries, id, settled, hints }, refusal);
    await turn.#append({ type: 'turn', id });
    return turn;
  }

  async #append(entry: Entry): Promise<void> {
    await this.#run.append(entry);
    this.#entries.push(entry);
  }

  /** Returns a value that stays the same when the turn is made again. */
  async once<Schema extends z.ZodType>(
    key: string,
    schema: Schema,
    make: () => Promise<z.input<Schema>>,
  ): Promise<z.output<Schema>> {
    const known = this.#entries.find((entry) => entry.type === 'value' && entry.key === key);
    if (known?.type === 'value') return schema.parse(known.value);
    const value = await make();
    await this.#append({ type: 'value', key, value });
    return schema.parse(value);
  }

  /** Throws Waiting until there is an answer. */
  async ask(key: string, request: Pick<ApprovalRequest, 'content' | 'options' | 'surface'>): Promise<ApprovalResponse> {
    const response = await this.#run.responseTo(this.surfaceId(key), { type: 'question', plan: null, ...request });
    if (response === null) throw new Waiting();
    return response;
  }

  /** Returns what the person answered to the own question of the tool that was called last under this key. */
  async answerOfCall(key: string): Promise<ApprovalResponse | null> {
    return new PastTurn(this.#entries, await this.#run.answers()).call(key)?.answer ?? null;
  }

  surfaceId(key: string): string {
    return `${this.#id}-${key}`;
  }

  /**
   * Returns the values that the person last entered into a form in an earlier turn of this conversation, for these names only.
   * `key` is the form's key without the number of its round.
   */
  enteredBefore(key: string, names: readonly string[]): Readonly<Record<string, unknown>> {
    const last = this.#settled.findLast(({ approval, response }) => {
      if (response.outcome !== 'submitted' || response.button === 'cancel') return false;
      const read = readSurface(approval.surface ?? []);
      const surfaceId = read.ok ? read.value.surfaceId : '';
      return formKey.exec(surfaceId)?.groups?.['key'] === key && !surfaceId.startsWith(this.#id);
    });
    if (last?.response.outcome !== 'submitted') return {};
    const { values } = last.response;
    return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]]] : [])));
  }

  /** Shows a form until its values are right. Returns the pressed button, or `null` if the person has cancelled it. */
  async form<T>(key: string, { content, values: initial, draw, check }: Form<T>): Promise<{ button: string; value: T } | null> {
    let values = initial;
    let problems: readonly string[] = [];
    for (let answer = 1; answer <= maxAnswers; answer += 1) {
      const name = `${key}-${answer}`;
      const surface = draw(this.surfaceId(name), { values, problems });
      const response = await this.ask(name, { content, options: [], surface });
      if (response.outcome === 'free_text') problems = ['Words need a language model. Use the form.'];
      else if (response.outcome !== 'submitted' || response.button === 'cancel') return null;
      else {
        values = { ...values, ...response.values };
        const checked = check(response.values);
        if ('value' in checked) return { button: response.button, value: checked.value };
        problems = checked.problems;
      }
    }
    throw new KodaError('LIMIT_EXCEEDED', `This form was answered ${maxAnswers} times. Start the job again.`);
  }

  /** Calls a tool, and again if `decideAfter` says so. Each attempt and each adjustment is a step of its own. */
  async call<Schema extends z.ZodType>(
    key: string,
    name: string,
    { input, output }: { readonly input: object; readonly output: Schema },
    { adjustments = [] }: CallOptions = {},
  ): Promise<
    { readonly output: z.output<Schema>; readonly failure: null } | { readonly output: null; readonly failure: Failed }
  > {
    let given = input;
    let left = adjustments;
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.#attempt(`${key}-${attempts}`, name, given);
      const decision = decideAfter({ failure: outcome.failure, attempts, isLast: false, adjustments: left });
      if (decision.kind === 'error') return { output: null, failure: decision };
      if (decision.kind !== 'retry') return { output: output.parse(outcome.output), failure: null };
      const adjusted = left.find(({ id }) => id === decision.adjustment?.id);
      if (adjusted === undefined) continue;
      await this.adjust(`${key}-${attempts}`, adjusted.change);
      given = { ...given, ...adjusted.input };
      left = left.filter((other) => other !== adjusted);
    }
  }

  /** Leaves a step that says what changes. */
  async adjust(key: string, change: string): Promise<void> {
    await this.#attempt(`${key}-adjust`, 'adjust', { change });
  }

  async #attempt(key: string, name: string, input: object): Promise<Outcome> {
    return await this.once(key, outcomeSchema, async () => {
      const call = { id: await this.#callId(key, name, input), name, input };
      const services = {
        supportsImages: false,
        requestApproval: (request: ApprovalRequest) => this.#run.responseTo(call.id, request),
      };
      const { result } = await this.#run.callTool(call, { services, refusal: await this.#refusal(name) });
      this.#run.signal.throwIfAborted();
      if (result.status === 'suspended') throw new Waiting();
      if (result.status === 'completed') return { output: result.output, failure: null };
      return { output: null, failure: { code: result.code, message: result.message } };
    });
  }

  /** Returns the id of a call that waits for the person, which is repeated, or a new one. */
  async #callId(key: string, name: string, input: object): Promise<string> {
    const before = this.#entries.findLast((entry) => entry.type === 'started' && entry.key === key);
    if (before?.type === 'started') {
      if (await this.#run.isWaiting(before.callId)) return before.callId;
      await this.#run.endCall({ id: before.callId, name, input }, failed('INTERRUPTED', 'Koda was restarted, and goes on.'));
    }
    const callId = newId('call');
    await this.#append({ type: 'started', key, callId });
    return callId;
  }
}
