import { describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { sampleRender } from '../../test/fixtures/renders.ts';
import { newProject, samplePlan, tempStores, testPerson } from '../../test/fixtures/storage.ts';

type Stores = ReturnType<typeof tempStores>;

/** Returns how SQLite runs the statements of `work` that read events. */
async function eventPlansOf({ database: { sqlite } }: Stores, work: () => Promise<unknown>): Promise<string[]> {
  const prepare = vi.spyOn(sqlite, 'prepare');
  await work();
  const statements = prepare.mock.calls.map(([statement]) => statement);
  prepare.mockRestore();
  return statements
    .filter((statement) => /\bevents\b/.test(statement))
    .flatMap((statement) => {
      const parameters = Array.from(statement.matchAll(/\?/g), () => null);
      return sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).all(...parameters);
    })
    .map(({ detail }) => detail)
    .filter((detail) => /\bevents\b/.test(detail));
}

describe('queries on long histories', () => {
  it.each<[string, (stores: Stores, ids: { projectId: string; renderId: string }) => Promise<unknown>, RegExp]>([
    [
      'the working time of a run',
      ({ runs }, { projectId }) => runs.active(projectId),
      /^SEARCH events USING INDEX events_activity \(project_id=\? AND seq>\?\)$/,
    ],
    [
      'the plan at a checkpoint',
      ({ projects }, { projectId }) => projects.stateAt(projectId, 2),
      /^SEARCH events USING INDEX events_plans \(project_id=\? AND seq<\?\)$/,
    ],
    [
      'the starts of a render',
      ({ renders }, { renderId }) => renders.timesQueued(renderId),
      /^SEARCH events USING INDEX events_queued_renders \(project_id=\?\)$/,
    ],
    [
      'the last tool calls',
      ({ projects }, { projectId }) => projects.snapshot(projectId),
      /^SEARCH events USING INDEX events_activity \(project_id=\?\)$/,
    ],
  ])('M10: %s: reads an index of the events that it needs, not all', async (_, work, plan) => {
    using stores = tempStores();
    const { id: projectId } = await stores.projects.create(newProject());
    const render = sampleRender(projectId);
    await stores.runs.start(projectId, newId('run'));
    await stores.projects.record(
      projectId,
      [
        { type: 'plan.proposed', plan: samplePlan() },
        { type: 'render.queued', render },
      ],
      { by: testPerson },
    );
    const plans = await eventPlansOf(stores, () => work(stores, { projectId, renderId: render.id }));
    expect(plans).toEqual([expect.stringMatching(plan)]);
  });
});
