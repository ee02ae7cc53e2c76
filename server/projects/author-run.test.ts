import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { filmKind } from '../kinds/film/kind.ts';
import { completed, defineTool, ToolRegistry } from '../tools/tool.ts';
import type { Author } from './author.ts';
import { authorRun, noServices } from './author-run.ts';
import type { ProjectCore } from './deps.ts';

const minuteMs = 60_000;

afterEach(() => vi.useRealTimers());

it('H7: a run’s working time excludes its wait for other projects’ sandboxes, also after a restart', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 0 });
  using stores = tempStores();
  let waitedMs = 5 * minuteMs;
  const tool = defineTool('set_thinking', {
    category: 'communication',
    risk: 'low',
    timeoutMs: 0,
    phases: ['idle'],
    label: () => 'x',
    run: async () => {
      vi.advanceTimersByTime(60 * minuteMs);
      waitedMs += 50 * minuteMs;
      return completed({}, '');
    },
  });
  const core = {
    store: stores.projects,
    runs: stores.runs,
    kinds: new Map([['animation', filmKind]]),
    toolsOf: () => new ToolRegistry([tool]),
    sandboxes: { current: () => null, isWaiting: () => false, waitedMs: () => waitedMs },
  } as unknown as ProjectCore;
  const { id: projectId } = await stores.projects.create(newProject());
  const runId = newId('run');
  await stores.runs.start(projectId, runId);
  await stores.projects.record(projectId, [{ type: 'run.started', runId }], { by: testPerson });
  const run = await authorRun(core, {
    by: testPerson,
    ...{ projectId, runId, priority: 'background', signal: new AbortController().signal },
    author: { canRepair: false } as Author,
    before: { steps: 0, tokens: 0, costUsd: 0, workedMs: 0 },
  });
  await run.callTool({ id: 'call_1', name: 'set_thinking', input: { message: 'x' } }, { services: noServices });
  expect(run.usage().workedMs).toBe(10 * minuteMs);
  expect(await stores.runs.active(projectId)).toMatchObject({ workedMs: 10 * minuteMs });
});
