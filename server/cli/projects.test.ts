import { describe, expect, it } from 'vitest';
import { projectSnapshotSchema } from '../contract/api.ts';
import { type Route, routes } from '../contract/routes.ts';
import type { StudioClient } from './client.ts';
import { showProject } from './projects.ts';
import type { Terminal } from './terminal.ts';

const id = 'prj_0123456789abcdefghjk';
const at = '2026-01-02T03:04:05.000Z';
const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

/** What `koda show` says of a project whose model used this much. */
async function shown(usage: typeof noUsage): Promise<string[]> {
  const snapshot = projectSnapshotSchema.parse({
    project: {
      ...{ id, kind: 'animation', name: 'Ball', prompt: 'A red ball', phase: 'idle', style: null, aspect: null, error: null },
      ...{ thinking: null, running: false, sandbox: 'created', previewUrl: null, createdAt: at, updatedAt: at },
    },
    ...{ plan: null, todos: [], messages: [], approval: null, assets: [], renders: [], tools: [], usage, seq: 0 },
  });
  const disk = { historyBytes: 1024 * 1024, assetBytes: 0, renderBytes: 0 };
  const client = {
    url: 'http://studio',
    call: async (route: Route) => (route === routes.projectUsage ? disk : snapshot),
  } as unknown as StudioClient;
  const lines: string[] = [];
  await showProject(id, { client, terminal: { result: (line: string) => lines.push(line) } as unknown as Terminal });
  return lines;
}

describe('koda show', () => {
  it('T17: says what the model used and cost, and nothing of it when none was used', async () => {
    const used = await shown({ inputTokens: 11_800, cachedInputTokens: 9_000, outputTokens: 600, costUsd: 0.0849 });
    const line = 'Model: 12,400 tokens (11,800 in, 9,000 of them cached; 600 out), $0.08';
    expect(used).toContain(line);
    expect(await shown(noUsage)).toEqual(used.filter((other) => other !== line));
  });
});
