import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { errorMessage } from '#contract/errors.ts';

const maxDescriptionCharacters = 2_000;
const maxSchemaBytes = 32 * 1024;
const maxSchemaDepth = 16;
/** For all schemas of a list. */
const compileTimeoutMs = 5_000;
const checkTimeoutMs = 1_000;
const maxProblems = 10;
/** Limit of the Messages API for `<server>__<tool>`. */
const maxNameCharacters = 64;

/** A tool that another server has declared. Everything in it is untrusted. */
export interface DeclaredTool {
  /** Name that the server gave it. */
  readonly name: string;
  /** Name that the agent sees. */
  readonly offeredAs: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  /** Changes with the declaration, so that a permission does not outlive what it was given for. */
  readonly digest: string;
  /** Why the agent cannot have the tool. `null` if it can. */
  readonly problem: string | null;
  /** Returns what is wrong with an input. Empty if it matches the schema. */
  problemsOf(input: unknown): readonly string[];
}

const declarationSchema = z.object({
  name: z.string().min(1).max(200),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.unknown()),
});

/** Reads the entries of a server's tool list. Entries without a usable name are left out. */
export function readDeclarations(server: string, entries: readonly unknown[]): DeclaredTool[] {
  const tools = new Map<string, DeclaredTool>();
  const deadlineMs = performance.now() + compileTimeoutMs;
  for (const entry of entries) {
    const name = nameIn(entry);
    if (name === null) continue;
    const tool = readDeclaration(server, name, { entry, deadlineMs });
    const other = tools.get(tool.offeredAs);
    if (other === undefined) tools.set(tool.offeredAs, tool);
    else tools.set(tool.offeredAs, unavailable(other, `The server has several tools whose name becomes ${tool.offeredAs}.`));
  }
  return [...tools.values()].sort((a, b) => (a.offeredAs < b.offeredAs ? -1 : 1));
}

function nameIn(entry: unknown): string | null {
  const parsed = declarationSchema.pick({ name: true }).safeParse(entry);
  return parsed.success ? parsed.data.name.toWellFormed() : null;
}

function readDeclaration(
  server: string,
  name: string,
  { entry, deadlineMs }: { entry: unknown; deadlineMs: number },
): DeclaredTool {
  const offeredAs = `${server}__${name.replaceAll(/[^\w-]/g, '_')}`;
  const digest = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16);
  const none: DeclaredTool = {
    ...{ name, offeredAs, digest, description: '', inputSchema: { type: 'object' } },
    problem: null,
    problemsOf: () => [],
  };
  const parsed = declarationSchema.safeParse(entry);
  if (!parsed.success) return unavailable(none, 'Its description or input schema is missing or has the wrong type.');
  const { inputSchema } = parsed.data;
  const description = shortened(parsed.data.description);
  const tool = { ...none, description };
  if (offeredAs.length > maxNameCharacters)
    return unavailable(tool, `Its name with the server’s is longer than ${maxNameCharacters} characters.`);
  const problem = schemaProblem(inputSchema);
  if (problem !== null) return unavailable(tool, problem);
  try {
    return { ...tool, inputSchema, problemsOf: compile(inputSchema, Math.max(1, Math.round(deadlineMs - performance.now()))) };
  } catch (error) {
    return unavailable(tool, `Its input schema is not valid: ${errorMessage(error).slice(0, 200).toWellFormed()}`);
  }
}

function unavailable(tool: DeclaredTool, problem: string): DeclaredTool {
  return { ...tool, problem, inputSchema: { type: 'object' }, problemsOf: () => [problem] };
}

function shortened(text: string): string {
  const whole = text.toWellFormed().trim();
  if (whole.length <= maxDescriptionCharacters) return whole;
  return `${whole.slice(0, maxDescriptionCharacters - 1).toWellFormed()}…`;
}

function schemaProblem(schema: Record<string, unknown>): string | null {
  if (schema['type'] !== 'object') return 'Its input schema does not describe an object.';
  if (isDeeper(schema, maxSchemaDepth)) return `Its input schema has more than ${maxSchemaDepth} levels.`;
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  return bytes > maxSchemaBytes ? `Its input schema is larger than ${maxSchemaBytes / 1024} KB.` : null;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function compile(schema: Record<string, unknown>, timeoutMs: number): DeclaredTool['problemsOf'] {
  // Drafts differ too little to refuse a tool because of the one that it names.
  const { $schema: _, ...rest } = schema;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false, inlineRefs: false, logger: false });
  const validate = within(timeoutMs, () => ajv.compile(rest));
  return (input) => {
    try {
      if (within(checkTimeoutMs, () => validate(input))) return [];
    } catch {
      return ['input: the check against the tool’s schema did not finish'];
    }
    return (validate.errors ?? []).slice(0, maxProblems).map(problemText);
  };
}

function problemText({ instancePath, message = 'is not valid' }: ErrorObject): string {
  return `${instancePath.slice(1).replaceAll('/', '.') || 'input'}: ${message}`.slice(0, 300);
}

/** Runs synchronous work with a time limit, because a schema's patterns and references can take exponential time. */
function within<Value>(timeoutMs: number, work: () => Value): Value {
  return runInNewContext('work()', { work }, { timeout: timeoutMs });
}
