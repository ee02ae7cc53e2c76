import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createReadStream, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/database.ts';
import { createStores } from '../../server/storage/stores.ts';
import { newProject, tempDir, tempStores } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const recorder = fileURLToPath(new URL('../fixtures/record-forever.ts', import.meta.url));
const logo = fileURLToPath(new URL('../fixtures/logo.png', import.meta.url));
const kills = 20;

/** Kills the recorder at a random time after it has acknowledged a few records. Returns those records. */
async function recordUntilKilled(dataDir: string, projectId: string): Promise<string[]> {
  const child = spawn(process.execPath, [recorder, dataDir, projectId], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await Promise.race([once(child.stdout, 'data'), closed]);
  await delay(Math.random() * 40);
  child.kill('SIGKILL');
  await closed;
  // A line that the kill truncated was not acknowledged.
  return output.split('\n').slice(0, -1);
}

describe('storage', () => {
  it(`X7, A22: loses nothing acknowledged and leaves nothing partial after ${kills} kills at random times`, async () => {
    using folder = tempDir();
    const first = openDatabase(folder.path);
    const { id } = await createStores(first).projects.create(newProject());
    first.close();

    const acknowledged: string[] = [];
    for (let kill = 0; kill < kills; kill++) acknowledged.push(...(await recordUntilKilled(folder.path, id)));
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills);

    const database = openDatabase(folder.path);
    const { projects, bus } = createStores(database);
    expect(database.sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    const state = await projects.state(id);
    const stop = new AbortController();
    const events: { seq: number; type: string }[] = [];
    for await (const event of bus.follow(id, { afterSeq: 0, signal: stop.signal })) {
      events.push(event);
      if (event.seq === state.seq) stop.abort();
    }
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));

    // Every record is complete: three events, two messages, the first of them delivered.
    expect(state.seq % 3).toBe(0);
    expect(state.messages).toHaveLength((state.seq / 3) * 2);
    expect(state.messages.filter((message) => message.queued)).toEqual([]);
    const bySeq = new Map(state.messages.map((message, index) => [message.id, index]));
    for (const line of acknowledged) {
      const [seq, one = '', two = ''] = line.split(' ');
      expect(bySeq.get(one), line).toBe((Number(seq) / 3 - 1) * 2);
      expect(bySeq.get(two), line).toBe((Number(seq) / 3 - 1) * 2 + 1);
    }
    database.close();
  });

  it.each([
    ['mp3', ['-c:a', 'libmp3lame'], 'audio/mpeg'],
    ['wav', [], 'audio/wav'],
    ['ogg', ['-c:a', 'libvorbis'], 'audio/ogg'],
    ['opus', ['-c:a', 'libopus'], 'audio/ogg'],
    ['m4a', ['-c:a', 'aac'], 'audio/mp4'],
    ['png', ['-frames:v', '1'], 'image/png'],
    ['jpg', ['-frames:v', '1'], 'image/jpeg'],
    ['gif', ['-frames:v', '1'], 'image/gif'],
    ['webp', ['-frames:v', '1'], 'image/webp'],
  ])('A25: accepts a %s file from FFmpeg as its own type', async (extension, options, mime) => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const file = join(stores.dataDir, `made.${extension}`);
    const source = mime.startsWith('audio') ? 'sine=frequency=440:duration=0.5' : 'testsrc=size=64x48:rate=1:duration=1';
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...options, file]);
    const asset = await stores.assets.add(id, {
      name: 'upload',
      content: createReadStream(file),
      signal: new AbortController().signal,
    });
    const size = mime.startsWith('image') ? { width: 64, height: 48 } : { width: null, height: null };
    expect(asset).toMatchObject({ mime, ...size });
  });
});

it('X3: restricts the data folder to its owner under every umask', async () => {
  await using studio = await studioProcess({ umask: '000' });
  mkdirSync(studio.dataDir, { mode: 0o777 });
  // The folder is from an older studio that did not restrict access.
  writeFileSync(join(studio.dataDir, 'models.json'), '{}', { mode: 0o666 });
  chmodSync(join(studio.dataDir, 'models.json'), 0o666);
  await studio.start();
  const { id } = await postProject(studio.url);
  const upload = { method: 'POST', headers: { 'x-filename': 'logo.png' }, body: readFileSync(logo) };
  expect((await fetch(`${studio.url}/api/projects/${id}/assets`, upload)).status).toBe(201);
  const open = readdirSync(studio.dataDir, { recursive: true, encoding: 'utf8' })
    .concat('.')
    .filter((name) => (statSync(join(studio.dataDir, name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(readdirSync(studio.dataDir)).toEqual(expect.arrayContaining(['koda.db', 'assets', 'sandbox.key', 'models.json']));
});

async function postProject(url: string): Promise<{ id: string }> {
  const body = JSON.stringify({ prompt: 'A red ball', start: false });
  const answer = await fetch(`${url}/api/projects`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await answer.json()) as { id: string };
}
