import { Command } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Route, routeUrl } from '#contract/routes.ts';
import type { CommandContext } from './client.ts';
import { expiryOf, tokenCommands } from './token.ts';

const token = {
  id: 'tok_0123456789abcdefghjk',
  name: 'Claude Code',
  scopes: ['read', 'write'],
  projects: 'all',
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUsedAt: null,
  expiresAt: null,
};

let requests: unknown[];
let output: { results: string[]; notes: string[] };
let answer: unknown;
beforeEach(() => {
  requests = [];
  output = { results: [], notes: [] };
  answer = { token, secret: 'koda_secret' };
});

async function koda(...args: string[]): Promise<void> {
  const client = {
    call: async (route: Route, input: { body?: unknown }) => {
      requests.push([`${route.method.toUpperCase()} ${routeUrl(route, input)}`, input.body]);
      return answer;
    },
  };
  const terminal = {
    result: (line: string) => output.results.push(line),
    note: (line: string) => output.notes.push(line),
  };
  const program = new Command('koda')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: (text) => output.results.push(text) });
  tokenCommands(program, () => ({ client, terminal, signal: new AbortController().signal }) as unknown as CommandContext);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) command.copyInheritedSettings(program);
  await program.parseAsync(['token', ...args], { from: 'user' });
}

describe('koda token', () => {
  it('G11: creates a token with all rights by default, and prints the secret alone on standard output', async () => {
    await koda('create', '--name', 'Claude Code');
    expect(requests).toEqual([
      ['POST /api/tokens', { name: 'Claude Code', scopes: ['read', 'write', 'run', 'render'], projects: 'all', expiresAt: null }],
    ]);
    expect(output.results).toEqual(['koda_secret']);
    expect(output.notes.join()).toContain('read, write; all projects; no expiry');
  });

  it('G11: creates a token for some projects and scopes, with an expiry', async () => {
    const flags = ['--project', 'prj_a', 'prj_b', '--scope', 'read,render', '--scope', 'run', '--expires', '2027-01-31'];
    await koda('create', '--name', 'Reviewer', ...flags);
    expect(requests).toEqual([
      [
        'POST /api/tokens',
        {
          name: 'Reviewer',
          scopes: ['read', 'render', 'run'],
          projects: ['prj_a', 'prj_b'],
          expiresAt: '2027-01-31T00:00:00.000Z',
        },
      ],
    ]);
  });

  it.each([
    ['create'],
    ['create', '--name', 'x', '--scope', 'admin'],
    ['create', '--name', 'x', '--expires', 'soon'],
    ['revoke'],
  ])('G11: rejects %s %s %s %s without a request', async (...args) => {
    await expect(koda(...args)).rejects.toMatchObject({ name: 'CommanderError' });
    expect(requests).toEqual([]);
  });

  it('G11: lists tokens, and says how to create one if there are none', async () => {
    answer = { items: [{ ...token, projects: ['prj_a'], lastUsedAt: '2026-02-03T00:00:00.000Z' }] };
    await koda('list');
    expect(output.results).toEqual([
      'tok_0123456789abcdefghjk  Claude Code: read, write; prj_a; no expiry, last used 2026-02-03T00:00:00.000Z',
    ]);
    answer = { items: [] };
    await koda('list');
    expect(output.notes.join()).toContain('koda token create');
  });

  it('G11: revokes a token', async () => {
    await koda('revoke', token.id);
    expect(requests).toEqual([[`DELETE /api/tokens/${token.id}`, undefined]]);
  });

  it('G11: reads times of expiry', () => {
    const now = Date.parse('2026-01-01T00:00:00.000Z');
    expect(expiryOf('12h', now)).toBe('2026-01-01T12:00:00.000Z');
    expect(expiryOf('30d', now)).toBe('2026-01-31T00:00:00.000Z');
    expect(expiryOf('2w', now)).toBe('2026-01-15T00:00:00.000Z');
    for (const text of ['', '30', '-1d', 'd', '1.5d', '2026-13-45', 'tomorrow', '999999d'])
      expect(() => expiryOf(text, now)).toThrow();
  });
});
