import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema, type ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { type Caller, type Scope, scopes } from '../access/policies.ts';
import { filmMcp } from '../kinds/film/mcp.ts';
import { createMcpServer, offerOf } from './server.ts';
import type { Studio } from './studio.ts';
import { fileUri, projectUri, videoUri } from './uris.ts';

const offer = offerOf([filmMcp]);
const mcpTools = offer.tools.map(({ tool }) => tool);

const own = newId('prj');
const foreign = newId('prj');
const ownSandbox = newId('sbx');
const foreignSandbox = newId('sbx');

const title = { text: 'Hi', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
const film = {
  ...{ title: 'Film', style: 'smooth', theme: 'paper', aspect: '16:9', fps: 30 },
  scenes: [{ format: 'title', props: title }],
};
/** A valid input of each tool that acts on a project, without the project. */
const inputs: Record<string, Record<string, unknown>> = {
  show_project: {},
  wait_for_project: {},
  answer_question: { approval_id: newId('apr'), text: 'smooth' },
  read_plan: {},
  accept_plan: {},
  change_plan: { feedback: 'shorter' },
  send_feedback: { feedback: 'shorter' },
  accept_preview: {},
  stop_project: {},
  set_scenes: film,
  check_film: {},
  run_command: { command: 'ls' },
  control_process: { pid: 1, action: 'status' },
  preview: {},
  screenshot: { seek_to: 1 },
  still: {},
  render: {},
  cancel_render: { render_id: newId('rnd') },
  render_rows: { rows: [{ title: 'A' }] },
  show_batch: { batch_id: newId('bat') },
  control_batch: { batch_id: newId('bat'), action: 'cancel' },
  list_files: { path: '.' },
  read_file: { path: 'src/App.tsx' },
  write_file: { path: 'src/a.ts', content: 'a' },
  edit_file: { path: 'src/a.ts', edits: [{ find: 'a', replace: 'b' }] },
  append_file: { path: 'src/a.ts', text: 'b' },
  search: { pattern: 'a' },
  find_files: { pattern: '*.ts' },
  view_image: { path: 'public/a.png' },
  apply_code: { rationale: 'a', files: [{ path: 'src/a.ts', action: 'create', content: 'a' }] },
  list_checkpoints: {},
  diff: { checkpoint_id: newId('chk') },
  restore: { checkpoint_id: newId('chk') },
};
const projectTools = Object.entries(inputs);

interface Connected {
  readonly client: Client;
  /** What reached the studio. */
  readonly hits: string[];
}

/** Connects a client whose every request has this caller. The studio behind has no project at all. */
async function connect(
  caller: Partial<Pick<Caller, 'scopes' | 'projects'>>,
  sandboxId: string | null = null,
  capabilities: ClientCapabilities = {},
): Promise<Connected> {
  const hits: string[] = [];
  const hit = (what: string): never => {
    hits.push(what);
    throw new KodaError('NOT_FOUND', 'The studio of this test has nothing.');
  };
  const missing: unknown = new Proxy(async (...input: unknown[]) => hit(input.map(String).join(' ')), { get: () => missing });
  const part = <Name extends keyof Studio>(_name: Name): Studio[Name] => missing as Studio[Name];
  const studio: Studio = {
    projects: part('projects'),
    commands: part('commands'),
    removeProject: part('removeProject'),
    store: part('store'),
    history: part('history'),
    renders: part('renders'),
    bus: part('bus'),
    removeRender: part('removeRender'),
    batches: part('batches'),
    renderedFile: part('renderedFile'),
    sandboxOf: part('sandboxOf'),
    files: part('files'),
    readFile: async (projectId, path) => hit(`${projectId} ${path}`),
    projectOf: (id) =>
      new Map([
        [ownSandbox, own],
        [foreignSandbox, foreign],
      ]).get(id) ?? null,
    view: async () => '<!doctype html><title>View</title>',
  };
  const call = {
    caller: {
      type: 'program' as const,
      id: 'tok_test',
      name: 'test',
      scopes: new Set(scopes),
      projects: new Set([own]),
      ...caller,
    },
    signal: new AbortController().signal,
    address: 'http://localhost:3000',
    sandboxId,
    takesTasks: false,
  };
  const server = createMcpServer({
    studioFor: () => studio,
    offer,
    version: '0.0.0',
    callOf: () => call,
    log: pino({ level: 'silent' }),
  });
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return { client, hits };
}

/** Calls a tool. Returns the code of its error, or `null`. */
async function codeOf(client: Client, name: string, input: Record<string, unknown>): Promise<unknown> {
  const { isError, content } = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
  if (!isError || content[0]?.type !== 'text') return null;
  const body: unknown = JSON.parse(content[0].text);
  return typeof body === 'object' && body !== null && 'error' in body ? Reflect.get(Object(body.error), 'code') : null;
}

describe('tools over MCP', () => {
  it('G11: have a title, a description, schemas and hints', async () => {
    const { client } = await connect({});
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(mcpTools.map(({ name }) => name));
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, title, description, inputSchema.type, outputSchema?.type]).toEqual([
        ...[name, expect.stringMatching(/^[A-Z]/), expect.stringMatching(/\.$/), 'object', 'object'],
      ]);
      expect(Object.keys(annotations ?? {})).toHaveLength(5);
      if (annotations?.readOnlyHint) expect([name, annotations.destructiveHint]).toEqual([name, false]);
    }
  });

  it('G11: are all in this test if they act on a project', () => {
    const acting = mcpTools.filter(({ input }) => 'project_id' in input.shape).map(({ name }) => name);
    expect(acting.sort()).toEqual(Object.keys(inputs).sort());
  });

  it.each(projectTools)('G11: %s never reaches a foreign project', async (name, input) => {
    const { client, hits } = await connect({});
    expect(await codeOf(client, name, { ...input, project_id: foreign })).toBe('NOT_FOUND');
    expect(await codeOf(client, name, { ...input, sandbox_id: foreignSandbox })).toBe('NOT_FOUND');
    expect(await codeOf(client, name, { ...input, project_id: own, sandbox_id: foreignSandbox })).toBe('NOT_FOUND');
    expect(await codeOf(client, name, { ...input, project_id: foreign, sandbox_id: ownSandbox })).toBe('NOT_FOUND');
    expect(await codeOf(client, name, input)).toBe('VALIDATION_ERROR');
    expect(hits).toEqual([]);
  });

  it.each(projectTools)('G11: %s refuses another project’s sandbox before anything is touched', async (name, input) => {
    const { client, hits } = await connect({ projects: 'all' });
    expect(await codeOf(client, name, { ...input, project_id: own, sandbox_id: foreignSandbox })).toBe('FORBIDDEN');
    const named = await connect({ projects: 'all' }, foreignSandbox);
    expect(await codeOf(named.client, name, { ...input, project_id: own })).toBe('FORBIDDEN');
    expect(await codeOf(named.client, name, { ...input, sandbox_id: ownSandbox })).toBe('FORBIDDEN');
    expect([...hits, ...named.hits]).toEqual([]);
  });

  it('G11: find the project by its sandbox, in an argument or a header', async () => {
    const { client, hits } = await connect({});
    await codeOf(client, 'read_file', { path: 'a', sandbox_id: ownSandbox });
    const named = await connect({}, ownSandbox);
    await codeOf(named.client, 'read_file', { path: 'a' });
    expect([...hits, ...named.hits]).toEqual(Array(2).fill(`${own} a`));
  });

  it.each(scopes)('G11: are hidden and refused without the scope %s', async (missing: Scope) => {
    const { client, hits } = await connect({ scopes: new Set(scopes.filter((scope) => scope !== missing)) });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    for (const { name, scope } of mcpTools) {
      expect([name, names.includes(name)]).toEqual([name, scope !== missing]);
      if (scope === missing) expect(await codeOf(client, name, { ...inputs[name], project_id: own })).toBe('FORBIDDEN');
    }
    expect(hits).toEqual([]);
  });

  it('G11: do not create projects that the token could not see', async () => {
    const { client, hits } = await connect({});
    expect(await codeOf(client, 'make_film', { prompt: 'A ball' })).toBe('FORBIDDEN');
    expect(hits).toEqual([]);
  });

  it('G11: are unknown if they do not exist', async () => {
    const { client } = await connect({});
    await expect(client.callTool({ name: 'rm', arguments: {} })).rejects.toThrow('There is no tool rm');
  });
});

