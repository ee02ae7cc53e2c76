import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import type { Project } from '#contract/project.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { StudioClient } from '../../server/cli/client.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { frameHashes } from '../fixtures/frame-hashes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-live-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the process ids of all browsers below this process, without their child processes. */
function browsers(): number[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number | undefined): boolean => pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  return all
    .filter(({ pid, command }) => /remote-debugging-pipe(?!.*--type=)/.test(command) && isOurs(pid))
    .map(({ pid }) => pid);
}

function processOf(pid: number): { pid: number; parent: number; command: string } | null {
  try {
    // The name in parentheses may contain anything; the parent is the second field after it.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'latin1') };
  } catch {
    // The process has ended.
    return null;
  }
}

/** Reads a running preview to its end. Calls `onFirstFrame` when the first fragment arrives. */
async function readVideo(studio: TestStudio, renderId: string, onFirstFrame: () => void): Promise<Buffer> {
  const response = await studio.call(`/storage/renders/${renderId}/live.mp4`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  const chunks: Buffer[] = [];
  let started = false;
  for await (const chunk of response.body ?? []) {
    chunks.push(Buffer.from(chunk));
    if (started || !Buffer.concat(chunks).includes('moof')) continue;
    started = true;
    onFirstFrame();
  }
  return Buffer.concat(chunks);
}

describe('a preview of the whole server', () => {
  it('A18: is captured from the page of the last check, and can be watched from its first frame to its end', async () => {
    await using studio = await startTestStudio();
    const client = new StudioClient(studio.url, () => readLocalKey(studio.dataDir));
    const request = { prompt: 'Packing list:\n- Torch\n- Bear', style: 'playful', durationSeconds: 8 };
    const { id } = await studio.send<Project>('POST', '/api/projects', request);
    const seen = { browsersAfterCheck: [] as number[], browsersDuring: [] as number[], framesAtFirstPicture: Number.NaN };
    let framesDone = 0;
    let completed: string | null = null;
    let watching: Promise<Buffer> | null = null;
    const watch = (renderId: string) =>
      readVideo(studio, renderId, () => {
        seen.framesAtFirstPicture = framesDone;
      });
    const observe = (event: ProjectEvent) => {
      if (event.type === 'error' || event.type === 'render.failed') throw new Error(JSON.stringify(event));
      if (event.type === 'tool.finished' && event.name === 'check_animation') seen.browsersAfterCheck = browsers();
      if (event.type === 'render.complete') completed = event.render.id;
      if (event.type !== 'render.progress') return;
      watching ??= watch(event.renderId);
      framesDone = event.framesDone;
      // Later events may arrive after the capture, when another browser opens the final's page.
      // After the request for the video has been sent, because this blocks the server, too.
      setImmediate(() => {
        if (seen.browsersDuring.length === 0) seen.browsersDuring = browsers();
      });
    };
    for await (const event of client.events(id, { afterSeq: 0, signal: AbortSignal.timeout(900_000) })) {
      observe(event);
      if (event.type === 'approval.requested' && event.approval.type === 'plan') {
        await studio.send('POST', `/api/projects/${id}/plan`, { action: 'accept' });
      }
      if (completed !== null) break;
    }
    if (completed === null) throw new Error('The events ended before the preview was complete.');
    const watched = join(folder, 'watched.mp4');
    await writeFile(watched, (await watching) ?? '');
    const hashes = await frameHashes(watched);
    expect(hashes).toHaveLength(120);
    expect(hashes).toEqual(await frameHashes(join(studio.dataDir, 'renders', completed, 'video.mp4')));
    // The first picture appears before the film's last frame is rendered.
    expect(seen.framesAtFirstPicture).toBeLessThan(120);
    expect(seen.browsersAfterCheck).not.toEqual([]);
    expect(seen.browsersDuring).toEqual(seen.browsersAfterCheck);
    expect((await studio.call(`/storage/renders/${completed}/live.mp4`)).status).toBe(404);
  });
});
