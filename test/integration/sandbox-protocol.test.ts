import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlSocketName } from '#contract/sandbox/answers.ts';
import { type SandboxCall, sandboxCalls } from '#contract/sandbox/calls.ts';
import { sandboxClient } from '../../server/sandbox/client.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { largestIn } from '../../server/tools/disk-use.ts';
import {
  providerKinds,
  raw,
  run,
  shell,
  signal,
  type TestProvider,
  type TestSandbox,
  testProvider,
} from '../fixtures/sandbox.ts';

const routes = Object.values<SandboxCall>(sandboxCalls).map(({ method, path }) => [method, path.replace(/:\w+/, '1')] as const);

const secret = 'nobody-may-read-this';
/** Path traversals from common word lists; `TARGET` is the absolute path of a file with a secret. */
const traversals = [
  '..',
  '../',
  '../..',
  '../secret.txt',
  '../../secret.txt',
  'src/../../secret.txt',
  'src/../../../../../../../../../../../../etc/passwd',
  './../secret.txt',
  './/../secret.txt',
  'src/./../../secret.txt',
  '..//secret.txt',
  '/etc/passwd',
  '//etc/passwd',
  'TARGET',
  '//TARGET',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  '~/secret.txt',
  '~root/.bashrc',
  '..\\secret.txt',
  '..\\..\\secret.txt',
  'src\\..\\..\\secret.txt',
  'C:\\windows\\win.ini',
  'c:/windows/win.ini',
  '\\\\server\\share',
  'file:///etc/passwd/../..',
  'a\0b',
  '../secret.txt\0.png',
  'src/\0/../../secret.txt',
  'a\nb',
  'a\rb',
  'a\tb',
  'a\u007fb',
  'a\u0085b',
  '.',
  './.',
  '/',
  '',
  'con',
  'NUL',
  'src/aux.txt',
  'lpt1.txt',
  'trailing.',
  'trailing ',
  'src/trailing./x',
  `${'d/'.repeat(17)}x`,
  'x'.repeat(513),
  `${'d'.repeat(600)}/x`,
];
/** Returns requests that would leave the project through this path. Listing and commands accept the root itself. */
function attemptsAt(path: string): [string, string, string?][] {
  const query = encodeURIComponent(path);
  const files: [string, string, string?][] = [
    ['GET', `/files/content?path=${query}`],
    ['PUT', `/files/content?path=${query}`, 'overwritten'],
    ['DELETE', `/files/content?path=${query}`],
    ['GET', `/files/stat?path=${query}`],
  ];
  if (path === '' || path === '.') return files;
  const command = JSON.stringify({ command: 'cat secret.txt', cwd: path, env: {}, timeoutMs: 5_000 });
  return [...files, ['GET', `/files?path=${query}&recursive=true`], ['POST', '/exec', command]];
}

/** Valid names that look dangerous and must not be decoded twice. */
const plainNames = [
  '%2e%2e%2fsecret.txt',
  '..%2fsecret.txt',
  '%252e%252e',
  '...hidden',
  '..x/y',
  'etc/passwd',
  '$(id)',
  '`id`',
  ';id',
  '-rf',
  '*',
];

