import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { type JsonRoute, routes } from '#contract/routes.ts';
import { maxDurationSeconds, minSceneSeconds } from '#kinds/film/contract/film.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const run = promisify(execFile);
const prompt = 'Title: Hello\nplayful, 2 seconds';
let studio: Studio;
let folder: string;
let { snapshot, post, until, waitForApproval, files, container: sandboxContainer } = {} as ReturnType<typeof projectsOf>;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'docker' });
  ({ snapshot, post, until, waitForApproval, files, container: sandboxContainer } = projectsOf(studio));
  folder = await mkdtemp(join(tmpdir(), 'koda-videos-'));
});

afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function probe(path: string): Promise<{ codec: string; pixels: string; seconds: number; frames: number; rate: string }> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=codec_name,pix_fmt,r_frame_rate,nb_read_frames:format=duration',
    '-of',
    'json',
    path,
  ]);
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_name: string; pix_fmt: string; r_frame_rate: string; nb_read_frames: string }[];
    format: { duration: string };
  };
  const stream = streams[0];
  if (stream === undefined) throw new Error('no video stream');
  return {
    codec: stream.codec_name,
    pixels: stream.pix_fmt,
    seconds: Number(format.duration),
    frames: Number(stream.nb_read_frames),
    rate: stream.r_frame_rate,
  };
}

