import { describe, expect, it } from 'vitest';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';

const later = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

describe('sessions', () => {
  /** Creates two projects with one run each and no sandboxes. The second one is running. */
  async function setUp() {
    const stores = tempStores();
    const ids: string[] = [];
    for (const name of ['at rest', 'at work']) {
      const { id } = await stores.projects.create(newProject({ name }));
      const runId = `run_${name.replace(' ', '_')}`;
      await stores.runs.start(id, runId);
      await stores.runs.appendMessage(runId, { role: 'user', content: 'hello' });
      const call = {
        id: 'call_1',
        runId,
        name: 'write_file',
        input: {},
        status: 'completed',
        durationMs: 1,
        summary: null,
      } as const;
      await stores.runs.recordToolCall(call);
      await stores.projects.record(
        id,
        [
          { type: 'run.started', runId },
          { type: 'sandbox.state', state: 'stopped' },
        ],
        { by: testPerson },
      );
      if (name === 'at rest') {
        await stores.runs.finish(runId, 'completed');
        await stores.projects.record(id, [{ type: 'run.finished', runId, outcome: 'completed' }], { by: testPerson });
      }
      ids.push(id);
    }
    const count = (table: string) => stores.database.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    const statuses = () => stores.database.sqlite.prepare('SELECT status FROM sessions ORDER BY rowid').pluck().all();
    return { stores, ids, count, statuses };
  }

  it('A23: closes a suspended session after a while, unless its project is running', async () => {
    const { stores, statuses } = await setUp();
    using _ = stores;
    expect(await stores.sessionRecords.closeIdle(later(-1))).toBe(0);
    expect(await stores.sessionRecords.closeIdle(later(1))).toBe(1);
    expect(statuses()).toEqual(['closed', 'suspended']);
  });

  it('A23: a new sandbox reactivates a closed session', async () => {
    const { stores, ids, statuses } = await setUp();
    using _ = stores;
    await stores.sessionRecords.closeIdle(later(1));
    await stores.projects.record(ids[0] ?? '', [{ type: 'sandbox.state', state: 'ready' }], { by: testPerson });
    expect(statuses()).toEqual(['active', 'suspended']);
  });

  it('A24: removes old transcripts of closed sessions, but keeps run costs and conversations', async () => {
    const { stores, ids, count } = await setUp();
    using _ = stores;
    expect(await stores.sessionRecords.removeClosed(later(40))).toBe(0);
    await stores.sessionRecords.closeIdle(later(1));
    const before = count('events');
    expect(await stores.sessionRecords.removeClosed(later(-1))).toBe(0);
    expect(await stores.sessionRecords.removeClosed(later(40))).toBe(2);
    expect([count('run_messages'), count('tool_calls'), count('runs'), count('events')]).toEqual([1, 1, 2, before]);
    expect((await stores.runs.active(ids[1] ?? ''))?.messages).toHaveLength(1);
  });
});
