import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '#contract/ids.ts';
import type { Caller, Scope } from '../access/policies.ts';
import { mayAccessProject, scopeOf } from '../access/policies.ts';
import { validationProblems } from '../lib/validation-error.ts';
import { projectNotFound } from '../storage/project-rows.ts';
import type { OwnTool, ToolResult } from '../tools/tool.ts';
import type { Call } from './call.ts';
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

export interface Image {
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
  /** The task that a client polls instead of this result. */
  readonly task?: Result | undefined;
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
      const { project_id = null, sandbox_id = null, ...rest } = given as z.output<z.ZodObject<typeof projectFields>>;
      const projectId = projectFor(call, { projectId: project_id, sandboxId: sandbox_id });
      // The types do not show that the rest of the fields is what `input` describes.
      return await run(projectId, rest as z.output<z.ZodObject<Shape>>, call);
    },
  });
}

/** Returns the project that a call acts on. Throws NOT_FOUND, before anything is read, if the caller has no access to it. */
function projectFor(call: ToolCall, { projectId, sandboxId }: { projectId: string | null; sandboxId: string | null }): string {
  const { caller, studio } = call;
  if (projectId !== null) assertVisible(caller, projectId);
  const named = [sandboxId, call.sandboxId].filter((id) => id !== null);
  const owners = named.map((id) => {
    const owner = studio.projectOf(id);
    if (owner !== null && mayAccessProject(caller, owner)) return owner;
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

/** Throws NOT_FOUND for a project that does not exist for the caller, as for one that does not exist at all. */
export function assertVisible(caller: Caller, projectId: string): void {
  if (!mayAccessProject(caller, projectId)) throw projectNotFound(projectId);
}

function invalidInput(name: string, error: z.ZodError): KodaError {
  const problems = validationProblems(error).map(({ field, message }) => `${field || 'input'}: ${message}`);
  return new KodaError(
    'VALIDATION_ERROR',
    `The input to ${name} is not valid: ${problems.join('; ')}. Call it again with these fields corrected.`,
    { details: { problems } },
  );
}

/** A tool's failure, with the code that the tool returned. */
export class ToolFailure extends Error {
  readonly result: Extract<ToolResult, { status: 'error' }>;

  constructor(result: Extract<ToolResult, { status: 'error' }>) {
    super(result.message);
    this.name = 'ToolFailure';
    this.result = result;
  }
}

export interface CompletedCall {
  readonly output: unknown;
  readonly images: readonly { readonly mediaType: string; readonly base64: string }[];
}

/** Calls a tool of the project on the client's behalf. Throws ToolFailure, and KodaError if the call is refused. */
export async function callProjectTool(
  { studio, signal }: ToolCall,
  projectId: string,
  { name, input }: { name: string; input: unknown },
): Promise<CompletedCall> {
  // A program that works on a project keeps its sandbox, as a user does.
  await studio.projects.active(projectId);
  const { result } = await studio.commands.callTool(projectId, name, input, { signal });
  switch (result.status) {
    case 'completed':
      return { output: result.output, images: result.images ?? [] };
    case 'error':
      throw new ToolFailure(result);
    case 'suspended':
      throw new Error(`The tool ${name} waits for an author.`);
  }
}

/** Offers a project's tool under another name. Input, description, scope and hints are those of its declaration. */
export function offerTool(
  tool: OwnTool,
  options: { name: string; title: string; idempotent?: boolean; output: z.ZodObject },
): McpTool {
  return defineProjectTool({
    ...options,
    description: tool.description,
    scope: scopeOf(tool),
    hints: {
      readOnly: tool.readOnly,
      destructive: !tool.readOnly && tool.risk !== 'low',
      idempotent: options.idempotent ?? tool.readOnly,
    },
    input: tool.input as z.ZodObject,
    async run(projectId, input, call) {
      const { output, images } = await callProjectTool(call, projectId, { name: tool.name, input });
      return { output: output as Record<string, unknown>, images };
    },
  });
}
