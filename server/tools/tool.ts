import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { errorMessage, hasCode, isCancelled, KodaError } from '#contract/errors.ts';
import { classify, classifyCode, type Failure } from '#contract/failure.ts';
import { type Phase, phaseSchema } from '#contract/project.ts';
import type { StartedWork } from '#contract/tool-calls.ts';
import {
  type AgentPermission,
  type Risk,
  type ToolCategory,
  type ToolInput,
  type ToolName,
  toolInputs,
} from '#contract/tools.ts';
import { validationProblems } from '../lib/validation-error.ts';
import { isEngineUnavailable } from '../sandbox/engine.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';
import type { ToolContext } from './context.ts';
import { largestIn } from './disk-use.ts';
import { AdaptiveTimeout, TimeLimit } from './time-limit.ts';

export interface ToolImage {
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly base64: string;
}

/** Result of a call. `suspended`: it waits for the user and is called again with the same id once there is a response. */
export type ToolResult =
  | {
      readonly status: 'completed';
      readonly output: unknown;
      readonly summary: string;
      /** Images for models that support them. `output` has the same information as text. */
      readonly images?: readonly ToolImage[] | undefined;
      readonly started?: StartedWork | undefined;
    }
  | {
      readonly status: 'error';
      readonly code: string;
      readonly message: string;
      readonly details: Record<string, unknown> | null;
      readonly images?: readonly ToolImage[] | undefined;
      /** Classification of an exception, if it is more precise than its code's. */
      readonly failure?: Failure;
    }
  | { readonly status: 'suspended' };

export const completed = (
  output: unknown,
  summary: string,
  images?: readonly ToolImage[],
): Extract<ToolResult, { status: 'completed' }> => ({
  status: 'completed',
  output,
  summary,
  images,
});
export const failed = (
  code: string,
  message: string,
  details: Record<string, unknown> | null = null,
): Extract<ToolResult, { status: 'error' }> => ({
  status: 'error',
  code,
  message,
  details,
});

type ErrorDetails = Record<string, unknown>;

/** Formats a failure for the model: what failed, its category, and what to do next. */
export function errorContent(
  result: Extract<ToolResult, { status: 'error' }>,
): Record<string, unknown> & { details?: ErrorDetails } {
  const { code, message, details } = result;
  const { category, recoverable, retryable, delayMs, action } = result.failure ?? classifyCode(code, message);
  return {
    code,
    message,
    category,
    recoverable,
    retryable,
    ...(delayMs > 0 ? { retry_after_ms: delayMs } : {}),
    action,
    ...(details ? { details } : {}),
  };
}

interface ToolOptions<Input> {
  readonly category: ToolCategory;
  readonly risk: Risk;
  /** Time limit; 0 for none, because the tool waits for the user. */
  readonly timeoutMs: number;
  readonly phases: readonly Phase[];
  /** Whether the tool changes nothing, so that calls in one turn may run in parallel. */
  readonly readOnly?: boolean;
  readonly isForAuthors?: boolean;
  /** Whether buttons of surfaces may call the tool by its name, and the form of its output then. */
  readonly action?: ToolAction;
  /** Returns the permission that a call needs beyond the phase, or `null`. */
  readonly permissionFor?: (input: Input) => AgentPermission | null;
  readonly label: (input: Input) => string;
  /** Returns a completed call's history entry. Defaults to its result's summary. */
  readonly historyEntry?: (input: Input) => string;
  readonly run: (input: Input, context: ToolContext) => Promise<ToolResult>;
}

interface ToolAction {
  readonly returns: z.ZodType;
}

/** A tool of Koda or of a kind, whose input a contract defines. */
export interface OwnTool extends Tool {
  readonly input: z.ZodType;
  /** `null` if no button may call it. */
  readonly action: ToolAction | null;
  readonly declaredAs: string;
}

