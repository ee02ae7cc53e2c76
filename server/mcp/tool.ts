import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '#contract/ids.ts';
import type { Caller, Scope } from '../access/caller.ts';
import { projectNotFound } from '../storage/project-rows.ts';
import type { Call } from './sessions.ts';
import type { Studio } from './studio.ts';

export interface Question {
  readonly content: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

export type Answer = { readonly optionId: string } | { readonly text: string };

/** What a tool can use during a call. */
export interface ToolCall extends Call {
  readonly studio: Studio;
  /** Reports progress to a client that has asked for it. `total` is `null` if it is unknown. */
  progress(done: number, total: number | null, message: string): Promise<void>;
  /** Asks the user through the client. Returns `null` if the client cannot ask, or if the user does not answer. */
  ask(question: Question): Promise<Answer | null>;
}

interface Image {
  readonly mediaType: string;
  readonly base64: string;
}

interface Link {
  readonly uri: string;
  readonly name: string;
  readonly mediaType: string;
}

export interface ToolOutput<Output> {
  readonly output: Output;
  readonly images?: readonly Image[] | undefined;
  readonly links?: readonly Link[] | undefined;
}

interface Hints {
  /** Whether it changes nothing. */
  readonly readOnly: boolean;
  /** Whether it can discard work. */
  readonly destructive: boolean;
  /** Whether a repeated call changes nothing more. */
  readonly idempotent: boolean;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly hints: Hints;
  readonly input: Input;
  readonly output: Output;
}

export interface McpTool extends Definition<z.ZodObject, z.ZodObject> {
  /** Throws KodaError. */
  run(input: unknown, call: ToolCall): Promise<ToolOutput<Record<string, unknown>>>;
}

/** Defines a tool. Its schemas validate input and output, and describe them to clients. */
export function defineMcpTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output> & {
    readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolOutput<z.input<Output>>>;
  },
): McpTool {
  return {
    ...definition,
    async run(input, call) {
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) throw invalidInput(definition.name, parsed.error);
      const result = await definition.run(parsed.data, call);
      return { ...result, output: definition.output.parse(result.output) };
    },
  };
}

const projectFields = {
  project_id: projectIdSchema.optional().describe('the project; only optional if sandbox_id names its running sandbox'),
  sandbox_id: sandboxIdSchema.optional().describe('the project’s running sandbox, as an alternative to project_id'),
};

/** Defines a tool for one project, which must exist for the caller. */
export function defineProjectTool<Shape extends z.ZodRawShape, Output extends z.ZodObject>({
  input,
  run,
  ...definition
}: Omit<Definition<z.ZodObject, Output>, 'input'> & {
  readonly input: z.ZodObject<Shape>;
  readonly run: (projectId: string, input: z.output<z.ZodObject<Shape>>, call: ToolCall) => Promise<ToolOutput<z.input<Output>>>;
}): McpTool {
  return defineMcpTool({
    ...definition,
    input: z.object({ ...projectFields, ...input.shape }),
    async run(given, call) {
      const { project_id = null, sandbox_id = null, ...rest } = z.looseObject(projectFields).parse(given);
      const projectId = projectFor(call, { projectId: project_id, sandboxId: sandbox_id });
      return await run(projectId, input.parse(rest), call);
    },
  });
}

/** Returns the project that a call acts on, if it may exist for the caller. Throws before anything of a project is touched. */
function projectFor(call: ToolCall, { projectId, sandboxId }: { projectId: string | null; sandboxId: string | null }): string {
  const { caller, studio } = call;
  if (projectId !== null) assertVisible(caller, projectId);
  const named = [sandboxId, call.sandboxId].filter((id) => id !== null);
  const owners = named.map((id) => {
    const owner = studio.projectOf(id);
    if (owner !== null && isVisible(caller, owner)) return owner;
    throw new KodaError(
      'NOT_FOUND',
      `There is no running sandbox ${id}. Leave it out: Koda starts the project’s sandbox when it is needed.`,
      { recovery: 'omit_sandbox' },
    );
  });
  const chosen = projectId ?? owners[0];
  if (chosen === undefined)
    throw new KodaError('VALIDATION_ERROR', 'The call names no project. Set project_id; list_projects lists them.', {
      details: { field: 'project_id' },
      recovery: 'list_projects',
    });
  if (owners.some((owner) => owner !== chosen))
    throw new KodaError('FORBIDDEN', `The sandbox ${named.join(' and ')} belongs to another project than ${chosen}.`, {
      recovery: 'omit_sandbox',
    });
  return chosen;
}

function isVisible({ projects }: Caller, projectId: string): boolean {
  return projects === 'all' || projects.has(projectId);
}

/** Throws NOT_FOUND for a project that does not exist for the caller, as for one that does not exist at all. */
export function assertVisible(caller: Caller, projectId: string): void {
  if (!isVisible(caller, projectId)) throw projectNotFound(projectId);
}

function invalidInput(name: string, error: z.ZodError): KodaError {
  const problems = error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  return new KodaError(
    'VALIDATION_ERROR',
    `The input to ${name} is not valid: ${problems.join('; ')}. Call it again with these fields corrected.`,
    { details: { problems } },
  );
}
