import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { renderSummarySchema, stateSchema } from '#contract/mcp-results.ts';
import { renderSchema } from '#contract/render.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { connectMcp, type McpClient } from '../fixtures/mcp-client.ts';
import { pageHeaders } from '../fixtures/page-requests.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const inspector = join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

let studio: TestStudio;
let mcp: McpClient;
/** A finished film of two formats, made by the first test. */
let film: z.infer<typeof stateSchema>;

const list = (items: readonly string[]) => ({
  seconds: 1.5,
  format: 'list',
  props: {
    title: 'Shopping',
    items: items.map((text) => ({ text, icon: null, detail: null, value: null })),
    ...{ numbered: false, highlight: null },
  },
});
const hello = {
  seconds: 1.5,
  format: 'title',
  props: { text: 'Hello', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] },
};
const look = { title: 'Shopping', style: 'smooth', theme: 'forest', aspect: '16:9', fps: 30 };

beforeAll(async () => {
  studio = await startTestStudio();
  mcp = await connectMcp(studio.url);
  film = stateSchema.parse(await mcp.call('make_film', { film: { ...look, scenes: [hello, list(['Milk', 'Bread'])] } }));
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await studio[Symbol.asyncDispose]();
});

/** Calls a tool of the film's project. */
const call = (name: string, input: Record<string, unknown> = {}) => mcp.call(name, { project_id: film.project_id, ...input });

async function code(name: string, input: Record<string, unknown>): Promise<string> {
  const { isError, content } = await mcp.result(name, input);
  expect(isError, JSON.stringify(content)).toBe(true);
  const [first] = content;
  return z.object({ error: z.object({ code: z.string() }) }).parse(JSON.parse(first?.type === 'text' ? first.text : '')).error
    .code;
}

const read = async (path: string): Promise<Buffer> => {
  const { content, encoding } = z
    .object({ content: z.string(), encoding: z.enum(['utf8', 'base64']) })
    .parse(await call('read_file', { path }));
  return Buffer.from(content, encoding);
};

describe('a film over MCP', () => {
  it('G11 X7: is made from formats, without a model, up to its preview', async () => {
    expect(film).toMatchObject({ phase: 'preview', waiting_for: 'preview', plan: { title: 'Shopping', accepted: true } });
    expect(film.plan?.sections.map(({ title }) => title)).toEqual(['Hello', 'Shopping']);
    expect(await call('read_plan')).toMatchObject({
      accepted: true,
      film: { theme: 'forest', scenes: [hello, list(['Milk', 'Bread'])] },
    });
    const { projects } = z
      .object({ projects: z.array(z.object({ project_id: z.string() })) })
      .parse(await mcp.call('list_projects'));
    expect(projects.map(({ project_id: id }) => id)).toContain(film.project_id);
  });

  it('G11: with a mistake in a scene leaves no project behind', async () => {
    const before = await mcp.call('list_projects');
    const wrong = { ...look, scenes: [{ format: 'title', props: { subtitle: 'No text' } }] };
    expect(await code('make_film', { film: wrong })).toBe('VALIDATION_ERROR');
    expect(await mcp.call('list_projects')).toEqual(before);
  });

  it('G11 A33: shows how a prompt is read, and makes what the corrections say', async () => {
    const prompt = 'Title “Open day”. Bring a cup.';
    const read = { prompt, corrections: [{ words: 'Bring a cup.', use: 'leave-out' }] };
    const before = await mcp.call('list_projects');
    const wordsOf = (answer: unknown) => JSON.stringify(answer);
    expect(wordsOf(await mcp.call('read_request', { prompt }))).toContain('"state":"shown","role":"title","scene":1');
    const { film: seen, reading } = (await mcp.call('read_request', read)) as { film: { scenes: unknown }; reading: unknown[] };
    expect(reading).toContainEqual({ words: 'Bring a cup.', state: 'left-out', role: null, scene: null, sets: null });
    expect(await mcp.call('list_projects')).toEqual(before);
    expect(await code('read_request', { prompt, corrections: [{ words: 'a hat', use: 'show' }] })).toBe('VALIDATION_ERROR');

    const { project_id: id } = stateSchema.parse(await mcp.call('make_film', read));
    expect(await mcp.call('read_plan', { project_id: id })).toMatchObject({ film: { scenes: seen.scenes } });
  });

  it('G11 A2: puts the one question to the user, and continues with the answer', async () => {
    await using asking = await connectMcp(studio.url, { capabilities: { elicitation: {} } });
    const asked = vi.fn();
    asking.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked(params);
      return { action: 'accept', content: { option: 'playful' } };
    });
    const state = stateSchema.parse(await asking.call('make_film', { prompt: 'a ball' }));
    expect(asked).toHaveBeenCalledOnce();
    expect(asked.mock.calls[0]?.[0]).toMatchObject({ requestedSchema: { properties: { option: { oneOf: expect.any(Array) } } } });
    expect(state).toMatchObject({ phase: 'plan', waiting_for: 'plan', plan: { summary: expect.stringContaining('playful') } });
  });

  it('G11 A2: returns the question to a client that cannot ask, with its options', async () => {
    const state = stateSchema.parse(await mcp.call('make_film', { prompt: 'a ball' }));
    expect(state).toMatchObject({ phase: 'question', waiting_for: 'question' });
    const [option] = state.question?.options ?? [];
    const id = { project_id: state.project_id };
    expect(
      await mcp.call('answer_question', { ...id, approval_id: state.question?.approval_id, option_id: option?.id }),
    ).toMatchObject({ waiting_for: 'plan' });
    const changed = await mcp.call('change_plan', { ...id, feedback: 'in 9:16' });
    expect(changed).toMatchObject({ waiting_for: 'plan', plan: { summary: expect.stringContaining('9:16'), accepted: false } });
  });
});

