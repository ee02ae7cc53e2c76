import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Render } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { until, untilPasses } from '../fixtures/progress.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';

const entry = join(import.meta.dirname, '../../server/cli/koda.ts');
/** The smallest and shortest films that the product renders. */
const small = ['--resolution', '720p', '--fps', '30'];

let studio: Studio;
let folder: string;
let projectId: string;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'process' });
  folder = await mkdtemp(join(tmpdir(), 'koda-batch-'));
  const prompt = 'smooth, paper theme, 3 seconds\n\nTitle: Hello\n\nPacking list:\n- Torch\n- Bear';
  const made = await koda(['make', prompt, '--yes', ...small, '--format', 'png', '--out', join(folder, 'first.png')]);
  expect(made, made.said).toMatchObject({ exit: 0 });
  projectId = /prj_\w+/.exec(made.said)?.[0] ?? '';
});

afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const running = new Set<ChildProcess>();

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [entry, '--url', studio.url, ...args], {
    cwd: folder,
    env: { ...process.env, KODA_DATA_DIR: studio.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

async function koda(args: readonly string[]): Promise<{ exit: number | null; said: string; saved: string[] }> {
  const child = start(args);
  if (!child.stdout || !child.stderr) throw new Error('The command line has no output.');
  const [saved, said, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { exit: exit as number | null, said, saved: saved.split('\n').filter(Boolean) };
}

const renderAll = (rows: string, out: string, ...options: string[]) =>
  koda(['render', projectId, ...small, '--data', rows, '--out', out, ...options]);

async function rowsFile(rows: readonly unknown[]): Promise<string> {
  const path = join(folder, 'rows.json');
  await writeFile(path, JSON.stringify(rows));
  return path;
}

async function picture(path: string): Promise<PNG> {
  return PNG.sync.read(await readFile(path));
}

/** Returns the fraction of pixels that satisfy a condition. */
function share({ data }: PNG, holds: (red: number, green: number, blue: number, alpha: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (holds(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0)) count++;
  return count / (data.length / 4);
}
const blue = (image: PNG) => share(image, (red, _, blue) => blue > red + 80);
const red = (image: PNG) => share(image, (red, _, blue) => red > blue + 80);

async function newestRender(): Promise<Render> {
  const { renders } = await studio.client.call(routes.project, { id: projectId });
  const [newest] = renders.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (!newest) throw new Error('There is no render.');
  return newest;
}

describe('koda render --data', () => {
  const moment = ['--at', '0.7', '--name-template', '{_name}-{index}'];

  it('T11: renders one file per row with its parameters into its folder, and skips existing files', async () => {
    const rows = await rowsFile([
      { _name: 'red', ink: '#dd0000' },
      { _name: '../blue', ink: '#0000ff' },
    ]);
    const first = await renderAll(rows, 'stills', ...moment);
    expect(first, first.said).toMatchObject({ exit: 0 });
    expect(first.saved).toEqual(['red-1.png', '-blue-2.png'].map((name) => join(folder, 'stills', name)));
    expect((await readdir(join(folder, 'stills'))).sort()).toEqual(['-blue-2.png', 'red-1.png']);
    const [redInk, blueInk] = [
      await picture(join(folder, 'stills/red-1.png')),
      await picture(join(folder, 'stills/-blue-2.png')),
    ];
    expect(red(redInk)).toBeGreaterThan(0.01);
    expect(blue(redInk)).toBe(0);
    expect(red(blueInk)).toBe(0);
    expect(blue(blueInk)).toBeGreaterThan(0.01);
    const again = await renderAll(rows, 'stills', ...moment);
    expect(again, again.said).toMatchObject({ exit: 0, saved: [], said: expect.stringContaining('2 of 2 videos already exist') });
  });

  it('T11: renders nothing if a row does not fit the film, and reports the row and the reason', async () => {
    const rows = await rowsFile([{ scene1Text: 'Fine' }, { ink: 'red' }, { titel: 'Hello' }]);
    const refused = await renderAll(rows, 'refused', '--at', '0.7');
    expect(refused.exit).toBe(2);
    expect(refused.said).toMatch(/2 of 3 rows.*Row 2: The parameter "ink".*Row 3: The film has no parameter "titel"/s);
    expect(await readdir(folder)).not.toContain('refused');
  });

  it('T11, X5: does not recapture frames that a parameter leaves unchanged', async () => {
    // The second scene starts in the middle of these frames.
    const part = ['--frames', '36-55'];
    expect(await koda(['render', projectId, ...small, ...part, '--out', 'part.mp4'])).toMatchObject({ exit: 0 });
    expect((await newestRender()).probe).toMatchObject({ frames: 20, capturedFrames: 20 });
    expect(await renderAll(await rowsFile([{ scene1Text: 'Bye' }]), 'parts', ...part)).toMatchObject({ exit: 0 });
    const { probe } = await newestRender();
    expect(probe?.frames).toBe(20);
    expect(probe?.capturedFrames).toBeGreaterThan(8);
    expect(probe?.capturedFrames).toBeLessThan(18);
  });

  it('T11: Ctrl+C cancels the batch and leaves no partial file', async () => {
    const rows = await rowsFile([{ ink: '#111111' }, { ink: '#222222' }]);
    const child = start(['render', projectId, ...small, '--data', rows, '--out', 'cancelled']);
    const exit = once(child, 'exit');
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain('Rendering');
    child.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
    await expect.poll(async () => (await newestRender()).status).toBe('cancelled');
    expect(await readdir(join(folder, 'cancelled')).catch(() => [])).toEqual([]);
  });
});

describe('koda render', () => {
  it('X9: a transparent image contains only what is in front of the background', async () => {
    const opaque = await picture(join(folder, 'first.png'));
    expect(share(opaque, (_r, _g, _b, alpha) => alpha < 255)).toBe(0);
    const options = ['--at', '0.7', '--transparent', '--out', 'clear.png'];
    expect(await koda(['render', projectId, ...small, ...options])).toMatchObject({ exit: 0 });
    const clear = await picture(join(folder, 'clear.png'));
    expect(share(clear, (_r, _g, _b, alpha) => alpha === 0)).toBeGreaterThan(0.5);
    expect(share(clear, (red, green, blue, alpha) => alpha === 255 && Math.max(red, green, blue) < 80)).toBeGreaterThan(0.01);
  });

  it('X9: refuses conflicting options before the render, and names valid ones', async () => {
    const before = (await newestRender()).id;
    const refused = await koda(['render', projectId, '--transparent', '--out', 'film.mp4']);
    expect(refused).toMatchObject({ exit: 2, said: expect.stringContaining('webm, mov, gif') });
    expect((await newestRender()).id).toBe(before);
  });

  it('T11: refuses an unknown parameter and lists the existing ones', async () => {
    const refused = await koda(['render', projectId, '--at', '1', '--param', 'titel=x']);
    expect(refused).toMatchObject({ exit: 2, said: expect.stringMatching(/It has: scene1Text.*ink/) });
  });
});

describe('a batch', () => {
  /** Breaks the page of a row with this title, which the check of its parameters cannot know. */
  const entry = `import { createRoot } from 'react-dom/client';
import App from './App.tsx';
const { __exportParameters: values } = window as unknown as { __exportParameters?: Record<string, unknown> };
if (values?.['scene1Text'] === 'Broken') throw new Error('This title breaks the page.');
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
`;
  const renders = async () => (await studio.client.call(routes.renders, { id: projectId })).items;

  it('T11: continues after a kill, repeats no finished row, and records the rows that fail', async () => {
    // On a busy machine, the sandbox may be starting again, or still be checking the film of the test before.
    await untilPasses('the page that breaks', async () => {
      const written = await fetch(`${studio.url}/api/projects/${projectId}/files/src/main.tsx`, {
        method: 'PUT',
        headers: { ...studio.client.authorization(), 'content-type': 'application/octet-stream' },
        body: entry,
      });
      expect(written.status, await written.text()).toBe(200);
    });
    const rows = Array.from({ length: 12 }, (_, index) => ({
      scene1Text: index === 3 || index === 8 ? 'Broken' : `Row ${index + 1}`,
    }));
    const render = { format: 'png', resolution: '720p', atSeconds: 0.7 } as const;
    let batchId = '';
    await untilPasses('the start of the batch', async () => {
      batchId = (await studio.client.call(routes.startBatch, { id: projectId, body: { render, rows } })).id;
    });
    const batch = () => studio.client.call(routes.batch, { id: projectId, batchId });
    await until('some rows', async () => (await batch()).counts.complete >= 3);
    const finished = (await renders()).filter(({ batch, status }) => batch?.id === batchId && status === 'complete');
    await studio.kill();
    await studio.restart();
    await until('the end of the batch', async () => (await batch()).state === 'complete');

    const { counts, rows: ended } = await batch();
    expect(counts).toMatchObject({ total: 12, complete: 10, failed: 2, waiting: 0, rendering: 0, cancelled: 0 });
    expect(ended.filter(({ state }) => state === 'failed').map(({ number }) => number)).toEqual([4, 9]);
    expect(ended[3]?.error?.message).toContain('This title breaks the page.');
    const ofBatch = (await renders()).filter((one) => one.batch?.id === batchId);
    expect(ofBatch.map((one) => one.batch?.row).sort((a, b) => Number(a) - Number(b))).toEqual(rows.map((_, index) => index + 1));
    for (const before of finished) expect(ofBatch).toContainEqual(before);
    for (const { videoUrl } of ended.filter(({ state }) => state === 'complete')) {
      const file = await fetch(studio.url + videoUrl, { headers: studio.client.authorization() });
      expect(file.headers.get('content-type')).toBe('image/png');
      await file.arrayBuffer();
    }
  });
});
