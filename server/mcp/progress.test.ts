import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import pino from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { scopes } from '../access/policies.ts';
import { createMcpServer, offerOf } from './server.ts';
import type { Studio } from './studio.ts';
import { defineMcpTool, type ToolCall } from './tool.ts';

afterEach(() => vi.useRealTimers());

it('F6: a call that waits reports progress at least every 20 seconds, whatever it waits for', async () => {
  vi.useFakeTimers();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const calls: ToolCall[] = [];
  const hang = defineMcpTool({
    ...{ name: 'hang', title: 'Hang', description: 'Waits.', scope: 'read' },
    hints: { readOnly: true, destructive: false, idempotent: true },
    input: z.object({}),
    output: z.object({}),
    async run(_input, call) {
      calls.push(call);
      await ended;
      return { output: {} };
    },
  });
  const server = createMcpServer({
    studioFor: () => ({}) as Studio,
    offer: offerOf([{ instructions: '', tools: [{ after: 'list_projects', tools: [hang] }], views: [] }]),
    version: '0.0.0',
    callOf: () => ({
      caller: { type: 'program', id: 'tok_test', name: 'test', scopes: new Set(scopes), projects: 'all' },
      ...{ signal: new AbortController().signal, address: 'http://localhost:3000', sandboxId: null, takesTasks: false },
    }),
    log: pino({ level: 'silent' }),
  });
  const client = new Client({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const steps: Progress[] = [];
  const options = { onprogress: (step: Progress) => steps.push(step), timeout: 600_000 };
  const result = client.callTool({ name: 'hang', arguments: {} }, undefined, options);

  await vi.advanceTimersByTimeAsync(20_000);
  expect(steps).toMatchObject([{ message: 'Hang is running (15 s)' }]);
  await calls[0]?.progress(40, 100, 'encode: 4 of 10 frames');
  await vi.advanceTimersByTimeAsync(41_000);
  expect(steps.slice(1)).toMatchObject([
    { progress: 40, total: 100, message: 'encode: 4 of 10 frames' },
    { total: 100, message: 'encode: 4 of 10 frames (35 s)' },
    { total: 100, message: 'encode: 4 of 10 frames (50 s)' },
  ]);
  const values = steps.map(({ progress }) => progress);
  expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));

  end();
  await result;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(steps).toHaveLength(4);
});
