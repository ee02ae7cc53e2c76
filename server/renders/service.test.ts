import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { type Render, type RenderRequest, renderSchema } from '#contract/render.ts';
import type { RenderEvent, RenderJob } from '#contract/sandbox/answers.ts';
import { sampleProbe } from '../../test/fixtures/renders.ts';
import { testPerson } from '../../test/fixtures/storage.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import { DiskUsage, noDiskLimits } from '../storage/disk-usage.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { RenderService } from './service.ts';

const film = { aspect: '16:9', fps: 60, durationSeconds: 2, fixedParts: [] } as const;
const video = Buffer.from('the bytes of a video');
const thumbnail = Buffer.from([0xff, 0xd8, 0xff]);
const never = new AbortController().signal;

class MemoryStore implements RenderStore {
  readonly events: EventBody[] = [];
  readonly rows = new Map<string, Render>();

  apply(body: EventBody): void {
    this.events.push(body);
    if (body.type === 'render.queued' || body.type === 'render.complete' || body.type === 'render.failed') {
      this.rows.set(body.render.id, renderSchema.parse(body.render));
    }
    const row = body.type === 'render.progress' ? this.rows.get(body.renderId) : undefined;
    if (body.type === 'render.progress' && row) {
      this.rows.set(row.id, { ...row, status: 'running', percent: body.percent, stage: body.stage });
    }
  }

  async get(renderId: string): Promise<Render> {
    const row = this.rows.get(renderId);
    if (!row) throw new KodaError('NOT_FOUND', 'There is no such render.');
    return row;
  }
  async list(projectId: string): Promise<Render[]> {
    return [...this.rows.values()].filter((row) => row.projectId === projectId).toReversed();
  }
  async recentComplete(limit: number): Promise<Render[]> {
    const complete = [...this.rows.values()].filter(({ status }) => status === 'complete');
    return complete.toReversed().slice(0, limit);
  }
  async listUnfinished(): Promise<Render[]> {
    return [...this.rows.values()].filter(({ status }) => status === 'queued' || status === 'running');
  }
  async timesQueued(renderId: string): Promise<number> {
    return this.events.filter((event) => event.type === 'render.queued' && event.render.id === renderId).length;
  }
  async previewsFinishedBefore(moment: string): Promise<Render[]> {
    return [...this.rows.values()].filter((row) => row.settings.kind === 'preview' && row.finishedAt && row.finishedAt < moment);
  }
  async existing(renderIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(renderIds.filter((id) => this.rows.has(id)));
  }
  async delete(renderId: string): Promise<void> {
    this.rows.delete(renderId);
  }
}

type Script = (job: RenderJob, signal: AbortSignal) => AsyncIterable<RenderEvent>;

const done: RenderEvent = {
  type: 'done',
  ...sampleProbe({ durationSeconds: 2, sizeBytes: video.length, frames: 30, width: 640, height: 360, fps: 15 }),
};
const progress = (framesDone: number): RenderEvent => ({
  type: 'progress',
  stage: 'capturing',
  framesDone,
  framesTotal: 30,
  secondsLeft: 1,
});

async function* works(): AsyncIterable<RenderEvent> {
  yield progress(0);
  yield progress(15);
  yield done;
}

