import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { workedMs } from './run-store.ts';

describe('run store', () => {
  it('A22: returns the transcript of the newest unfinished run in order', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    expect(await stores.runs.active(id)).toBeNull();
    const [first, second] = [newId('run'), newId('run')];
    await stores.runs.start(id, first);
    await stores.runs.appendMessage(first, { role: 'user', content: 'old' });
    await stores.runs.finish(first, 'failed');
    expect(await stores.runs.active(id)).toBeNull();

    await stores.runs.start(id, second);
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'ü\u2028' }] }, null, 'three', 4];
    for (const message of messages) await stores.runs.appendMessage(second, message);
    expect(await stores.runs.active(id)).toMatchObject({ id: second, projectId: id, steps: 0, messages });
  });

  it('V7: returns the newest ended runs of a project, oldest first, with their transcripts', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const outcomes = ['completed', 'stopped', 'failed'] as const;
    for (const outcome of outcomes) {
      const runId = newId('run');
      await stores.runs.start(id, runId);
      await stores.runs.appendMessage(runId, outcome);
      await stores.runs.finish(runId, outcome);
    }
    await stores.runs.start(id, newId('run'));
    expect(await stores.runs.ended(id, 2)).toMatchObject([
      { outcome: 'stopped', transcript: ['stopped'] },
      { outcome: 'failed', transcript: ['failed'], finishedAt: expect.stringContaining('T') },
    ]);
  });

  it('T17: adds up and stores usage', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const runId = newId('run');
    await stores.runs.start(id, runId);
    await stores.runs.addUsage(runId, { steps: 1, inputTokens: 100, outputTokens: 10, costUsd: 0.25 });
    await stores.runs.addUsage(runId, { steps: 2, inputTokens: 1, outputTokens: 2, costUsd: 0.5 });
    expect(await stores.runs.active(id)).toMatchObject({ steps: 3, inputTokens: 101, outputTokens: 12, costUsd: 0.75 });
    await expect(
      stores.runs.addUsage(newId('run'), { steps: 1, inputTokens: 0, outputTokens: 0, costUsd: 0 }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('T17: computes working time from recorded events, even after the server was killed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    try {
      using stores = tempStores();
      const { id } = await stores.projects.create(newProject());
      const record = async (atMs: number, ...bodies: EventBody[]) => {
        vi.setSystemTime(atMs);
        await stores.projects.record(id, bodies, { by: testPerson });
      };
      const [earlier, runId] = [newId('run'), newId('run')];
      await record(0, { type: 'run.started', runId: earlier });
      await record(60_000, { type: 'run.finished', runId: earlier, outcome: 'failed' });
      vi.setSystemTime(100_000);
      await stores.runs.start(id, runId);
      await record(100_000, { type: 'run.started', runId });
      await record(110_000, { type: 'run.finished', runId, outcome: 'waiting' });
      await record(900_000, { type: 'run.started', runId });
      await record(905_000, { type: 'tool.started', callId: 'c', name: 'x', summary: 'x' });
      await record(999_000, { type: 'thinking', text: 'not of the run' });
      expect(await stores.runs.active(id)).toMatchObject({ workedMs: 15_000 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('T17: records a tool call at its start and end; call ids may repeat in other runs', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const [first, second] = [newId('run'), newId('run')];
    await stores.runs.start(id, first);
    await stores.runs.start(id, second);
    const call = {
      id: 'call_1',
      runId: first,
      name: 'file_edit',
      input: { path: 'a' },
      status: 'running',
      durationMs: null,
      summary: null,
    } as const;
    await stores.runs.recordToolCall(call);
    await stores.runs.recordToolCall({ ...call, runId: second, input: undefined });
    await stores.runs.recordToolCall({ ...call, status: 'completed', durationMs: 12, summary: 'done' });
    const rows = stores.database.sqlite
      .prepare('SELECT run_id, status, duration_ms, summary, input FROM tool_calls ORDER BY status')
      .all();
    expect(rows).toEqual([
      { run_id: first, status: 'completed', duration_ms: 12, summary: 'done', input: '{"path":"a"}' },
      { run_id: second, status: 'running', duration_ms: null, summary: null, input: 'null' },
    ]);
  });
});

const at = (seconds: number, type: string) => ({ type, at: new Date(seconds * 1000).toISOString() });

describe('working time', () => {
  it('T17: excludes time spent waiting for approvals', () => {
    expect(workedMs([at(0, 'run.started'), at(60, 'run.finished'), at(5_000, 'run.started'), at(5_030, 'run.finished')])).toBe(
      90_000,
    );
  });

  it('T17: counts a killed run up to its last event, not up to the restart', () => {
    const marks = [
      at(0, 'run.started'),
      at(10, 'tool.started'),
      at(40, 'tool.finished'),
      at(9_000, 'run.started'),
      at(9_005, 'usage'),
    ];
    expect(workedMs(marks)).toBe(45_000);
    expect(workedMs(marks.slice(0, 3))).toBe(40_000);
    expect(workedMs([])).toBe(0);
  });

  it('T17: never exceeds the time from the first start to the last event', () => {
    const type = fc.constantFrom('run.started', 'run.finished', 'tool.started', 'tool.finished', 'usage');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), type)), (steps) => {
        let clock = 0;
        const marks = steps.map(([seconds, kind]) => {
          clock += seconds;
          return at(clock, kind);
        });
        const worked = workedMs(marks);
        expect(worked).toBeGreaterThanOrEqual(0);
        expect(worked).toBeLessThanOrEqual(clock * 1000);
      }),
    );
  });
});
