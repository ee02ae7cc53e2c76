import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import type { AuthorRun } from '../../projects/author.ts';
import type { ApprovalRequest } from '../../tools/context.ts';
import { type Adjustment, decideAfter, type Failed } from '../../tools/decision.ts';
import { failed } from '../../tools/tool.ts';

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

interface CallOptions {
  /** Other ways of doing the same, with the input that they change. */
  readonly adjustments?: readonly (Adjustment & { readonly input: object })[];
}

/** One turn of a job: its questions and calls, each made once. */
export class Turn {
  readonly #run: AuthorRun;
  readonly #entries: Entry[];
  readonly #id: string;

  private constructor(run: AuthorRun, entries: Entry[], id: string) {
    this.#run = run;
    this.#entries = entries;
    this.#id = id;
  }

  static async open(run: AuthorRun): Promise<Turn> {
    const entries = entrySchema.array().parse(await run.transcript());
    const first = entries.find((entry) => entry.type === 'turn');
    if (first !== undefined) return new Turn(run, entries, first.id);
    const id = newId('call');
    const turn = new Turn(run, entries, id);
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

  surfaceId(key: string): string {
    return `${this.#id}-${key}`;
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
      const { result } = await this.#run.callTool(call, { services });
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