async function* hangs(_job: RenderJob, signal: AbortSignal): AsyncIterable<RenderEvent> {
  yield progress(3);
  await delay(60_000, null, { signal });
}

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function setUp(script: Script, previous?: { store: MemoryStore; folder: string }) {
  const store = previous?.store ?? new MemoryStore();
  const folder = previous?.folder ?? join(await mkdtemp(join(tmpdir(), 'koda-renders-')), 'renders');
  if (!previous) folders.push(join(folder, '..'));
  const jobs: RenderJob[] = [];
  const errors: unknown[] = [];
  let delivered: Buffer = video;
  let fetched = 0;
  const sandbox = {
    render: (job: RenderJob, { signal }: { signal: AbortSignal }) => {
      jobs.push(job);
      return script(job, signal);
    },
    renderLive: (id: string) => {
      if (jobs.at(-1)?.id !== id) throw new SandboxdError('NOT_FOUND', 'The render is not running.', {});
      return Promise.resolve(Readable.from(['moov']));
    },
    renderVideo: () => {
      fetched += 1;
      return Promise.resolve(Readable.from([delivered.subarray(0, 5), delivered.subarray(5)]));
    },
    renderThumbnail: () => Promise.resolve(thumbnail),
    deleteRender: () => Promise.resolve(true),
  } as Partial<Sandbox> as Sandbox;
  const service = new RenderService({
    store,
    emit: async (_projectId, _by, ...bodies) => {
      for (const body of bodies) store.apply(body);
    },
    acquire: () => Promise.resolve(sandbox),
    sandboxOf: () => 'running',
    folder,
    disk: new DiskUsage({
      ...noDiskLimits,
      dataDir: join(folder, '..'),
      projectLimitBytes: 20 * 1024 ** 3,
      rendersOf: (projectId) => store.list(projectId),
    }),
    workers: 2,
    preparesFinals: true,
    slots: { heavy: 1, preview: 1 },
    onError: (_id, error) => errors.push(error),
  });
  const deliver = (bytes: Buffer) => {
    delivered = bytes;
  };
  return { service, store, folder, jobs, errors, deliver, fetched: () => fetched };
}

const projectId = newId('prj');
const typesOf = (events: EventBody[]) => events.map(({ type }) => type);