describe('resources over MCP', () => {
  const resources = [projectUri, (id: string) => fileUri(id, 'src/App.tsx'), (id: string) => videoUri(id, newId('rnd'))];

  it('G11: do not exist in a foreign project, or under another address', async () => {
    const { client, hits } = await connect({});
    for (const uri of [...resources.map((of) => of(foreign)), `${projectUri(foreign)}/stills/1.5`])
      await expect(client.readResource({ uri })).rejects.toThrow('There is no project');
    for (const uri of [
      'file:///etc/passwd',
      `${projectUri(own)}/files/%E0%A4%A`,
      `${projectUri(own)}/stills/-1`,
      'koda://projects/x',
    ])
      await expect(client.readResource({ uri })).rejects.toThrow('There is no resource');
    expect(hits).toEqual([]);
  });

  it('G11: need the scope read', async () => {
    const { client, hits } = await connect({ scopes: new Set(['write']) });
    await expect(client.readResource({ uri: projectUri(own) })).rejects.toThrow('scope “read”');
    await expect(client.listResources()).rejects.toThrow('scope “read”');
    expect(hits).toEqual([]);
  });

  it('G11: are not completed for a foreign project', async () => {
    const { client, hits } = await connect({});
    for (const name of ['render_id', 'path']) {
      const ref = { type: 'ref/resource' as const, uri: 'koda://projects/{project_id}/files/{+path}' };
      const context = { arguments: { project_id: foreign } };
      await expect(client.complete({ ref, argument: { name, value: '' }, context })).rejects.toThrow('There is no project');
    }
    expect(hits).toEqual([]);
  });
});

