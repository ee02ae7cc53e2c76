import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { errorMessage } from '#contract/errors.ts';
import { CpuBudget } from './cpu-budget.ts';
import type { DeclaredTool } from './protocol.ts';

const maxSchemaBytes = 32 * 1024;
const maxSchemaDepth = 16;
const checkBudgetMs = 1_000;
const maxProblems = 10;
/** A compiled schema takes about a hundred times its size. */
const maxKeptSchemaBytes = 512 * 1024;

const options: Options = { strict: false, validateFormats: false, inlineRefs: false, logger: false };
/** Compiled once, because that takes longer than the rest of a list. */
const schemaOfSchemas = new Ajv2020(options);
schemaOfSchemas.validateSchema({});

/** Returns why a schema cannot be used for inputs, or `null`. It is compiled only when there is an input to check. */
export async function schemaProblem(schema: Readonly<Record<string, unknown>>, budget: CpuBudget): Promise<string | null> {
  if (schema['type'] !== 'object') return 'Its input schema does not describe an object.';
  if (isDeeper(schema, maxSchemaDepth)) return `Its input schema has more than ${maxSchemaDepth} levels.`;
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > maxSchemaBytes) return `Its input schema is larger than ${maxSchemaBytes / 1024} KB.`;
  if (/"\$(?:ref|dynamicRef)":"(?!#)/.test(text) && !text.includes('"$id":'))
    return 'Its input schema is not valid: it refers to another schema.';
  try {
    if (await budget.run(() => schemaOfSchemas.validateSchema(withoutDraft(schema)))) return null;
  } catch (error) {
    return `Its input schema is not valid: ${errorMessage(error)}.`;
  }
  return `Its input schema is not valid: ${schemaOfSchemas.errorsText(null).slice(0, 200).toWellFormed()}`;
}

/** Checks inputs against the schemas of tools. */
export class InputCheck {
  /** By digest, the least recently used first. */
  readonly #compiled = new Map<string, { readonly validate: ValidateFunction; readonly bytes: number }>();

  /** Returns what is wrong with an input. Empty if it matches the schema. */
  async problemsOf({ digest, inputSchema, problem }: DeclaredTool, input: unknown): Promise<readonly string[]> {
    if (problem !== null) return [problem];
    const budget = new CpuBudget(checkBudgetMs);
    let validate: ValidateFunction;
    try {
      validate = await this.#validatorOf(digest, inputSchema, budget);
    } catch (error) {
      return [`input: the tool’s schema is not valid: ${errorMessage(error).slice(0, 200).toWellFormed()}`];
    }
    try {
      if (await budget.run(() => validate(input))) return [];
    } catch {
      return ['input: the check against the tool’s schema did not finish'];
    }
    return (validate.errors ?? []).slice(0, maxProblems).map(problemText);
  }

  async #validatorOf(digest: string, schema: DeclaredTool['inputSchema'], budget: CpuBudget): Promise<ValidateFunction> {
    const known = this.#compiled.get(digest);
    this.#compiled.delete(digest);
    const entry = known ?? {
      // Servers must not see each other’s identifiers, and an interrupted compiler is not usable again.
      validate: await budget.run(() =>
        new Ajv2020({ ...options, meta: false, validateSchema: false }).compile(withoutDraft(schema)),
      ),
      bytes: JSON.stringify(schema).length,
    };
    this.#compiled.set(digest, entry);
    let bytes = [...this.#compiled.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [oldest, kept] of this.#compiled) {
      if (bytes <= maxKeptSchemaBytes) break;
      this.#compiled.delete(oldest);
      bytes -= kept.bytes;
    }
    return entry.validate;
  }
}

/** Drafts differ too little to refuse a tool because of the one that it names. */
function withoutDraft({ $schema: _, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rest;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function problemText({ instancePath, message = 'is not valid' }: ErrorObject): string {
  return `${instancePath.slice(1).replaceAll('/', '.') || 'input'}: ${message}`.slice(0, 300);
}