describe('the studio, end to end on Docker', () => {
  let projectId: string;

  it('X1, A7, A17: a request becomes a video without a key and without a network', async () => {
    const project = await studio.client.call(routes.createProject, { body: { prompt } });
    projectId = project.id;
    await waitForApproval(projectId, 'plan', 0);
    const { plan } = await snapshot(projectId);
    expect(plan?.accepted).toBe(false);
    expect(await sandboxContainer(projectId)).toBe('');
    await post(projectId, 'plan', { action: 'accept' });

    const seen: ProjectEvent[] = [];
    await until(
      projectId,
      0,
      (event) => seen.push(event) > 0 && event.type === 'approval.requested' && event.approval.type === 'preview',
    );
    const types = new Set(seen.map((event) => event.type));
    for (const type of [
      'code.chunk',
      'file.written',
      'todo.updated',
      'thinking',
      'sandbox.state',
      'preview.ready',
      'render.progress',
      'render.complete',
      'checkpoint.saved',
    ]) {
      expect([...types], type).toContain(type);
    }
    expect(seen.map((event) => event.seq)).toEqual(seen.map((_, index) => index + 1));

    await post(projectId, 'preview', { action: 'accept' });
    const { seq } = await snapshot(projectId);
    const render = await studio.client.call(routes.startRender, {
      id: projectId,
      body: { kind: 'final', resolution: '720p', fps: 30 },
    });
    const done = await until(projectId, seq, (event) => event.type === 'render.complete' && event.render.id === render.id);
    if (done.type !== 'render.complete' || done.render.videoUrl === null) throw new Error('no video');
    const file = join(folder, 'hello.mp4');
    await writeFile(file, Buffer.from(await (await fetch(studio.url + done.render.videoUrl)).arrayBuffer()));
    const video = await probe(file);
    const planned = outlineIn(plan).durationSeconds;
    expect(video).toMatchObject({ codec: 'h264', pixels: 'yuv420p', rate: '30/1', frames: Math.round(planned * 30) });
    expect(Math.abs(video.seconds - planned)).toBeLessThanOrEqual(1 / 30 + 1e-6);
  });

  it('A15: the live preview responds only on its own origin', async () => {
    const { project } = await snapshot(projectId);
    const preview = new URL(project.previewUrl ?? '');
    expect(preview.hostname.endsWith('.localhost')).toBe(true);
    const { stdout } = await run('curl', ['-s', '-H', `Host: ${preview.host}`, `http://127.0.0.1:${preview.port}/`]);
    expect(stdout).toContain('<div id="root"');
    const { stdout: api } = await run('curl', [
      '-s',
      '-H',
      `Host: ${preview.host}`,
      `http://127.0.0.1:${preview.port}/api/projects`,
    ]);
    expect(api).not.toContain(projectId);
    const { stdout: studioPage } = await run('curl', [
      ...['-s', '-H', 'Sec-Fetch-Site: same-origin'],
      `http://127.0.0.1:${preview.port}/api/projects`,
    ]);
    expect(studioPage).toContain(projectId);
  });

  it('A9: feedback changes only what it requests, and leaves every other file byte-identical', async () => {
    const before = await files(projectId);
    const { seq } = await snapshot(projectId);
    await post(projectId, 'messages', { content: 'more cinematic' });
    await waitForApproval(projectId, 'preview', seq);
    const after = await files(projectId);
    const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
    expect(changed.toSorted()).toEqual(['src/film.json', 'src/theme.ts']);
    const { messages } = await snapshot(projectId);
    expect(messages.findLast((message) => message.role === 'assistant')?.content.toLowerCase()).toContain('cinematic');
  });

  it('A22: replaces a dead sandbox and restores its files', async () => {
    const before = await files(projectId);
    const container = await sandboxContainer(projectId);
    expect(container).not.toBe('');
    await run('/usr/bin/docker', ['kill', container]);
    const { seq } = await snapshot(projectId);
    await post(projectId, 'messages', { content: 'make the film 3 seconds long' });
    await waitForApproval(projectId, 'preview', seq);
    const { plan, renders } = await snapshot(projectId);
    expect(plan?.accepted).toBe(true);
    expect(outlineIn(plan).durationSeconds).toBe(3);
    expect(renders.some((render) => render.settings.kind === 'preview' && render.probe?.frames === 3 * 15)).toBe(true);
    const after = await files(projectId);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    expect(await sandboxContainer(projectId)).not.toBe(container);
  });

  it('A22, X6: a final render whose sandbox is killed resumes in a new one, which captures only missing frames', async () => {
    const { seq } = await snapshot(projectId);
    const container = await sandboxContainer(projectId);
    const frames = 180;
    const render = await studio.client.call(routes.startRender, {
      id: projectId,
      body: {
        // Uses a separate size, so that no frame is cached.
        kind: 'final',
        resolution: '1080p',
        fps: 60,
        range: { fromFrame: 0, toFrame: frames },
      },
    });
    const hasBegun = (event: ProjectEvent) =>
      event.type === 'render.progress' && event.renderId === render.id && event.framesDone >= frames / 6;
    await until(projectId, seq, hasBegun);
    await run('/usr/bin/docker', ['kill', container]);
    const ended = (event: ProjectEvent) =>
      (event.type === 'render.complete' || event.type === 'render.failed') && event.render.id === render.id;
    const done = await until(projectId, seq, ended);
    if (done.type !== 'render.complete') throw new Error(JSON.stringify(done));
    const captured = done.render.probe?.capturedFrames;
    expect(done.render.probe?.frames).toBe(frames);
    expect(captured).toBeGreaterThan(0);
    expect(captured).toBeLessThan(frames * 0.9);
    expect(await sandboxContainer(projectId)).not.toBe(container);
  });

  it('X7: a server that is killed during the work resumes it after a restart', async () => {
    const project = await studio.client.call(routes.createProject, {
      body: { prompt: 'Title: Good night\nsmooth, 2 seconds' },
    });
    await waitForApproval(project.id, 'plan', 0);
    await post(project.id, 'plan', { action: 'accept' });
    await until(project.id, 0, (event) => event.type === 'file.written');
    await studio.kill();
    await studio.restart();
    await waitForApproval(project.id, 'preview', 0);
    const { todos, project: state } = await snapshot(project.id);
    expect(state.phase).toBe('preview');
    expect(todos.every((todo) => todo.status === 'done')).toBe(true);
  });

  it('A10: a stop ends the work quickly, and a retry finishes it', async () => {
    const project = await studio.client.call(routes.createProject, {
      body: { prompt: 'Title: Good morning\nsmooth, 2 seconds' },
    });
    await waitForApproval(project.id, 'plan', 0);
    await post(project.id, 'plan', { action: 'accept' });
    await until(project.id, 0, (event) => event.type === 'file.written');
    await post(project.id, 'stop', {});
    const stopped = await snapshot(project.id);
    expect(stopped.project).toMatchObject({ phase: 'error', running: false, error: { code: 'CANCELLED', canRetry: true } });
    await post(project.id, 'retry', {});
    await waitForApproval(project.id, 'preview', stopped.seq);
  });

  it.each([
    ['an empty prompt', { prompt: '' }, 'VALIDATION_ERROR'],
    ['20,001 characters', { prompt: 'x'.repeat(20_001) }, 'TOO_LARGE'],
    ['an unknown kind', { prompt: 'x', kind: 'poem' }, 'VALIDATION_ERROR'],
  ])('G9: refuses %s with the error envelope', async (_what, body, code) => {
    const error = await studio.client.call(routes.createProject as JsonRoute, { body }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KodaError);
    expect(error).toMatchObject({ code });
  });

  it.each(['schreib mir ein Gedicht über Steuern', '🙃🙃🙃'])(
    'A2: the vague request “%s” leads to a question, and its answer to a plan',
    async (vague) => {
      const project = await studio.client.call(routes.createProject, { body: { prompt: vague } });
      const asked = await until(project.id, 0, (event) => event.type === 'approval.requested');
      expect(asked).toMatchObject({ approval: { type: 'question' } });
      const option = asked.type === 'approval.requested' ? asked.approval.options[0] : undefined;
      expect(option).toBeDefined();
      await post(project.id, 'answer', { optionId: option?.id });
      await waitForApproval(project.id, 'plan', asked.seq);
    },
  );

  it.each(['a ball for 3 hours', 'a ball, 0 seconds', '- 0 seconds\n- 3 hours'])(
    'A2: the odd request “%s” leads to a plan within the limits',
    async (odd) => {
      const project = await studio.client.call(routes.createProject, { body: { prompt: odd } });
      await until(project.id, 0, (event) => event.type === 'approval.requested' && event.approval.type === 'plan');
      const { plan } = await snapshot(project.id);
      expect(outlineIn(plan).durationSeconds).toBeGreaterThanOrEqual(minSceneSeconds);
      expect(outlineIn(plan).durationSeconds).toBeLessThanOrEqual(maxDurationSeconds);
    },
  );

  it('A24: a deleted project leaves nothing at the container engine', async () => {
    const volumes = async () => {
      const filters = [`label=koda.instance=${studio.instance}`, `label=koda.project=${projectId}`];
      const { stdout } = await run('/usr/bin/docker', [
        'volume',
        'ls',
        '--quiet',
        ...filters.flatMap((one) => ['--filter', one]),
      ]);
      return stdout.split('\n').filter(Boolean);
    };
    expect(await volumes()).toContain(`koda-${studio.instance}-cache-${projectId}`);
    await studio.client.call(routes.deleteProject, { id: projectId });
    // If the engine is too busy to remove them with the project, the cleanup does so within a minute.
    await expect.poll(volumes).toEqual([]);
    await expect.poll(() => sandboxContainer(projectId)).toBe('');
  });
});
