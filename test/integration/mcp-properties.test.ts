import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createdTokenSchema } from '#contract/access.ts';
import { stateSchema } from '#contract/mcp-results.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { connectMcp, type McpClient } from '../fixtures/mcp-client.ts';

const runs = { numRuns: 25 };

let studio: TestStudio;
let mcp: McpClient;
let own: z.infer<typeof stateSchema>;
let foreign: z.infer<typeof stateSchema>;

beforeAll(async () => {
  studio = await startTestStudio();
  mcp = await connectMcp(studio.url);
  const scene = {
    format: 'title',
    props: { text: 'Hi', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] },
  };
  const film = { title: 'Hi', style: 'smooth', theme: 'forest', aspect: '16:9', fps: 30, scenes: [scene] };
  const make = async () => stateSchema.parse(await mcp.call('make_film', { film }));
  [own, foreign] = await Promise.all([make(), make()]);
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await studio[Symbol.asyncDispose]();
});

const call = (name: string, input: Record<string, unknown>) => mcp.call(name, { project_id: own.project_id, ...input });
const errorCode = (content: unknown) =>
  z
    .tuple([
      z.object({
        text: z
          .string()
          .transform((text) => z.object({ error: z.object({ code: z.string() }) }).parse(JSON.parse(text)).error.code),
      }),
    ])
    .rest(z.unknown())
    .parse(content)[0].text;

const segment = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9 _.äß漢-]{0,19}[A-Za-z0-9]$/u);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `public/p/${segments.join('/')}.bin`);

const fileSchema = z.object({ content: z.string(), encoding: z.enum(['utf8', 'base64']) });
const listSchema = z.object({ files: z.array(z.object({ path: z.string() })), next_cursor: z.string().nullable() });

async function listed(folder: string, limit: number): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | null = null;
  do {
    const page: z.infer<typeof listSchema> = listSchema.parse(
      await call('list_files', { path: folder, recursive: true, limit, ...(cursor !== null && { cursor }) }),
    );
    paths.push(...page.files.map((file) => file.path));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return paths;
}

describe('properties of the tools over MCP', () => {
  it('G11: any file reads back byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(path, fc.uint8Array({ maxLength: 5_000 }), fc.boolean(), async (file, bytes, asText) => {
        const content = asText ? Buffer.from(bytes).toString('latin1') : Buffer.from(bytes).toString('base64');
        const encoding = asText ? 'utf8' : 'base64';
        await call('write_file', { path: file, content, encoding });
        const read = fileSchema.parse(await call('read_file', { path: file }));
        expect(Buffer.from(read.content, read.encoding)).toEqual(Buffer.from(content, encoding));
      }),
      runs,
    );
    await call('run_command', { command: 'rm -rf public/p' });
  });

  it('G11: any tree is listed without an omission or a repeat, whatever the page size', async () => {
    let folder = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(segment, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 15 }),
        async (names, limit) => {
          folder += 1;
          const root = `public/t${folder}`;
          const files = names.map((name, index) => `${root}/${index % 3 === 0 ? '' : `d${index % 3}/`}${name}.txt`);
          const quoted = files.map((file) => `'${file}'`).join(' ');
          await call('run_command', { command: `mkdir -p ${root}/d1 ${root}/d2 && touch ${quoted}` });
          const found = (await listed(root, limit)).filter((entry) => entry.endsWith('.txt'));
          expect(found.toSorted()).toEqual(files.toSorted());
        },
      ),
      runs,
    );
  });

  it('G11: any call that names a project or a sandbox of another token is refused, and touches no file', async () => {
    const request = { name: 'Guest', scopes: ['read', 'write', 'run', 'render'], projects: [own.project_id] };
    const { secret } = createdTokenSchema.parse(await studio.send('POST', '/api/tokens', request));
    await using guest = await connectMcp(studio.url, { headers: { authorization: `Bearer ${secret}` } });
    const before = await listed('src', 1000);
    const { tools } = await guest.client.listTools();
    const names = tools.filter(({ inputSchema }) => inputSchema.properties?.['project_id'] !== undefined).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(15);
    const target = fc.constantFrom<Record<string, unknown>>(
      { project_id: foreign.project_id },
      { project_id: foreign.project_id, sandbox_id: own.sandbox_id },
      { project_id: own.project_id, sandbox_id: foreign.sandbox_id },
      { sandbox_id: foreign.sandbox_id },
    );
    const input = fc.record({
      path: fc.constant('src/stolen.ts'),
      content: fc.string(),
      command: fc.constant('touch src/stolen.ts'),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), target, input, async (name, place, values) => {
        const { isError, content } = await guest.result(name, { ...values, ...place });
        expect(isError, `${name} ${JSON.stringify(content)}`).toBe(true);
        expect(['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR']).toContain(errorCode(content));
      }),
      runs,
    );
    expect(await listed('src', 1000)).toEqual(before);
    expect(JSON.stringify(await mcp.call('list_files', { project_id: foreign.project_id, path: 'src' }))).not.toContain('stolen');
  });

  it('G11: a token opens its scopes and projects, and nothing after it is revoked', async () => {
    const request = { name: 'Reader', scopes: ['read'], projects: [own.project_id] };
    const { token, secret } = createdTokenSchema.parse(await studio.send('POST', '/api/tokens', request));
    const headers = { authorization: `Bearer ${secret}` };
    const reader = await connectMcp(studio.url, { headers });
    expect(await reader.call('read_file', { project_id: own.project_id, path: 'src/film.json' })).toHaveProperty('content');
    const { tools } = await reader.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('write_file');
    const write = await reader.result('write_file', { project_id: own.project_id, path: 'src/a.ts', content: '' });
    expect(errorCode(write.content)).toBe('FORBIDDEN');
    await studio.send('DELETE', `/api/tokens/${token.id}`);
    await expect(reader.client.listTools()).rejects.toThrow(/401|token/i);
    await reader.client.close();
  });
});
