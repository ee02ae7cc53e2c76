import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Scope, scopeSchema, type Token } from '#contract/access.ts';
import { routes } from '#contract/routes.ts';
import type { CommandContext } from './client.ts';

type Output = Pick<CommandContext, 'client' | 'terminal'>;

interface TokenFlags {
  readonly name: string;
  readonly project?: readonly string[];
  readonly scope: readonly Scope[];
  readonly expires?: string;
}

const examples = `
Scopes:
  read    list and read projects, files, plans, checkpoints and videos
  write   change projects, plans and files
  run     run commands, shells, previews and the browser in a project's sandbox
  render  render videos

Examples:
  koda token create --name "Claude Code"
  koda token create --name Reviewer --project prj_… --scope read --expires 30d
  koda token revoke tok_…`;

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** Parses `12h`, `30d`, `4w` or a date into an ISO time. Throws InvalidArgumentError. */
export function expiryOf(text: string, now: number): string {
  const [, amount, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (amount !== undefined) return new Date(now + Number(amount) * (unitMs[unit] ?? 0)).toISOString();
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Expected a time such as 12h, 30d, 4w or 2027-01-31.');
  return new Date(time).toISOString();
}

function scopesOf(text: string, previous: readonly Scope[] | undefined): Scope[] {
  const added = text.split(',').map((name) => {
    const parsed = scopeSchema.safeParse(name.trim());
    if (!parsed.success) throw new InvalidArgumentError(`Expected one or more of: ${scopeSchema.options.join(', ')}.`);
    return parsed.data;
  });
  return [...(previous ?? []), ...added];
}

export async function createToken({ name, project, scope, expires }: TokenFlags, { client, terminal }: Output): Promise<void> {
  const body = {
    name,
    scopes: scope.length === 0 ? [...scopeSchema.options] : [...scope],
    projects: project === undefined ? ('all' as const) : [...project],
    expiresAt: expires ?? null,
  };
  const { token, secret } = await client.call(routes.createToken, { body });
  terminal.note(`Created ${token.id}: ${rightsOf(token)}. Koda stores only a hash, so save the token now:`);
  terminal.result(secret);
}

export async function listTokens({ client, terminal }: Output): Promise<void> {
  const { items } = await client.call(routes.tokens, {});
  for (const token of items) {
    const used = token.lastUsedAt === null ? 'never used' : `last used ${token.lastUsedAt}`;
    terminal.result(`${token.id}  ${token.name}: ${rightsOf(token)}, ${used}`);
  }
  if (items.length === 0) terminal.note('No tokens yet. Create one: koda token create --name "Claude Code"');
}

export async function revokeToken(id: string, { client, terminal }: Output): Promise<void> {
  await client.call(routes.revokeToken, { id });
  terminal.note(`Revoked ${id}. It is refused from now on.`);
}

function rightsOf({ scopes, projects, expiresAt }: Token): string {
  const expiry = expiresAt === null ? 'no expiry' : `expires ${expiresAt}`;
  return `${scopes.join(', ')}; ${projects === 'all' ? 'all projects' : projects.join(', ')}; ${expiry}`;
}

export function tokenCommands(program: Command, context: () => CommandContext): void {
  const token = program
    .command('token')
    .description('manage access tokens of other programs; only on the computer that runs Koda')
    .addHelpText('after', examples);

  token
    .command('create')
    .description('create a token and print it; it is shown only once')
    .requiredOption('--name <name>', 'name of the program that gets the token')
    .addOption(new Option('--project <id...>', 'projects that it may use (default: all)'))
    .addOption(new Option('--scope <scopes>', 'comma-separated scopes').argParser(scopesOf).default([], 'all'))
    .option('--expires <time>', 'when it expires: 12h, 30d, 4w or a date (default: never)', (text) => expiryOf(text, Date.now()))
    .addHelpText('after', examples)
    .action((flags: TokenFlags) => createToken(flags, context()));

  token
    .command('list')
    .description('list the tokens, without their secrets')
    .action(() => listTokens(context()));

  token
    .command('revoke')
    .description('revoke a token at once')
    .argument('<token>', 'token id (tok_…)')
    .action((id: string) => revokeToken(id, context()));
}
