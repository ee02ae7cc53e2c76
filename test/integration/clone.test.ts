import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { closeServer } from '../../server/http/server.ts';
import { listTree } from '../fixtures/folder-sandbox.ts';
import { historyFixture } from '../fixtures/history.ts';
import { testKey } from '../fixtures/http.ts';
import { serveHttp } from '../fixtures/http-server.ts';
import { pageHeaders } from '../fixtures/page-requests.ts';
import { tempDir, testPerson } from '../fixtures/storage.ts';

let project: Awaited<ReturnType<typeof historyFixture>>;
let folder: ReturnType<typeof tempDir>;
let server: Server;
let port: number;
const run = promisify(execFile);

beforeEach(async () => {
  ({ http: project, server, port } = await serveHttp((hosts) => historyFixture({ hosts })));
  folder = tempDir();
});

afterEach(async () => {
  await closeServer(server);
  project[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const address = (id = project.projectId) => `http://koda:${testKey}@localhost:${port}/git/${id}.git`;

/** Runs a user's git, without this machine's settings. */
async function git(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder.path, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return (await run('git', args, { cwd: folder.path, env })).stdout.trim();
}

function withoutGit(path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(listTree(path)).filter(([name]) => !name.startsWith('.git/')));
}

/** Returns running programs that this test's server has started. */
function helpers(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes(project.stores.dataDir) && !readlinkSync(`/proc/${pid}/exe`).includes('node')
          ? [command]
          : [];
      } catch {
        return [];
      }
    });
}

describe('git clone', () => {
  it('X4: clones the files of the last checkpoint with their history, and fetches what follows', async () => {
    project.write('src/ü 猫.ts', 'one\n');
    project.write('run.sh', '#!/bin/sh\n', 0o755);
    await project.save();
    project.write('public/blob.bin', Buffer.alloc(300_000, 7));
    await project.store.save(project.projectId, 'manual', {
      by: testPerson,
      signal: new AbortController().signal,
      name: 'With a picture',
    });
    await git('clone', '--quiet', address(), 'clone');
    const place = join(folder.path, 'clone');
    expect(withoutGit(place)).toEqual(listTree(project.sandboxes.folderOf(project.projectId)));
    expect((await git('-C', place, 'log', '--format=%s')).split('\n')).toEqual(['With a picture', 'todo']);
    expect(await git('-C', place, 'fsck', '--strict')).toBe('');

    project.write('src/ü 猫.ts', 'two\n');
    rmSync(join(project.sandboxes.folderOf(project.projectId), 'run.sh'));
    await project.save();
    await git('-C', place, 'fetch', '--quiet');
    await git('-C', place, 'merge', '--quiet', '--ff-only', 'origin/main');
    expect(withoutGit(place)).toEqual(listTree(project.sandboxes.folderOf(project.projectId)));
    expect(await git('-C', place, 'rev-list', '--count', 'HEAD')).toBe('3');
  });

  it.each(['0', '1', '2'])('X4: supports version %s of the git protocol and shows one branch', async (version) => {
    project.write('a', '1');
    await project.save();
    project.git('update-ref', 'refs/heads/other', 'main');
    project.git('update-ref', 'refs/tags/x', 'main');
    const refs = await git('-c', `protocol.version=${version}`, 'ls-remote', address());
    expect(refs.split('\n').map((line) => line.split('\t')[1])).toEqual(['HEAD', 'refs/heads/main']);
    await git('-c', `protocol.version=${version}`, 'clone', '--quiet', address(), 'clone');
    expect(readFileSync(join(folder.path, 'clone', 'a'), 'utf8')).toBe('1');
  });

  it('X7: shows the last checkpoint, even if a crash has left the branch outdated', async () => {
    project.write('a', '1');
    await project.save();
    const older = project.git('rev-parse', 'main');
    project.write('a', '2');
    await project.save();
    project.git('update-ref', 'refs/heads/main', older);
    await git('clone', '--quiet', address(), 'clone');
    expect(readFileSync(join(folder.path, 'clone', 'a'), 'utf8')).toBe('2');
  });

  it('X4: accepts compressed requests of clients with many commits', async () => {
    project.write('a', '0');
    await project.save();
    await git('clone', '--quiet', address(), 'clone');
    const place = join(folder.path, 'clone');
    // The client lists commits that the server lacks; above 1 kB it compresses the list.
    for (let index = 0; index < 60; index++)
      await git('-C', place, '-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--allow-empty', '-m', `${index}`);
    project.write('a', '1');
    await project.save();
    await git('-C', place, 'fetch', '--quiet');
    expect(await git('-C', place, 'show', 'origin/main:a')).toBe('1');
  });

  it('X4: a project without checkpoints is an empty repository, and an unknown one does not exist', async () => {
    await git('clone', '--quiet', address(), 'clone');
    expect(readdirSync(join(folder.path, 'clone'))).toEqual(['.git']);
    await expect(git('clone', address(newId('prj')), 'other')).rejects.toThrow('There is no project');
  });
});