export interface Tool {
  readonly name: string;
  /** Name in its contract. It differs from `name` if a kind renames the tool. `null` for a tool outside Koda. */
  readonly declaredAs: string | null;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly category: ToolCategory;
  readonly risk: Risk;
  readonly timeoutMs: number;
  readonly phases: readonly Phase[];
  readonly readOnly: boolean;
  /** Whether only an author's run may call the tool, because it belongs to the run's todos, plan and conversation. */
  readonly isForAuthors: boolean;
  /** Validates the input and runs within the time limit. Never throws: a failure is a result for the model. */
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
  label(input: unknown): string;
}

/** Reads a file of descriptions. Returns a function that returns its `## name` section. */
export function descriptionsIn(file: URL): (name: string) => string {
  const sections = readFileSync(file, 'utf8').split(/^## /m).slice(1);
  const descriptions = new Map(
    sections.map((section): [string, string] => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), section.slice(end + 1).trim()];
    }),
  );
  return (name) => {
    const description = descriptions.get(name);
    if (description === undefined) throw new Error(`${file.pathname} has no section for the tool ${name}`);
    return description;
  };
}

export const descriptionOf = descriptionsIn(new URL('./descriptions.md', import.meta.url));

export const workPhases: readonly Phase[] = ['executing'];
export const allPhases: readonly Phase[] = phaseSchema.options;

const writingCategories: ReadonlySet<ToolCategory> = new Set(['file', 'code', 'command', 'shell']);

/** Defines a tool of every kind. */
export function defineTool<Name extends ToolName>(name: Name, options: ToolOptions<ToolInput<Name>>): OwnTool {
  const input = toolInputs[name] as unknown as z.ZodType<ToolInput<Name>>;
  return defineKindTool(name, { input, description: descriptionOf(name) }, options);
}

/** Defines a tool with validation, time limit, cancellation and uniform errors. */
export function defineKindTool<Input>(
  name: string,
  { input: schema, description }: { readonly input: z.ZodType<Input>; readonly description: string },
  options: ToolOptions<Input>,
): OwnTool {
  const timeLimit = new AdaptiveTimeout(options.timeoutMs);
  const mayWrite = options.readOnly !== true && writingCategories.has(options.category);
  return {
    name,
    declaredAs: name,
    input: schema,
    description,
    inputSchema: z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>,
    category: options.category,
    risk: options.risk,
    timeoutMs: options.timeoutMs,
    phases: options.phases,
    readOnly: options.readOnly ?? false,
    isForAuthors: options.isForAuthors ?? false,
    action: options.action ?? null,
    label(input) {
      const parsed = schema.safeParse(input);
      return parsed.success ? options.label(parsed.data) : name;
    },
    async call(input, context) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) return invalidInput(name, parsed.error);
      const denied = await deniedPermission(options.permissionFor?.(parsed.data) ?? null, context);
      if (denied !== null) return denied;
      const limitMs = timeLimit.limitMs(context.projectId);
      const timeout = new TimeLimit(limitMs, () => context.waitsForSandbox());
      const signal = AbortSignal.any([context.signal, timeout.signal]);
      try {
        const own = { ...context, signal };
        const result = await options.run(parsed.data, own);
        // A call succeeds only after its files are saved, because a sandbox can crash at any time.
        if (mayWrite && result.status === 'completed') await own.saveWork(options.historyEntry?.(parsed.data) ?? result.summary);
        timeLimit.ended(context.projectId);
        return await withDiskUse(result, context);
      } catch (error) {
        // A call that waited for Docker reports Docker, not its own time limit.
        const isTooSlow = timeout.signal.aborted && !context.signal.aborted && !isEngineUnavailable(error);
        if (isTooSlow) return tooSlow(name, limitMs, timeLimit.timedOut(context.projectId));
        return await withDiskUse(errorResult(error, context.signal), context);
      } finally {
        timeout.end();
      }
    },
  };
}

/** Returns a tool under the name and description that a kind gives it. */
export function renamed(tool: OwnTool, name: string, description = tool.description): OwnTool {
  return { ...tool, name, description };
}

async function deniedPermission(permission: AgentPermission | null, context: ToolContext): Promise<ToolResult | null> {
  if (permission === null || (await context.isPermitted(permission))) return null;
  return failed('NOT_PERMITTED', notPermitted[permission]);
}