describe('files over MCP', () => {
  it('G11: read back byte for byte what was written', async () => {
    const contents = [
      Buffer.from('export const a = 1;\r\n\tno newline at the end'),
      Buffer.from('\uFEFFwith a mark, ünïcode 👋 and \u0000'),
      randomBytes(70_000),
      Buffer.alloc(0),
    ];
    for (const [index, bytes] of contents.entries()) {
      const path = `public/data-${index}.bin`;
      const file = { path, content: bytes.toString('base64'), encoding: 'base64' };
      expect(await call('write_file', file)).toEqual({ path, size_bytes: bytes.length });
      expect((await read(path)).equals(bytes)).toBe(true);
      const uri = `koda://projects/${film.project_id}/files/${path}`;
      const [content] = (await mcp.client.readResource({ uri })).contents;
      const whole =
        content !== undefined && 'blob' in content ? Buffer.from(content.blob, 'base64') : Buffer.from(String(content?.text));
      expect(whole.equals(bytes)).toBe(true);
    }
  });

  it('G11: are found by the sandbox alone, in the seed’s shapes', async () => {
    const sandboxId = stateSchema.parse(await call('show_project')).sandbox_id ?? '';
    await using named = await connectMcp(studio.url, { headers: { 'x-sandbox-id': sandboxId } });
    const path = 'src/film.json';
    expect(await named.call('read_file', { path })).toEqual(await call('read_file', { path }));
    expect(await mcp.call('read_file', { path, sandbox_id: sandboxId })).toEqual(await call('read_file', { path }));
    expect(await named.call('list_files', { path: 'src' })).toEqual(await call('list_files', { path: 'src' }));
    const other = stateSchema.parse(await mcp.call('make_film', { prompt: 'a smooth ball' })).project_id;
    for (const [name, input] of [
      ['read_file', { path }],
      ['write_file', { path: 'src/a.ts', content: '' }],
    ] as const)
      expect(await code(name, { ...input, project_id: other, sandbox_id: sandboxId })).toBe('FORBIDDEN');
    expect(await code('read_file', { path, sandbox_id: 'sbx_0000000000000000' })).toBe('NOT_FOUND');
  });

  it('G11: are listed completely, without a repeat, in one page or in many', async () => {
    await call('run_command', {
      command: 'mkdir -p public/many && cd public/many && seq -f "file-%05g.txt" 1 3000 | xargs touch',
    });
    const expected = Array.from({ length: 3_000 }, (_, index) => `public/many/file-${String(index + 1).padStart(5, '0')}.txt`);
    const pageSchema = z.object({
      files: z.array(z.object({ path: z.string() })),
      next_cursor: z.string().nullable(),
      complete: z.literal(true),
    });
    for (const limit of [20_000, 999]) {
      const paths: string[] = [];
      let cursor: string | null = null;
      do {
        const input = { path: 'public/many', limit, ...(cursor !== null && { cursor }) };
        const page: z.infer<typeof pageSchema> = pageSchema.parse(await call('list_files', input));
        paths.push(...page.files.map(({ path }) => path));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(paths).toEqual(expected);
    }
    await call('run_command', { command: 'rm -r public/many' });
  });

  it('G11: are edited, searched and changed together, and restored', async () => {
    await call('write_file', { path: 'src/note.ts', content: 'export const note = "one";\n' });
    const { checkpoints } = z
      .object({ checkpoints: z.array(z.object({ checkpoint_id: z.string(), title: z.string() })) })
      .parse(await call('list_checkpoints'));
    // A periodic autosave may come first.
    expect(['Wrote src/note.ts', 'Autosave']).toContain(checkpoints[0]?.title);
    await call('edit_file', { path: 'src/note.ts', edits: [{ find: '"one"', replace: '"two"' }] });
    expect(await call('search', { pattern: 'note = "two"' })).toMatchObject({
      matches: [{ path: 'src/note.ts' }],
      complete: true,
    });
    const files = [{ path: 'src/note.ts', action: 'update', content: 'export const note: string = "three";\n' }];
    expect(await call('apply_code', { rationale: 'Third', files })).toMatchObject({ success: true });
    const newest = z
      .object({ checkpoints: z.array(z.object({ checkpoint_id: z.string() })) })
      .parse(await call('list_checkpoints'));
    const shown = { checkpoint_id: newest.checkpoints[0]?.checkpoint_id, path: 'src/note.ts' };
    expect(await call('diff', shown)).toMatchObject({ patch: expect.stringContaining('+export const note: string = "three";') });
    await call('restore', { checkpoint_id: checkpoints[0]?.checkpoint_id });
    expect((await read('src/note.ts')).toString()).toBe('export const note = "one";\n');
  });

  it('G11: run commands, and report failures as results', async () => {
    expect(await call('run_command', { command: 'echo out; echo err >&2; exit 3' })).toMatchObject({
      ...{ stdout: 'out\n', stderr: 'err\n', exit_code: 3 },
    });
    expect(await code('read_file', { project_id: film.project_id, path: 'src/missing.ts' })).toBe('NOT_FOUND');
    expect(await code('write_file', { project_id: film.project_id, path: '../a', content: '' })).toBe('INVALID_PATH');
    expect(await code('show_project', { project_id: 'prj_0000000000000000' })).toBe('NOT_FOUND');
  });
});

describe('pictures and videos over MCP', () => {
  it('G11: are images in the result', async () => {
    for (const [name, input] of [
      ['screenshot', { seek_to: 1 }],
      ['still', { at_seconds: 1 }],
    ] as const) {
      const { isError, content } = await mcp.result(name, { project_id: film.project_id, ...input });
      expect(isError, JSON.stringify(content)).not.toBe(true);
      const image = content.find(({ type }) => type === 'image');
      expect(image).toMatchObject({ mimeType: 'image/jpeg', data: expect.stringMatching(/^\/9j\//) });
    }
    const uri = `koda://projects/${film.project_id}/stills/1.5`;
    const { contents } = await mcp.client.readResource({ uri }, { timeout: 600_000 });
    expect(contents).toMatchObject([{ mimeType: 'image/jpeg', blob: expect.stringMatching(/^\/9j\//) }]);
  });

  it('G11: report their progress, and are a download and a resource in the end', async () => {
    const progress: Progress[] = [];
    const input = { project_id: film.project_id, resolution: '720p', fps: 30 };
    const output = await mcp.call('render', input, { onprogress: (one) => progress.push(one) });
    const { url, resource, size_bytes: sizeBytes } = renderSummarySchema.parse(output);
    expect(output).toMatchObject({ status: 'complete', width: 1280, height: 720, media_type: 'video/mp4' });
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.map((one) => one.progress)).toEqual(progress.map((one) => one.progress).sort((a, b) => a - b));
    const video = Buffer.from(await (await fetch(url ?? '')).arrayBuffer());
    expect(video.length).toBe(sizeBytes);
    const [content] = (await mcp.client.readResource({ uri: resource ?? '' })).contents;
    const blob = Buffer.from(content !== undefined && 'blob' in content ? content.blob : '', 'base64');
    expect(hashOf(blob)).toBe(hashOf(video));
    const { resources } = await mcp.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining([resource, `koda://projects/${film.project_id}`]));
  });

  it('G11: stop when the client cancels, and when it ends its session', async () => {
    const input = { project_id: film.project_id, resolution: '4k', fps: 60 };
    const cancelled = new AbortController();
    const rendering = mcp.result('render', input, { signal: cancelled.signal, onprogress: () => cancelled.abort('enough') });
    await expect(rendering).rejects.toThrow('enough');
    await expectCancelled(1);

    const leaving = await connectMcp(studio.url);
    const lost = leaving.result('render', input, {
      onprogress: () => void leaving.transport.terminateSession().catch(() => undefined),
    });
    lost.catch(() => undefined);
    await expectCancelled(2);
    await leaving.client.close();
    await expect(lost).rejects.toThrow();
  });

  it('G11: complete project ids by id and name', async () => {
    const ref = { type: 'ref/resource' as const, uri: 'koda://projects/{project_id}' };
    for (const value of [film.project_id.slice(0, 10), 'Shop']) {
      const { completion } = await mcp.client.complete({ ref, argument: { name: 'project_id', value } });
      expect(completion.values).toContain(film.project_id);
    }
    const file = { type: 'ref/resource' as const, uri: 'koda://projects/{project_id}/files/{+path}' };
    const context = { arguments: { project_id: film.project_id } };
    const { completion } = await mcp.client.complete({ ref: file, argument: { name: 'path', value: 'src/fi' }, context });
    expect(completion.values).toContain('src/film.json');
  });
});

describe('the rest of the tools over MCP', () => {
  it('G11: return what their schemas say', async () => {
    await call('write_file', { path: 'src/note.ts', content: 'export const note = 1;\n' });
    await call('append_file', { path: 'src/note.ts', text: '// more\n' });
    expect(await call('find_files', { pattern: 'note.ts' })).toEqual({ paths: ['src/note.ts'], complete: true });
    expect(await call('preview')).toMatchObject({ status: 'running', problems: [] });
    expect(await call('check_film')).toMatchObject({ ok: true, problems: [] });
    const { pid } = await call('run_command', { command: 'echo started; sleep 60', background: true });
    expect(await call('control_process', { pid, action: 'stop' })).toMatchObject({ pid, running: false });
    const set = await call('set_scenes', { ...look, scenes: [{ ...hello, id: 'scene-1' }, list(['Milk', 'Bread', 'Tea'])] });
    expect(set).toMatchObject({ scenes: [{ id: 'scene-1' }, { number: 2, format: 'list' }] });
    expect((await read('src/film.json')).toString()).toContain('"Tea"');
    expect(await call('accept_preview')).toMatchObject({ phase: 'complete', waiting_for: null, running: false });
    expect(await call('stop_project')).toMatchObject({ phase: 'complete' });
    expect(await call('wait_for_project')).toMatchObject({ phase: 'complete' });
    const changed = await call('send_feedback', { feedback: 'Make it playful' });
    expect(changed).toMatchObject({ phase: 'preview', plan: { summary: expect.stringContaining('playful') } });
  });
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Waits until this many renders in 4K were started, and all of them were cancelled. */
async function expectCancelled(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const renders = await studio.send('GET', `/api/projects/${film.project_id}/renders`);
      const { items } = z.object({ items: z.array(renderSchema) }).parse(renders);
      const large = items.filter(({ settings }) => settings.height === 2160);
      expect(large.map(({ status }) => status)).toEqual(Array(count).fill('cancelled'));
    },
    { timeout: 120_000, interval: 200 },
  );
}

/** Sends zeros until the server responds, and returns the status and how many bytes were sent by then. */
function flood(headers: Record<string, string | number>): Promise<{ status: number | undefined; text: string; sent: number }> {
  return new Promise((resolve, reject) => {
    const total = 100 * 1024 ** 2;
    const chunk = Buffer.alloc(64 * 1024, '0');
    let sent = 0;
    const outgoing = request(`${studio.url}/mcp`, {
      ...{ method: 'POST' },
      headers: { ...pageHeaders, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    });
    let isAnswered = false;
    outgoing.on('response', (response) => {
      isAnswered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        outgoing.destroy();
        resolve({ status: response.statusCode, text, sent });
      });
    });
    outgoing.on('error', (error) => (isAnswered ? undefined : reject(error)));
    const write = (): void => {
      while (sent < total && !isAnswered) {
        sent += chunk.length;
        if (!outgoing.write(chunk)) {
          outgoing.once('drain', write);
          return;
        }
      }
      outgoing.end();
    };
    write();
  });
}

describe('bad requests over MCP', () => {
  it('G11: of 100 MB are refused before they are read completely', async () => {
    const declared = await flood({ 'content-length': 100 * 1024 ** 2 });
    expect([declared.status, declared.text]).toEqual([413, expect.stringContaining('16777216 bytes')]);
    const chunked = await flood({ 'transfer-encoding': 'chunked' });
    expect([chunked.status, chunked.text]).toEqual([413, expect.stringContaining('16777216 bytes')]);
    expect(chunked.sent).toBeLessThan(50 * 1024 ** 2);
    expect(await mcp.client.ping()).toEqual({});
  });

  it('G6 G11: from other sites, and in other forms, are refused', async () => {
    const attempts = [
      { method: 'POST', headers: { origin: 'https://evil.example' } },
      { method: 'GET', headers: { origin: 'https://evil.example', accept: 'text/event-stream' } },
      { method: 'POST', headers: { 'content-type': 'text/plain' } },
      { method: 'PUT', headers: { 'content-type': 'application/json' } },
    ];
    const statuses = await Promise.all(
      attempts.map(
        async ({ method, headers }) =>
          (await studio.call('/mcp', { method, headers: { ...headers }, ...(method !== 'GET' && { body: '{}' }) })).status,
      ),
    );
    expect(statuses).toEqual([403, 403, 415, 405]);
    const notJson = await studio.call('/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' });
    expect([notJson.status, await notJson.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });
});

const bridgeTo = ({ url, dataDir }: { readonly url: string; readonly dataDir: string }) => ({
  ...{ command: process.execPath, cwd: root, stderr: 'ignore' as const },
  args: ['server/cli/koda.ts', '--url', url, 'mcp'],
  env: { ...getDefaultEnvironment(), KODA_DATA_DIR: dataDir },
});

describe('other ways in', () => {
  it('G11: koda mcp connects a client on standard input and output', async () => {
    const client = new Client({ name: 'stdio', version: '1' });
    await client.connect(new StdioClientTransport(bridgeTo(studio)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('make_film');
    const { structuredContent } = await client.callTool({ name: 'show_project', arguments: { project_id: film.project_id } });
    expect(structuredContent).toMatchObject({ project_id: film.project_id });
    await client.close();
  });

  it('G11: koda mcp continues after the studio has restarted', async () => {
    await using own = await studioProcess();
    await own.start();
    const client = new Client({ name: 'stdio', version: '1' });
    await client.connect(new StdioClientTransport(bridgeTo(own)));
    await own.end('SIGKILL');
    await expect(client.callTool({ name: 'list_projects', arguments: {} })).rejects.toThrow('did not accept the message');
    await own.start();
    const calls = [1, 2, 3].map(() => client.callTool({ name: 'list_projects', arguments: {} }));
    for (const { structuredContent } of await Promise.all(calls))
      expect(structuredContent).toEqual({ projects: [], next_cursor: null });
    await client.close();
  });

  it('G11: koda mcp says how to start the studio if none is running', async () => {
    const args = ['server/cli/koda.ts', '--url', 'http://127.0.0.1:1', 'mcp'];
    await expect(run(process.execPath, args, { cwd: root })).rejects.toMatchObject({
      code: 6,
      stderr: expect.stringContaining('npm start'),
    });
  });

  it('G11: the inspector’s command line lists, writes, reads, runs and renders', async () => {
    const key = `Authorization: Bearer ${readLocalKey(studio.dataDir)}`;
    const inspect = async (...args: string[]): Promise<unknown> => {
      const connection = ['--cli', `${studio.url}/mcp`, '--transport', 'http', '--header', key];
      const { stdout } = await run(process.execPath, [inspector, ...connection, ...args]);
      return JSON.parse(stdout);
    };
    const tool = (name: string, ...args: string[]) =>
      inspect('--method', 'tools/call', '--tool-name', name, '--tool-arg', `project_id=${film.project_id}`, ...args);
    expect(await inspect('--method', 'tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'render' })]),
    });
    await tool('write_file', 'path=src/from-inspector.ts', 'content=export const a = 1;');
    expect(await tool('read_file', 'path=src/from-inspector.ts')).toMatchObject({
      structuredContent: { content: 'export const a = 1;' },
    });
    expect(await tool('run_command', 'command=cat src/from-inspector.ts')).toMatchObject({
      structuredContent: { stdout: 'export const a = 1;', exit_code: 0 },
    });
    expect(await tool('render', 'resolution=720p', 'fps=30')).toMatchObject({ structuredContent: { status: 'complete' } });
  });
});