describe('RenderService', () => {
  it('H8: refuses a sparse video of 32 GiB by its size, before anything is copied', async () => {
    const sparse = async function* (): AsyncIterable<RenderEvent> {
      yield { ...done, sizeBytes: 32 * 1024 ** 3 };
    };
    const { service, folder, fetched } = await setUp(sparse);
    const queued = await service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    const render = await service.wait(queued.id, { signal: never });
    expect(render).toMatchObject({ status: 'failed', error: { code: 'STORAGE_FULL' } });
    expect(fetched()).toBe(0);
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  it('H8: ends a video that is longer than its sandbox said', async () => {
    const { service, folder, deliver } = await setUp(works);
    deliver(Buffer.concat([video, Buffer.alloc(1024 * 1024)]));
    const queued = await service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    expect(await service.wait(queued.id, { signal: never })).toMatchObject({
      status: 'failed',
      error: { code: 'RENDER_FAILED' },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('A17, A18: queues, reports progress, publishes with thumbnail and description, and reports measurements', async () => {
    const { service, store, folder, jobs } = await setUp(works);
    const queued = await service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    expect(queued).toMatchObject({ status: 'queued', percent: 0, settings: { width: 640, height: 360, fps: 15, crf: 28 } });
    const render = await service.wait(queued.id, { signal: never });
    expect(render).toMatchObject({
      status: 'complete',
      percent: 100,
      probe: { frames: 30, codec: 'h264', sizeBytes: video.length },
      videoUrl: `/storage/renders/${render.id}/video.mp4`,
      thumbnailUrl: `/storage/renders/${render.id}/thumbnail.jpg`,
      error: null,
    });
    expect(jobs).toMatchObject([
      { id: queued.id, source: 'dev', speed: 'ultrafast', workers: 1, fps: 15, crf: 28, format: 'mp4', preparesFinal: true },
    ]);
    const types = typesOf(store.events);
    expect([types[0], types.at(-1)]).toEqual(['render.queued', 'render.complete']);
    const percents = store.events.flatMap((event) => (event.type === 'render.progress' ? [event.percent] : []));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const stages = store.events.flatMap((event) => (event.type === 'render.progress' ? [event.stage] : []));
    expect(stages.at(-1)).toBe('publishing');
    expect((await readdir(join(folder, render.id))).sort()).toEqual(['render.json', 'thumbnail.jpg', 'video.mp4']);
    expect(await readFile((await service.filePath(render.id, 'video.mp4')) ?? '')).toEqual(video);
    expect(JSON.parse(await readFile(join(folder, render.id, 'render.json'), 'utf8'))).toMatchObject({
      id: render.id,
      probe: { frames: 30 },
    });
  });

  it('A17: renders a final from a production build in final quality', async () => {
    const { service, jobs } = await setUp(works);
    const { id } = await service.start(projectId, { kind: 'final', preset: 'reels' }, film, { by: testPerson });
    await service.wait(id, { signal: never });
    const small = await service.start(projectId, { kind: 'final', fileSize: 'small' }, film, { by: testPerson });
    await service.wait(small.id, { signal: never });
    expect(jobs).toMatchObject([
      { source: 'build', preparesFinal: false, speed: 'fast', workers: 2, width: 1080, height: 1920, fps: 30, crf: 18 },
      { source: 'build', speed: 'medium' },
    ]);
  });

  it('A17: rejects a film that is too long for its preset without queueing it', async () => {
    const { service, store } = await setUp(works);
    const asking = service.start(
      projectId,
      { kind: 'final', preset: 'reels' },
      { ...film, durationSeconds: 91 },
      { by: testPerson },
    );
    await expect(asking).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(store.events).toEqual([]);
  });

  it('A18: never publishes an incomplete video', async () => {
    const { service, folder, deliver } = await setUp(works);
    deliver(video.subarray(0, 10));
    const { id } = await service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    expect(await service.wait(id, { signal: never })).toMatchObject({
      status: 'failed',
      error: { code: 'RENDER_FAILED' },
      videoUrl: null,
    });
    expect(await readdir(folder)).toEqual([]);
    expect(await service.filePath(id, 'video.mp4')).toBeNull();
  });

  it('A18: preserves the code and message of an error', async () => {
    const { service } = await setUp(async function* () {
      yield progress(1);
      throw new SandboxdError('OUT_OF_MEMORY', 'The sandbox ran out of memory.', {});
    });
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    expect(await service.wait(id, { signal: never })).toMatchObject({
      status: 'failed',
      error: { code: 'OUT_OF_MEMORY', message: 'The sandbox ran out of memory.' },
    });
  });

  it.each([
    ['OUT_OF_MEMORY', 'ran out of memory'],
    ['TIMEOUT', 'took too long'],
  ])('A29: retries a final that fails with %s one size lower, down to 720p, and reports each step', async (code, reason) => {
    const { service, store, jobs } = await setUp(async function* () {
      yield progress(1);
      throw new SandboxdError(code, 'It did not fit.', {});
    });
    await service.start(projectId, { kind: 'final', resolution: '4k' }, film, { by: testPerson });
    await expect
      .poll(async () => (await service.list(projectId)).map(({ status }) => status))
      .toEqual(['failed', 'failed', 'failed']);
    expect(jobs.map(({ width, height }) => `${width}×${height}`)).toEqual(['3840×2160', '1920×1080', '1280×720']);
    const messages = store.events.flatMap((event) => (event.type === 'message.added' ? [event.message.content] : []));
    expect(messages).toHaveLength(2);
    expect(messages[0]).toContain(`3840×2160 ${reason}, so I am rendering the video in 1080p`);
    expect(messages[1]).toContain('720p (1280×720)');
    expect((await service.list(projectId)).map(({ error }) => error?.message)).toEqual(Array(3).fill('It did not fit.'));
  });

  it.each<[string, RenderRequest, string]>([
    ['a preview', { kind: 'preview' }, 'OUT_OF_MEMORY'],
    ['a still', { kind: 'final', format: 'png' }, 'OUT_OF_MEMORY'],
    ['an error in the film', { kind: 'final' }, 'CAPTURE_FAILED'],
  ])('A29: does not retry %s in a smaller size', async (_what, request, code) => {
    const { service, store } = await setUp(async function* () {
      yield progress(1);
      throw new SandboxdError(code, 'No.', {});
    });
    const { id } = await service.start(projectId, request, film, { by: testPerson });
    expect(await service.wait(id, { signal: never })).toMatchObject({ status: 'failed', error: { code } });
    expect(typesOf(store.events)).not.toContain('message.added');
    expect(store.rows.size).toBe(1);
  });

  it('A29: a smaller attempt that a server stop interrupted is queued after the restart, once', async () => {
    const first = await setUp(hangs);
    const { id } = await first.service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await first.service.get(id)).status).toBe('running');
    await first.service.close();
    const second = await setUp(async function* (job) {
      yield progress(1);
      if (job.height === 1080) throw new SandboxdError('OUT_OF_MEMORY', 'It did not fit.', {});
      yield done;
    }, first);
    await second.service.resume();
    await expect
      .poll(async () => (await second.service.list(projectId)).map(({ status }) => status))
      .toEqual(['complete', 'failed']);
    expect(second.jobs.map(({ height }) => height)).toEqual([1080, 720]);
  });

  it('A18: retries once in a new sandbox, and fails if that one dies too', async () => {
    let deaths = 0;
    const { service, jobs } = await setUp(async function* () {
      yield progress(9);
      if (++deaths === 1) throw new KodaError('SANDBOX_DEAD', 'It is gone.');
      yield* works();
    });
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    expect(await service.wait(id, { signal: never })).toMatchObject({ status: 'complete' });
    expect(jobs).toHaveLength(2);

    const dying = await setUp(() => {
      throw new KodaError('SANDBOX_DEAD', 'It is gone.');
    });
    const second = await dying.service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    expect(await dying.service.wait(second.id, { signal: never })).toMatchObject({
      status: 'failed',
      error: { code: 'SANDBOX_DEAD' },
    });
    expect(dying.jobs).toHaveLength(2);
  });

  it('A18: retries while the sandbox is still ending a cancelled render', async () => {
    let refusals = 0;
    const { service } = await setUp(() => {
      if (++refusals < 3) throw new SandboxdError('CONFLICT', 'The sandbox is already rendering.', {});
      return works();
    });
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    expect(await service.wait(id, { signal: never })).toMatchObject({ status: 'complete' });
  });
});

describe('live preview', () => {
  const watch = async (service: RenderService, renderId: string) =>
    (await (await service.live(renderId, { signal: never })).toArray()).join('');

  it('A18: streams from the sandbox that renders it, even after a replacement', async () => {
    let deaths = 0;
    const { service } = await setUp(async function* (job, signal) {
      if (++deaths === 1) throw new KodaError('SANDBOX_DEAD', 'It is gone.');
      yield* hangs(job, signal);
    });
    const { id } = await service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    await expect.poll(async () => (await service.get(id)).status).toBe('running');
    expect(await watch(service, id)).toBe('moov');
    await service.cancel(id, testPerson);
    await expect(watch(service, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('A18: is unavailable for a waiting, final, ended or not yet started render', async () => {
    const { service, jobs } = await setUp(hangs);
    const nothing = (id: string) => expect(watch(service, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const final = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    const other = await service.start(newId('prj'), { kind: 'preview' }, film, { by: testPerson });
    const waiting = await service.start(newId('prj'), { kind: 'preview' }, film, { by: testPerson });
    await expect.poll(async () => (await service.get(final.id)).status).toBe('running');
    await nothing(final.id);
    await nothing(waiting.id);
    await service.cancel(other.id, testPerson);
    await expect.poll(async () => (await service.get(waiting.id)).status).toBe('running');
    jobs.length = 0;
    await nothing(waiting.id);
    await service.cancel(waiting.id, testPerson);
    await nothing(newId('rnd'));
  });
});

describe('cancelling', () => {
  it('A18: stops a running render and reports it as cancelled; cancelling is idempotent', async () => {
    const { service, store, folder } = await setUp(hangs);
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await service.get(id)).status).toBe('running');
    await service.cancel(id, testPerson);
    expect(await service.get(id)).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' }, videoUrl: null });
    await service.cancel(id, testPerson);
    expect(typesOf(store.events).filter((type) => type === 'render.failed')).toHaveLength(1);
    expect(await service.wait(id, { signal: never })).toMatchObject({ status: 'cancelled' });
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  it('A18: cancels a waiting render without starting it', async () => {
    const { service, jobs } = await setUp(hangs);
    const first = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    const second = await service.start(newId('prj'), { kind: 'final' }, film, { by: testPerson });
    await service.cancel(second.id, testPerson);
    expect(await service.get(second.id)).toMatchObject({ status: 'cancelled' });
    await service.cancel(first.id, testPerson);
    expect(jobs.map(({ id }) => id)).toEqual([first.id]);
  });

  it('A18: aborting a wait does not stop the render', async () => {
    const { service } = await setUp(hangs);
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    const impatient = AbortSignal.timeout(50);
    await expect(service.wait(id, { signal: impatient })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await service.get(id)).status).toBe('running');
    await service.cancel(id, testPerson);
  });
});

describe('a preview beside a final', () => {
  it('A18: preempts the final of the same project, which resumes without losing progress', async () => {
    let finals = 0;
    const { service, store, jobs } = await setUp(async function* (job, signal) {
      if (job.source === 'build' && ++finals === 1) {
        yield progress(15);
        await delay(60_000, null, { signal });
      }
      yield* works();
    });
    const final = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await service.get(final.id)).status).toBe('running');
    const preview = await service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    expect(await service.wait(preview.id, { signal: never })).toMatchObject({ status: 'complete' });
    expect(await service.wait(final.id, { signal: never })).toMatchObject({ status: 'complete' });
    expect(jobs.map(({ id }) => id)).toEqual([final.id, preview.id, final.id]);
    const told = store.events.filter((event) => event.type === 'render.progress' && event.renderId === final.id);
    const percents = told.flatMap((event) => (event.type === 'render.progress' ? [event.percent] : []));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(typesOf(store.events).filter((type) => type === 'render.failed')).toEqual([]);
  });

  it('A18: a preempted final resumes after a server restart', async () => {
    const first = await setUp(hangs);
    const final = await first.service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await first.service.get(final.id)).status).toBe('running');
    await first.service.start(projectId, { kind: 'preview' }, film, { by: testPerson });
    await first.service.close();
    const second = await setUp(works, first);
    await second.service.resume();
    expect(await second.service.wait(final.id, { signal: never })).toMatchObject({ status: 'complete' });
  });
});

describe('estimates', () => {
  it('A17 A18: estimates from finished renders and the queue, rejects with the same message, and starts nothing', async () => {
    const { service, store } = await setUp(works);
    const unknown = await service.estimate(projectId, { kind: 'final' }, film);
    expect(unknown).toMatchObject({ frames: 120, workSeconds: null, basis: null, ahead: 0, waitSeconds: 0 });
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    const done = await service.wait(id, { signal: never });
    store.rows.set(id, { ...done, renderTimeMs: 20_000 });
    const elsewhere = newId('prj');
    expect(await service.estimate(elsewhere, { kind: 'final', resolution: '4k' }, film)).toMatchObject({
      settings: { width: 3840, height: 2160 },
      basis: 'studio',
      ahead: 0,
    });
    const long = service.estimate(projectId, { kind: 'final', preset: 'reels' }, { ...film, durationSeconds: 91 });
    await expect(long).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { maxSeconds: 90 } });
    expect(store.rows.size).toBe(1);
  });

  it('A18: reports the queue position of each waiting render', async () => {
    const { service } = await setUp(hangs);
    const other = newId('prj');
    const running = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await service.get(running.id)).status).toBe('running');
    const [second, third] = [
      await service.start(projectId, { kind: 'final' }, film, { by: testPerson }),
      await service.start(other, { kind: 'final' }, film, { by: testPerson }),
    ];
    expect(await service.queued(projectId)).toMatchObject([
      { renderId: second.id, position: 2, ahead: 2, startsInSeconds: null },
    ]);
    expect(await service.queued(other)).toMatchObject([{ renderId: third.id, position: 1, ahead: 1, startsInSeconds: 1 }]);
    expect(await service.estimate(other, { kind: 'final' }, film)).toMatchObject({ ahead: 3, waitSeconds: null });
    await service.close();
  });
});

describe('server restart', () => {
  it('A18, A22: requeues waiting renders and restarts running ones once', async () => {
    const first = await setUp(hangs);
    const running = await first.service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    const waiting = await first.service.start(newId('prj'), { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await first.service.get(running.id)).status).toBe('running');
    await first.service.close();
    expect((await first.store.listUnfinished()).map(({ id }) => id)).toEqual([running.id, waiting.id]);

    const second = await setUp(works, first);
    await second.service.resume();
    expect(await second.service.wait(running.id, { signal: never })).toMatchObject({ status: 'complete' });
    expect(await second.service.wait(waiting.id, { signal: never })).toMatchObject({ status: 'complete' });
  });

  it('A18: fails a render that two server stops have interrupted', async () => {
    const first = await setUp(hangs);
    const { id } = await first.service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await expect.poll(async () => (await first.service.get(id)).status).toBe('running');
    await first.service.close();
    const second = await setUp(hangs, first);
    await second.service.resume();
    await expect.poll(async () => (await second.service.get(id)).status).toBe('running');
    await second.service.close();
    const third = await setUp(works, first);
    await third.service.resume();
    expect(await third.service.get(id)).toMatchObject({ status: 'failed', error: { code: 'RENDER_FAILED' } });
    expect(third.jobs).toEqual([]);
  });

  it('A18: removes partially published files at startup', async () => {
    const { service, folder } = await setUp(works);
    const half = join(folder, `${newId('rnd')}.partial-00ff`);
    await mkdir(half, { recursive: true });
    await writeFile(join(half, 'video.mp4'), 'half');
    await service.resume();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('cleanup', () => {
  it('A24: removes previews after a day and files without a render, and keeps finals', async () => {
    const { service, store, folder } = await setUp(works);
    const finish = async (kind: 'preview' | 'final') => {
      const { id } = await service.start(projectId, { kind }, film, { by: testPerson });
      return service.wait(id, { signal: never });
    };
    const [fresh, old, final, orphan] = [
      await finish('preview'),
      await finish('preview'),
      await finish('final'),
      await finish('final'),
    ];
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000).toISOString();
    for (const render of [old, final]) store.rows.set(render.id, { ...render, finishedAt: yesterday });
    store.rows.delete(orphan.id);
    await service.sweep({ nowMs: Date.now(), confirmed: async () => new Set() });
    expect(await service.get(old.id)).toMatchObject({ id: old.id });
    await service.sweep({ nowMs: Date.now(), confirmed: async (ids) => new Set(ids) });
    expect((await readdir(folder)).sort()).toEqual([fresh.id, final.id].sort());
    await expect(service.get(old.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('A24: removing a finished render deletes its row and files; removing a running one cancels it', async () => {
    const { service, folder } = await setUp(works);
    const { id } = await service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await service.wait(id, { signal: never });
    await service.remove(id, testPerson);
    expect(await readdir(folder)).toEqual([]);
    await expect(service.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const slow = await setUp(hangs);
    const running = await slow.service.start(projectId, { kind: 'final' }, film, { by: testPerson });
    await slow.service.remove(running.id, testPerson);
    expect(await slow.service.get(running.id)).toMatchObject({ status: 'cancelled' });
  });
});