const notPermitted: Record<AgentPermission, string> = {
  final_render:
    'The user has not asked for a final video, and Koda renders it once the preview is accepted. Tell the user that the work is ready.',
  discard: 'You do not have permission to destroy the sandbox without saving. Call it with save_state true.',
};

function invalidInput(name: string, error: z.ZodError): ToolResult {
  const problems = validationProblems(error).map(({ field, message }) => `${field || 'input'}: ${message}`);
  return failed(
    'VALIDATION_ERROR',
    `The input to ${name} is not valid: ${problems.join('; ')}. Call it again with these fields corrected.`,
    { problems },
  );
}

/** Converts the exception of a call into a result: by type and code, and by message only if it has neither. */
export function errorResult(error: unknown, signal: AbortSignal): ToolResult {
  if (signal.aborted) return failed('CANCELLED', 'The call was stopped by the user.');
  if (error instanceof SandboxdError) return failed(error.code, error.message, error.details);
  if (isCancelled(error)) return failed('CANCELLED', 'The call was stopped.');
  if (error instanceof KodaError) return { ...failed(error.code, error.message, error.details), failure: classify(error) };
  const code = hasCode(error, 'ENOSPC', 'EDQUOT') ? 'STORAGE_FULL' : 'EXECUTION_FAILED';
  return { ...failed(code, errorMessage(error)), failure: classify(error) };
}

/** Announces more time only if the next call gets it. */
function tooSlow(name: string, limitMs: number, nextMs: number): ToolResult {
  const message = `${name} did not finish within ${limitMs / 1000} s and was stopped.`;
  if (nextMs <= limitMs) return failed('TOOL_TIMEOUT', message);
  const action = 'Work in smaller steps, or call again with more time.';
  const failure = { ...classifyCode('TOOL_TIMEOUT'), action };
  return { ...failed('TOOL_TIMEOUT', `${message} The next call may take ${nextMs / 1000} s.`), failure };
}

/** Adds the largest files to a full-disk error. */
async function withDiskUse(result: ToolResult, context: ToolContext): Promise<ToolResult> {
  if (result.status !== 'error' || result.code !== 'STORAGE_FULL') return result;
  const largest = await context
    .sandbox()
    .then(({ sandbox }) => largestIn(sandbox, { signal: context.signal }))
    .catch(() => []);
  return largest.length === 0 ? result : { ...result, details: { ...result.details, largest } };
}

export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[]) {
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    if (byName.size !== tools.length) throw new Error('Two tools have the same name.');
    this.#tools = byName;
  }

  all(): Tool[] {
    return [...this.#tools.values()];
  }

  /** Returns a tool by its name, or by its declared name, which clients of every kind use. */
  find(name: string): Tool | null {
    return this.#tools.get(name) ?? this.all().find(({ declaredAs }) => declaredAs === name) ?? null;
  }

  offeredIn(phase: Phase): Tool[] {
    return this.all().filter((tool) => tool.phases.includes(phase));
  }

  byCategory(category: ToolCategory): Tool[] {
    return this.all().filter((tool) => tool.category === category);
  }

  byRisk(risk: Risk): Tool[] {
    return this.all().filter((tool) => tool.risk === risk);
  }

  /** Returns whether a call changes nothing, so that it may run in parallel with others. */
  isReadOnly(name: string): boolean {
    return this.#tools.get(name)?.readOnly ?? false;
  }

  label(name: string, input: unknown): string {
    return this.#tools.get(name)?.label(input) ?? name;
  }

  /** Calls a tool by name. If it is unknown or unavailable in this phase, returns an error that lists the available ones. */
  async call(name: string, input: unknown, phase: Phase, context: ToolContext): Promise<ToolResult> {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      return failed('UNKNOWN_TOOL', `The tool "${name}" does not exist. Use one of: ${[...this.#tools.keys()].join(', ')}.`);
    }
    if (!tool.phases.includes(phase)) {
      const offered = this.offeredIn(phase).map((other) => other.name);
      return failed('UNKNOWN_TOOL', `${name} is not available in the phase "${phase}". Available now: ${offered.join(', ')}.`);
    }
    return tool.call(input, context);
  }
}
