import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { RenderEvent, RenderJob } from '#contract/sandbox/answers.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { providerKinds, signal, type TestProvider, testManager, testProvider } from '../fixtures/sandbox.ts';
import { stageJob } from '../fixtures/stage-workspace.ts';

/** The template's own film, whose frames are counted here. */
const durationSeconds = 4;
const film: RenderJob = { ...stageJob, source: 'build', width: 160, height: 90, durationSeconds, fps: 5 };

async function render(
  sandbox: Sandbox,
  job: RenderJob,
  onEvent?: (event: RenderEvent) => void,
): Promise<{ captured: number | null; sha256: string }> {
  for await (const event of sandbox.render(job, { signal })) {
    onEvent?.(event);
    if (event.type === 'error') throw new Error(event.message);
    if (event.type !== 'done') continue;
    const video = await buffer(await sandbox.renderVideo(stageJob.id, { signal }));
    return { captured: event.capturedFrames, sha256: createHash('sha256').update(video).digest('hex') };
  }
  throw new Error('The render ended without a result.');
}

describe.each(providerKinds)('what outlives a sandbox: %s', (kind) => {
  let place: TestProvider;
  const projectId = newId('prj');
  let files: Buffer;
  /** The sandbox that a test leaves to the next one. */
  let kept: Sandbox | null = null;

  beforeAll(async () => {
    place = testProvider(kind);
    const { sandbox } = await place.create();
    await sandbox.init({ template: 'film' }, { signal });
    files = await buffer(await sandbox.exportTar({ since: 0, signal }));
    await place.provider.destroy(sandbox.id, { signal });
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
  });

  /** Creates a new sandbox for the project, with the files of the previous one. */
  const next = async (): Promise<Sandbox> => {
    const { sandbox } = await place.create(projectId);
    await sandbox.init({ template: 'film' }, { signal });
    await sandbox.importTar(Readable.from([files]), { clear: true, signal });
    return sandbox;
  };

  it('X6: a new sandbox of a project captures no frame that an earlier one has captured, and gives the same film', async () => {
    const first = await next();
    const before = await render(first, film);
    expect(before.captured).toBe(film.fps * durationSeconds);
    await place.provider.destroy(first.id, { signal });
    expect(await place.provider.list({ signal })).toEqual([]);
    const second = await next();
    kept = second;
    expect(await render(second, film)).toEqual({ captured: 0, sha256: before.sha256 });
  });

  it('A22: frames that a sandbox captured before it ended during a render are not captured again', async () => {
    // The size differs, so that no frame is cached, and the film is long enough for the encoder's delay not to matter.
    const larger = { ...film, width: 192, height: 108, fps: 60 };
    const total = larger.fps * durationSeconds;
    const first = kept ?? (await next());
    let removed: Promise<void> | null = null;
    const rendering = render(first, larger, (event) => {
      if (event.type === 'progress' && event.framesDone >= total / 4) removed ??= place.provider.destroy(first.id, { signal });
    });
    await expect(rendering).rejects.toThrow();
    await removed;
    const second = await next();
    const { captured } = await render(second, larger);
    expect(captured).toBeGreaterThan(0);
    // A few frames of the first quarter may not have reached the disk.
    expect(captured).toBeLessThan(total * 0.85);
    await place.provider.destroy(second.id, { signal });
  });

  it('A24: a cache is deleted with its project, and caches without a project are swept', async () => {
    const manager = testManager(place.provider);
    const [orphan, used] = [newId('prj'), newId('prj')];
    const { sandbox } = await place.create(orphan);
    await place.provider.destroy(sandbox.id, { signal });
    await place.create(used);
    const caches = async () =>
      (await place.provider.listCaches({ signal })).filter((id) => [orphan, used, projectId].includes(id));
    expect((await caches()).sort()).toEqual([orphan, used, projectId].sort());
    // The project has a sandbox, so its cache is in use whatever the caller passes.
    await manager.sweepCaches(new Set([projectId]), { signal });
    expect((await caches()).sort()).toEqual([used, projectId].sort());
    await manager.destroy(projectId);
    await manager.removeCache(projectId);
    expect(await caches()).toEqual([used]);
    await manager.close({ destroySandboxes: true });
    const again = await next();
    expect((await render(again, film)).captured).toBe(film.fps * durationSeconds);
  });
});