describe('hostile requests', () => {
  const service = 'git-upload-pack';
  const type = `application/x-${service}-request`;
  const post = (path: string, body: Buffer | string, headers: Record<string, string> = {}) =>
    fetch(`http://localhost:${port}/git/${path}`, {
      method: 'POST',
      body,
      headers: { ...pageHeaders, 'content-type': type, ...headers },
    });

  it('X4: refuses every push', async () => {
    project.write('a', '1');
    await project.save();
    await git('clone', '--quiet', address(), 'clone');
    const place = join(folder.path, 'clone');
    await git('-C', place, '-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--allow-empty', '-m', 'x');
    const before = project.git('rev-parse', 'main');
    await expect(git('-C', place, 'push', 'origin', 'HEAD:main')).rejects.toThrow('cloned and fetched, but not pushed to');
    const forged = await post(`${project.projectId}.git/git-receive-pack`, '0000', {
      'content-type': 'application/x-git-receive-pack-request',
    });
    expect(forged.status).toBe(403);
    expect(project.git('rev-parse', 'main')).toBe(before);
  });

  it('X4: offers only the two steps of the protocol, whatever the path', async () => {
    project.write('a', '1');
    await project.save();
    const id = project.projectId;
    for (const path of [
      `${id}.git/info/refs`,
      `${id}.git/info/refs?service=git-receive-pack`,
      `${id}.git/info/refs?service=git-upload-archive`,
      `${id}.git/HEAD`,
      `${id}.git/config`,
      `${id}.git/objects/info/packs`,
      `${id}.git/refs/heads/main`,
      `..%2f${id}.git/info/refs?service=${service}`,
      `x%2f..%2f${id}.git/info/refs?service=${service}`,
      '%2e%2e%2fkoda.db',
      `.new-${id}.git/info/refs?service=${service}`,
      `${id}.git%00/info/refs?service=${service}`,
      `--exec=x/info/refs?service=${service}`,
      `/etc/info/refs?service=${service}`,
      `${id.toUpperCase()}.git/info/refs?service=${service}`,
    ]) {
      const answer = await rawGet(`/git/${path}`);
      expect(answer, path).toMatch(/^HTTP\/1\.1 40[34] /);
      expect(answer, path).not.toMatch(/refs\/heads|\[core\]|SQLite/);
    }
  });

  /** Sends the request without `fetch`, which would normalise the path. */
  async function rawGet(path: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk;
    return text;
  }

  it('A15: refuses other host names and other web pages', async () => {
    const path = `/git/${project.projectId}.git/info/refs?service=${service}`;
    expect((await project.call(path, { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await post(`${project.projectId}.git/${service}`, '0000', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(`${project.projectId}.git/${service}`, '0000', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('X4: refuses a body that is too large, both compressed and decompressed', async () => {
    project.write('a', '1');
    await project.save();
    const path = `${project.projectId}.git/${service}`;
    expect((await post(path, Buffer.alloc(9 * 1024 * 1024))).status).toBe(413);
    const line = `0032have ${'0'.repeat(40)}\n`;
    const bomb = gzipSync(Buffer.from(line.repeat(1_000_000)));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect((await post(path, bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await post(path, 'not packed', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post(path, '0000', { 'content-encoding': 'br' })).status).toBe(415);
    await vi.waitFor(() => expect(helpers()).toEqual([]), { timeout: 120_000 });
  });

  it('X4: does not return an object that is requested by id and is not in this history', async () => {
    project.write('a', '1');
    await project.save();
    const path = `${project.projectId}.git/${service}`;
    const want = `want ${'1'.repeat(40)}\n`;
    const asked = await post(path, `${(want.length + 4).toString(16).padStart(4, '0')}${want}00000009done\n`);
    expect(await asked.text()).toContain('not our ref');
  });

  it.each([0, 1, 2])(
    'L10: serves no object that the branch does not reach, to a client of protocol version %i',
    async (version) => {
      project.write('a', '1');
      await project.save();
      project.write('secret', 'deleted work');
      const blob = project.git('hash-object', '-w', join(project.sandboxes.folderOf(project.projectId), 'secret'));
      const hidden = project.git('commit-tree', '-m', 'failed', project.git('rev-parse', 'main^{tree}'));
      const lineOf = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
      const path = `${project.projectId}.git/${service}`;
      for (const id of [blob, hidden]) {
        const want = lineOf(`want ${id}\n`);
        const body = {
          0: `${want}0000${lineOf('done\n')}`,
          1: `${want}0000${lineOf('done\n')}`,
          2: `${lineOf('command=fetch\n')}0001${want}${lineOf('done\n')}0000`,
        }[version];
        const answer = await post(path, body ?? '', { 'git-protocol': `version=${version}` });
        expect((await answer.arrayBuffer().then((bytes) => Buffer.from(bytes))).includes('PACK')).toBe(false);
      }
      await git('init', '--quiet', 'fetched');
      const place = join(folder.path, 'fetched');
      const fetch = (id: string) => git('-C', place, '-c', `protocol.version=${version}`, 'fetch', '--quiet', address(), id);
      await expect(fetch(hidden)).rejects.toThrow();
      await fetch(project.git('rev-parse', 'main'));
      await expect(git('-C', place, 'cat-file', '-e', hidden)).rejects.toThrow();
    },
  );

  it('X4: passes no secrets of the environment to git', async () => {
    vi.stubEnv('KODA_CANARY', 'a-secret');
    try {
      project.write('big', randomBytes(50_000_000));
      await project.save();
      const want = `0032want ${project.git('rev-parse', 'main')}\n00000009done\n`;
      const head = [
        `POST /git/${project.projectId}.git/${service} HTTP/1.1`,
        `Host: localhost:${port}`,
        'Sec-Fetch-Site: same-origin',
        `Content-Type: ${type}`,
        'Git-Protocol: version=2; rm -rf /',
        `Content-Length: ${want.length}`,
      ];
      const socket = connect(port, '127.0.0.1');
      socket.write(`${head.join('\r\n')}\r\n\r\n${want}`);
      // A response that is not read blocks git, so that its processes can be inspected.
      socket.pause();
      await vi.waitFor(() => expect(helpers().length).toBeGreaterThan(0), { timeout: 120_000 });
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        const environment = environmentOf(pid);
        if (!environment.includes(project.stores.dataDir) || Number(pid) === process.pid) continue;
        expect(environment).not.toContain('a-secret');
        expect(environment).not.toContain('rm -rf');
      }
      socket.destroy();
      // After the client has disconnected, git and its helpers end.
      await vi.waitFor(() => expect(helpers()).toEqual([]), { timeout: 120_000 });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  function environmentOf(pid: string): string {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8');
    } catch {
      return '';
    }
  }

  it('X4: aborted clones leave no process, and the next clone works', async () => {
    project.write('big', randomBytes(20_000_000));
    await project.save();
    for (let index = 0; index < 10; index++) {
      const clone = ['clone', '--quiet', address(), join(folder.path, `cut-${index}`)];
      const child = spawn('git', clone, { detached: true, stdio: 'ignore' });
      const closed = once(child, 'close');
      await sleep(60 + index * 10);
      // With its helpers, which would otherwise ask on.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await closed;
    }
    await vi.waitFor(() => expect(helpers()).toEqual([]), { timeout: 120_000 });
    await git('clone', '--quiet', address(), 'clone');
    expect(readdirSync(join(folder.path, 'clone')).toSorted()).toEqual(['.git', 'big']);
  });
});
