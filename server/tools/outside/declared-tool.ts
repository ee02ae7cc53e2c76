import { createHash } from 'node:crypto';
import { z } from 'zod';
import { outsideToolName } from '#contract/permission.ts';
import { CpuBudget } from './cpu-budget.ts';
import { schemaProblem } from './input-check.ts';
import type { DeclaredTool } from './protocol.ts';

const maxDescriptionCharacters = 2_000;
/** For all schemas of a list. */
const listBudgetMs = 5_000;
const oddName = 'Its name has other characters than letters, digits, “_”, “.” and “-”, or more than 64 of them.';
/** Limit of the Messages API for `<server>__<tool>`. */
const maxNameCharacters = 64;

const declarationSchema = z.object({
  name: z.string().min(1).max(200),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.unknown()),
});

/** Reads the entries of a server's tool list. Entries without a usable name are left out. */
export async function readDeclarations(server: string, entries: readonly unknown[]): Promise<DeclaredTool[]> {
  const tools = new Map<string, DeclaredTool>();
  const budget = new CpuBudget(listBudgetMs);
  for (const entry of entries) {
    const name = nameIn(entry);
    if (name === null) continue;
    const tool = await readDeclaration(server, name, { entry, budget });
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

async function readDeclaration(
  server: string,
  name: string,
  { entry, budget }: { entry: unknown; budget: CpuBudget },
): Promise<DeclaredTool> {
  const none: DeclaredTool = {
    ...{ name, offeredAs: `${server}__${name.replaceAll(/[^\w-]/g, '_')}` },
    digest: createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16),
    ...{ description: '', inputSchema: { type: 'object' }, problem: null },
  };
  const parsed = declarationSchema.safeParse(entry);
  if (!parsed.success) return unavailable(none, 'Its description or input schema is missing or has the wrong type.');
  const { inputSchema } = parsed.data;
  const tool = { ...none, description: shortened(parsed.data.description) };
  if (!outsideToolName.test(name)) return unavailable({ ...none, name: none.offeredAs.slice(server.length + 2) }, oddName);
  if (tool.offeredAs.length > maxNameCharacters)
    return unavailable(tool, `Its name with the server’s is longer than ${maxNameCharacters} characters.`);
  const problem = await schemaProblem(inputSchema, budget);
  return problem === null ? { ...tool, inputSchema } : unavailable(tool, problem);
}

const unavailable = (tool: DeclaredTool, problem: string): DeclaredTool => ({
  ...tool,
  problem,
  inputSchema: { type: 'object' },
});

function shortened(text: string): string {
  const whole = text.toWellFormed().trim();
  if (whole.length <= maxDescriptionCharacters) return whole;
  return `${whole.slice(0, maxDescriptionCharacters - 1).toWellFormed()}…`;
}