describe.each(providerKinds)('sandbox protocol: %s', (kind) => {
  let place: TestProvider;
  let test: TestSandbox;
  let sandbox: Sandbox;
  /** A file beside the workspace, by the path that a process uses. It must never be read or written. */
  let outside: string;

  beforeAll(async () => {
    place = testProvider(kind);
    test = await place.create();
    ({ sandbox } = test);
    await sandbox.init({ template: 'film' }, { signal });
    outside = kind === 'process' ? mkdtempSync('/tmp/koda-outside-') : '/tmp/outside';
    await shell(
      sandbox,
      `mkdir -p ${outside} && echo ${secret} > ${outside}/secret.txt && echo ${secret} > ../secret.txt || true`,
    );
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
    if (kind === 'process') rmSync(outside, { recursive: true, force: true });
  });

  const read = async (path: string) => await buffer(await sandbox.readFile(path, { signal }));
  const write = (path: string, content: string | Buffer) => sandbox.writeFile(path, Buffer.from(content), { signal });

  it('reports its health', async () => {
    const health = await sandbox.health({ signal });
    expect(health).toMatchObject({ workspaceReady: true });
    expect(health.uptimeMs).toBeGreaterThan(0);
    // Without a separate group, no id belongs to the sandbox.
    if (kind === 'docker') {
      expect(health.memoryBytes).toBeGreaterThan(10_000_000);
      expect(health.oomKills).toBe(0);
    }
  });

  it('X3: refuses every route without the token or with a wrong one', async () => {
    for (const [method, target] of routes) {
      for (const authorization of [
        null,
        '',
        'Bearer ',
        `Bearer ${'0'.repeat(64)}`,
        `Basic ${test.token}`,
        test.token,
        `Bearer ${test.token}x`,
      ]) {
        const answer = await raw(test, method, target, { authorization });
        expect(answer.status, `${method} ${target} with ${authorization}`).toBe(401);
        expect(JSON.parse(answer.body).error.code).toBe('UNAUTHORIZED');
      }
    }
    const stranger = sandboxClient({
      sandboxId: sandbox.id,
      projectId: sandbox.projectId,
      socketDir: test.socketDir,
      token: 'x'.repeat(64),
    });
    await expect(stranger.health({ signal })).rejects.toMatchObject({ name: 'SandboxdError', code: 'UNAUTHORIZED' });
  });

  it('G9: explains errors for an unknown route and malformed requests', async () => {
    expect(await raw(test, 'GET', '/nothing')).toMatchObject({ status: 404, body: expect.stringContaining('NOT_FOUND') });
    expect(await raw(test, 'POST', '/exec', { body: '{' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('VALIDATION_ERROR'),
    });
    expect(await raw(test, 'POST', '/exec', { body: '{"command":""}' })).toMatchObject({ status: 400 });
    expect(await raw(test, 'POST', '/init', { body: '{"template":"../../etc"}' })).toMatchObject({ status: 400 });
    expect(await raw(test, 'POST', '/exec', { body: JSON.stringify({ command: 'x'.repeat(2_000_000) }) })).toMatchObject({
      status: 413,
    });
    expect(await raw(test, 'GET', '/changes?since=-1')).toMatchObject({ status: 400 });
    expect(await raw(test, 'GET', '/files/content')).toMatchObject({ status: 400 });
    expect(await raw(test, 'DELETE', '/processes/abc')).toMatchObject({ status: 400 });
  });

  it('A14: fills an empty workspace once from the template, including its packages', async () => {
    expect(await sandbox.init({ template: 'film' }, { signal })).toBe(false);
    expect(
      await shell(sandbox, 'test -L node_modules && test -f node_modules/vite/package.json && test -f package.json && echo yes'),
    ).toBe('yes');
    await expect(sandbox.init({ template: 'no-such-template' }, { signal })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
  });

  it('T3: returns written files byte by byte', async () => {
    const binary = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7919) % 256));
    const samples: [string, Buffer][] = [
      ['src/plain.txt', Buffer.from('hello\n')],
      ['public/empty', Buffer.alloc(0)],
      ['public/deep/er/and/deeper/file.bin', binary],
      ['public/Ünï côdé 🎬 名前.txt', Buffer.from('ünï')],
      ...plainNames.map((name): [string, Buffer] => [`public/names/${name}`, Buffer.from(name)]),
    ];
    for (const [path, content] of samples) {
      expect(await write(path, content)).toEqual({ path, sizeBytes: content.length });
      expect((await read(path)).equals(content), path).toBe(true);
      expect(await sandbox.statFile(path, { signal })).toEqual({
        path,
        type: 'file',
        sizeBytes: content.length,
        executable: false,
      });
    }
    await sandbox.writeFile('public/streamed.bin', Readable.from([binary, binary]), { signal });
    expect((await read('public/streamed.bin')).equals(Buffer.concat([binary, binary]))).toBe(true);
  });

  it('T3: replaces a file atomically, keeps its executable bit, and leaves nothing partial', async () => {
    await write('scripts/tool.sh', 'old');
    await shell(sandbox, 'chmod +x scripts/tool.sh');
    await write('scripts/tool.sh', 'new');
    expect(await sandbox.statFile('scripts/tool.sh', { signal })).toMatchObject({ executable: true, sizeBytes: 3 });

    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(100_000);
        throw new Error('the upload broke');
      })(),
    );
    const unfinished = () => shell(sandbox, 'ls -A .koda/tmp | wc -l');
    await expect(sandbox.writeFile('scripts/tool.sh', failing, { signal })).rejects.toThrow('the upload broke');
    await expect.poll(unfinished).toBe('0');
    const cut = request({
      socketPath: join(test.socketDir, controlSocketName),
      method: 'PUT',
      path: '/files/content?path=scripts/tool.sh',
      headers: { authorization: `Bearer ${test.token}`, 'content-length': '1000' },
    });
    cut.on('error', () => undefined);
    cut.write('half');
    await expect.poll(unfinished).toBe('1');
    cut.destroy();
    await expect.poll(unfinished).toBe('0');
    expect((await read('scripts/tool.sh')).toString()).toBe('new');
  });

  it('T3: deletes files and links, reports whether one existed, and never deletes a folder', async () => {
    await write('src/doomed.txt', 'x');
    await shell(sandbox, 'ln -sfn ../package.json src/doomed-link');
    expect(await sandbox.deleteFile('src/doomed.txt', { signal })).toBe(true);
    expect(await sandbox.deleteFile('src/doomed.txt', { signal })).toBe(false);
    expect(await sandbox.deleteFile('src/doomed-link', { signal })).toBe(true);
    expect(await shell(sandbox, 'test -f package.json && echo there')).toBe('there');
    await expect(sandbox.deleteFile('src', { signal })).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
    await expect(write('src', 'x')).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
    await expect(write('package.json/x', 'x')).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
    await expect(read('src')).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
  });

  it('T13: names similar paths for a missing file', async () => {
    await write('src/scenes/Opening.tsx', 'x');
    for (const action of [() => read('src/Opening.tsx'), () => sandbox.statFile('src/scenes/opening.tsx', { signal })]) {
      await expect(action()).rejects.toMatchObject({
        code: 'FILE_NOT_FOUND',
        details: { similar: expect.arrayContaining(['src/scenes/Opening.tsx']) },
      });
    }
    const failure = await read('nothing/like/it.xyz').catch((error: unknown) => error);
    expect((failure as { details: { similar: string[] } }).details.similar.length).toBeLessThanOrEqual(5);
    await expect(sandbox.listFiles('src/nowhere', { recursive: true, signal })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('T13: lists the largest files and folders for a full disk', async () => {
    await shell(sandbox, 'mkdir -p public/large && head -c 3000000 /dev/urandom > public/large/noise.bin');
    const largest = await largestIn(sandbox, { signal });
    expect(largest.length).toBeLessThanOrEqual(10);
    const file = largest.find(({ path }) => path === 'public/large/noise.bin');
    expect(file?.size_bytes).toBeGreaterThanOrEqual(3_000_000);
    const sizes = largest.map(({ size_bytes }) => size_bytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    await shell(sandbox, 'rm -r public/large');
  });

  it('G11: lists every file once, and omits untracked ones', async () => {
    await shell(
      sandbox,
      'mkdir -p public/many && cd public/many && for i in $(seq 1 40); do mkdir d$i; for j in $(seq 1 25); do echo $j > d$i/f$j; done; done',
    );
    await shell(sandbox, 'mkdir -p src/dist public/many/.git && touch src/dist/x public/many/.git/x');
    const { files, complete } = await sandbox.listFiles('public/many', { recursive: true, signal });
    const paths = files.map((file) => file.path);
    expect(complete).toBe(true);
    expect(new Set(paths).size).toBe(paths.length);
    const expected = (await shell(sandbox, 'find public/many -mindepth 1 -not -path "*/.git*"')).split('\n');
    expect([...paths].sort()).toEqual(expected.sort());
    const all = (await sandbox.listFiles('', { recursive: true, signal })).files.map((file) => file.path);
    expect(all.filter((path) => /(^|\/)(node_modules|dist|\.git|\.koda)(\/|$)/.test(path))).toEqual([]);
    const flat = (await sandbox.listFiles('public', { recursive: false, signal })).files;
    expect(flat).toContainEqual({ path: 'public/many', type: 'directory', sizeBytes: 0, executable: false });
    expect(flat.every((file) => file.path.split('/').length === 2)).toBe(true);
    await shell(sandbox, 'rm -r public/many');
  });

  it('G11: reports that a listing is cut', async () => {
    await shell(sandbox, 'mkdir -p public/heap && cd public/heap && seq 1 20500 | xargs touch');
    const { files, complete } = await sandbox.listFiles('public/heap', { recursive: true, signal });
    expect(complete).toBe(false);
    expect(new Set(files.map((file) => file.path)).size).toBe(20_000);
    await shell(sandbox, 'rm -r public/heap');
  });

  it('G2: refuses every path outside the project on every route', async () => {
    const before = existsSync(outside) ? readdirSync(outside) : [];
    for (const traversal of traversals) {
      const path = traversal.replace('TARGET', `${outside}/secret.txt`);
      for (const [method, target, body] of attemptsAt(path)) {
        const answer = await raw(test, method, target, body === undefined ? {} : { body });
        // The error of a rejected command arrives in its stream.
        const refused = answer.status === 400 || (answer.status === 200 && answer.body.startsWith('{"type":"error"'));
        expect(refused, `${method} ${target}: ${answer.status} ${answer.body}`).toBe(true);
        expect(answer.body).toContain('INVALID_PATH');
        expect(answer.body).not.toContain(secret);
      }
    }
    expect(existsSync(outside) ? readdirSync(outside) : []).toEqual(before);
    expect(await shell(sandbox, `cat ${outside}/secret.txt`)).toBe(secret);
  });

  it('G2: follows links inside the project, and none that leads out', async () => {
    await shell(
      sandbox,
      `mkdir -p src/links && cd src/links && ln -sfn ${outside} out && ln -sfn ${outside}/secret.txt file && ln -sfn / root && ln -sfn ../../.. up && ln -sfn loop-b loop-a && ln -sfn loop-a loop-b && ln -sfn out/secret.txt chained && ln -sfn ../../public inner && ln -sfn ../plain.txt inner-file && echo plain > ../plain.txt && echo inside > ../../public/inside.txt`,
    );
    for (const path of [
      'src/links/out/secret.txt',
      'src/links/file',
      'src/links/chained',
      `src/links/root${outside}/secret.txt`,
      'src/links/up/secret.txt',
    ]) {
      await expect(read(path), path).rejects.toMatchObject({ code: 'INVALID_PATH' });
    }
    await expect(read('src/links/loop-a')).rejects.toMatchObject({ code: expect.stringMatching(/INVALID_PATH|INTERNAL_ERROR/) });
    for (const path of ['src/links/out/planted.txt', 'src/links/out/deep/planted.txt', `src/links/root${outside}/planted.txt`]) {
      await expect(write(path, 'planted'), path).rejects.toMatchObject({ code: 'INVALID_PATH' });
      await expect(sandbox.deleteFile(path.replace('planted', 'secret'), { signal }), path).rejects.toMatchObject({
        code: 'INVALID_PATH',
      });
    }
    await expect(sandbox.listFiles('src/links/out', { recursive: true, signal })).rejects.toMatchObject({ code: 'INVALID_PATH' });
    await expect(run(sandbox, 'cat secret.txt', { cwd: 'src/links/out' })).rejects.toMatchObject({ code: 'INVALID_PATH' });
    expect(await shell(sandbox, `ls ${outside}`)).toBe('secret.txt');

    expect((await read('src/links/inner/inside.txt')).toString()).toBe('inside\n');
    expect((await read('src/links/inner-file')).toString()).toBe('plain\n');
    await write('src/links/inner/written.txt', 'through');
    expect((await read('public/written.txt')).toString()).toBe('through');
    // A link is replaced, never written through.
    await write('src/links/file', 'mine now');
    expect((await sandbox.statFile('src/links/file', { signal })).type).toBe('file');
    expect(await shell(sandbox, `cat ${outside}/secret.txt`)).toBe(secret);
    await shell(sandbox, 'rm -r src/links');
  });

  it('G2: wins the race against a folder that is constantly replaced by a link', async () => {
    await shell(
      sandbox,
      `mkdir -p public/race/a public/race/b && echo fine > public/race/a/secret.txt && ln -sfn ${outside} public/race/link`,
    );
    const { pid } = await sandbox.startProcess(
      {
        command: 'cd public/race; while :; do mv -T a tmp && mv -T link a && mv -T a link && mv -T tmp a; done',
        cwd: null,
        env: {},
        timeoutMs: 60_000,
      },
      { signal },
    );
    const seen = new Set<string>();
    for (let round = 0; round < 200; round++) {
      try {
        seen.add((await read('public/race/a/secret.txt')).toString().trim());
        await write('public/race/a/planted.txt', 'planted');
      } catch (error) {
        seen.add((error as { code: string }).code);
      }
    }
    await sandbox.killProcess(pid, { signal });
    expect([...seen]).not.toContain(secret);
    expect(seen).toContain('fine');
    expect(await shell(sandbox, `ls ${outside}`)).toBe('secret.txt');
    await shell(sandbox, 'rm -rf public/race');
  });

  it('refuses everything but regular files at once', async () => {
    await shell(sandbox, 'mkfifo public/pipe');
    await expect(read('public/pipe')).rejects.toMatchObject({ code: 'INVALID_PATH' });
    await expect(sandbox.statFile('public/pipe', { signal })).rejects.toMatchObject({ code: 'INVALID_PATH' });
    const listed = (await sandbox.listFiles('public', { recursive: false, signal })).files.map((file) => file.path);
    expect(listed).not.toContain('public/pipe');
    await shell(sandbox, 'rm public/pipe');
  });

  it('G11: reads, replaces and deletes a file by its exact name in the listing, whatever its spelling', async () => {
    // An "e" and a combining accent, as some systems encode this letter.
    await shell(sandbox, 'mkdir -p public/spelling && echo two > "public/spelling/$(printf "cafe\\xcc\\x81.txt")"');
    const [found] = (await sandbox.listFiles('public/spelling', { recursive: true, signal })).files;
    const path = found?.path ?? '';
    expect(path).not.toBe(path.normalize('NFC'));
    expect((await read(path)).toString()).toBe('two\n');
    await write(path, 'changed');
    expect((await sandbox.listFiles('public/spelling', { recursive: true, signal })).files).toHaveLength(1);
    expect(await sandbox.deleteFile(path, { signal })).toBe(true);
    expect((await write(path, 'new')).path).toBe(path.normalize('NFC'));
  });

  it('reports blocking file permissions and sockets', async () => {
    await shell(
      sandbox,
      `node -e "require('node:net').createServer().listen('public/a.sock').unref(); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200)" || true`,
    );
    await expect(read('public/a.sock')).rejects.toMatchObject({ code: 'INVALID_PATH' });
    await shell(sandbox, 'rm -f public/a.sock; echo x > public/locked.txt; chmod 000 public/locked.txt');
    // Root may read everything.
    if (kind === 'docker') await expect(read('public/locked.txt')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await shell(sandbox, 'chmod 644 public/locked.txt');
    await expect(write(`public/${'n'.repeat(256)}`, 'x')).rejects.toMatchObject({ code: 'INVALID_PATH' });
  });

  it('serves many concurrent calls', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `public/parallel/${index}.txt`);
    await Promise.all(names.map((name) => write(name, name.repeat(1000))));
    const contents = await Promise.all(names.map((name) => read(name)));
    expect(contents.map(String)).toEqual(names.map((name) => name.repeat(1000)));
  });

  it('A22: a restarted server finds a sandbox again, and a destroyed one is dead for everyone', async () => {
    const other = await place.create();
    await other.sandbox.writeFile('kept.txt', Buffer.from('kept'), { signal });
    const restarted = place.restarted();
    const found = await restarted.find(other.sandbox.projectId, { signal });
    expect(found?.id).toBe(other.sandbox.id);
    expect((await buffer(await (found as Sandbox).readFile('kept.txt', { signal }))).toString()).toBe('kept');
    expect((await restarted.list({ signal })).map(({ id }) => id).sort()).toEqual([sandbox.id, other.sandbox.id].sort());

    await restarted.destroy(other.sandbox.id, { signal });
    await restarted.destroy(other.sandbox.id, { signal });
    await expect(other.sandbox.health({ signal })).rejects.toMatchObject({ name: 'KodaError', code: 'SANDBOX_DEAD' });
    expect(await restarted.find(other.sandbox.projectId, { signal })).toBeNull();
    expect((await restarted.list({ signal })).map(({ id }) => id)).toEqual([sandbox.id]);
    expect(existsSync(other.socketDir)).toBe(false);
  });

  it('X3: the client connects to no link and no regular file in place of the socket', async () => {
    const folder = mkdtempSync('/tmp/koda-fake-');
    try {
      const client = sandboxClient({
        sandboxId: sandbox.id,
        projectId: sandbox.projectId,
        socketDir: folder,
        token: test.token,
      });
      await expect(client.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
      writeFileSync(join(folder, controlSocketName), 'no socket');
      await expect(client.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
      rmSync(join(folder, controlSocketName));
      symlinkSync(join(test.socketDir, controlSocketName), join(folder, controlSocketName));
      await expect(client.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('distinguishes cancelled calls from failed ones', async () => {
    const aborted = AbortSignal.abort();
    await expect(sandbox.health({ signal: aborted })).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(sandbox.listFiles('', { recursive: true, signal: aborted })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
