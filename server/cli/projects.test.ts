import { describe, expect, it } from 'vitest';
import { projectSnapshotSchema } from '#contract/api.ts';
import { type Route, routes, routeUrl } from '#contract/routes.ts';
import type { StudioClient } from './client.ts';
import { cancel, showProject } from './projects.ts';
import type { Terminal } from './terminal.ts';

const id = 'prj_0123456789abcdefghjk';
const at = '2026-01-02T03:04:05.000Z';
const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Returns the output of `koda show` for a project with this usage. */
async function shown(usage: typeof noUsage): Promise<string[]> {
  const snapshot = projectSnapshotSchema.parse({
    project: {
      ...{ id, kind: 'animation', name: 'Ball', prompt: 'A red ball', phase: 'idle', style: null, aspect: null, error: null },
      ...{
        thinking: null,
        running: false,
        sandbox: 'created',
        previewUrl: null,
        previewError: null,
        createdAt: at,
        updatedAt: at,
      },
    },
    ...{
      plan: null,
      todos: [],
      messages: [],
      approval: null,
      permissions: [],
      assets: [],
      renders: [],
      tools: [],
      usage,
      seq: 0,
    },
  });
  const disk = { historyBytes: 1024 * 1024, assetBytes: 0, renderBytes: 0 };
  const client = {
    address: 'http://studio',
    call: async (route: Route) => (route === routes.projectUsage ? disk : snapshot),
  } as unknown as StudioClient;
  const lines: string[] = [];
  await showProject(id, { client, terminal: { result: (line: string) => lines.push(line) } as unknown as Terminal });
  return lines;
}

describe('koda show', () => {
  it('T17: shows usage and cost of the model, or nothing if it was not used', async () => {
    const used = await shown({ inputTokens: 11_800, cachedInputTokens: 9_000, outputTokens: 600, costUsd: 0.0849 });
    const line = 'Model: 12,400 tokens (11,800 in, 9,000 of them cached; 600 out), $0.08';
    expect(used).toContain(line);
    expect(await shown(noUsage)).toEqual(used.filter((other) => other !== line));
  });
});

function studio(status: string) {
  const requests: string[] = [];
  const client = {
    call: async (route: Route, input: object) => {
      if (route.method !== 'get') requests.push(`${route.method.toUpperCase()} ${routeUrl(route, input)}`);
      return { status };
    },
  } as unknown as StudioClient;
  return { requests, client };
}

describe('koda cancel', () => {
  it.each(['queued', 'running'])('A18: cancels a render that is %s', async (status) => {
    const { requests, client } = studio(status);
    await cancel('rnd_x', client);
    expect(requests).toEqual(['DELETE /api/renders/rnd_x']);
  });

  it.each(['complete', 'failed', 'cancelled'])('A18: does not delete a render that is %s', async (status) => {
    const { requests, client } = studio(status);
    await expect(cancel('rnd_x', client)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(requests).toEqual([]);
  });

  it('A10: stops a project', async () => {
    const { requests, client } = studio('complete');
    await cancel('prj_x', client);
    expect(requests).toEqual(['POST /api/projects/prj_x/stop']);
  });

  it('rejects other ids and shows their format', async () => {
    const { requests, client } = studio('complete');
    await expect(cancel('ball', client)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('rnd_'),
    });
    expect(requests).toEqual([]);
  });
});