describe('the view for chat clients', () => {
  const uri = 'ui://koda/film.html';
  const mimeType = 'text/html;profile=mcp-app';
  const extension = (mimeTypes: unknown) => ({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } });

  it('X13: is offered to a client that shows interfaces, without any access to the network', async () => {
    const { client } = await connect({}, null, extension([mimeType]));
    const { tools } = await client.listTools();
    const shown = tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta['ui']]]));
    expect(shown).toEqual(
      expect.arrayContaining(['make_film', 'show_project', 'preview', 'render'].map((name) => [name, { resourceUri: uri }])),
    );
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      { uri, mimeType, text: '<!doctype html><title>View</title>', _meta: { ui: { csp: {}, prefersBorder: true } } },
    ]);
  });

  it.each([
    ['without the extension', {}],
    ['with other types', extension(['text/html'])],
    ['with a malformed capability', extension('text/html;profile=mcp-app')],
  ])('X13: does not exist for a client %s', async (_, capabilities) => {
    const { client, hits } = await connect({}, null, capabilities);
    expect(JSON.stringify(await client.listTools())).not.toContain('ui://');
    await expect(client.readResource({ uri })).rejects.toThrow('There is no resource');
    expect(hits).toEqual([]);
  });

  it('X13: needs the scope read', async () => {
    const { client } = await connect({ scopes: new Set(['write']) }, null, extension([mimeType]));
    await expect(client.readResource({ uri })).rejects.toThrow('scope “read”');
  });
});
