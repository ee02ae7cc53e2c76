import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { startReconciler } from './reconciler.ts';

const log = pino({ level: 'silent' });

describe('reconciler', () => {
  it('A24: looks for orphans at the start and regularly, also after a round that failed', async () => {
    const reconcile = vi.fn(async () => 0).mockRejectedValueOnce(new Error('the engine restarts'));
    const reconciler = startReconciler({
      manager: { reconcile },
      projectIds: async () => new Set(['prj_1']),
      log,
      intervalMs: 5,
    });
    await vi.waitFor(() => expect(reconcile.mock.calls.length).toBeGreaterThan(2));
    expect(reconcile).toHaveBeenCalledWith(new Set(['prj_1']), expect.anything());
    await reconciler.stop();
    const calls = reconcile.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reconcile.mock.calls.length).toBe(calls);
  });

  it('A24: removes nothing when the projects cannot be listed', async () => {
    const reconcile = vi.fn(async () => 0);
    const reconciler = startReconciler({
      manager: { reconcile },
      projectIds: () => Promise.reject(new Error('no database')),
      log,
      intervalMs: 60_000,
    });
    await reconciler.stop();
    expect(reconcile).not.toHaveBeenCalled();
  });
});
