import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { readConfig } from '../../server/lib/config.ts';
import { createBrokerApp, startBroker } from '../../server/sandbox/broker.ts';
import { BrokerClient } from '../../server/sandbox/broker-client.ts';
import { DockerEngine } from '../../server/sandbox/docker-engine.ts';
import type { Engine } from '../../server/sandbox/engine.ts';
import { engineWarnings } from '../../server/sandbox/known-holes.ts';
import { createEngine } from '../../server/sandbox/providers.ts';
import { operatorLimits, type Sandbox } from '../../server/sandbox/sandbox.ts';
import seccompProfile from '../../server/sandbox/seccomp.json' with { type: 'json' };
import {
  command,
  run,
  shell,
  signal,
  type TestProvider,
  type TestSandbox,
  testManager,
  testProvider,
} from '../fixtures/sandbox.ts';

const docker = new Docker({ socketPath: '/var/run/docker.sock' });
const image = 'koda-sandbox:latest';
const mebibyte = 1024 ** 2;
const ended = { projectId: '', running: true, oomKilled: false, exitCode: null, generation: 1 };

const containerOf = (place: TestProvider, sandboxId: string) => docker.getContainer(`koda-${place.config.instance}-${sandboxId}`);
const cacheOf = (place: TestProvider, projectId: string) => `koda-${place.config.instance}-cache-${projectId}`;
const ours = async (place: TestProvider) => {
  const filters = { label: [`koda.instance=${place.config.instance}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  // Counts only a sandbox's own resources, because the project's cache outlives it.
  return { containers: containers.length, volumes: volumes.filter(({ Labels }) => !('koda.cache' in Labels)).length };
};

/** Removes what a failed test has left, which other tests would find. */
async function destroyAllBut(kept: string | null, { provider }: TestProvider): Promise<void> {
  for (const { id } of await provider.list({ signal })) if (id !== kept) await provider.destroy(id, { signal });
}

/** Tries to connect, and prints `reached` for each address that responds. Runs in any container with Node. */
const connectProbe = (targets: readonly string[]) => `
const net = require('node:net'), dns = require('node:dns');
const attempt = (target) => new Promise((done) => {
  const at = target.lastIndexOf(':');
  const socket = net.connect({ host: target.slice(0, at), port: Number(target.slice(at + 1)) });
  socket.setTimeout(5000, () => { socket.destroy(); done(); });
  socket.on('connect', () => { console.log('reached ' + target); socket.destroy(); done(); });
  socket.on('error', () => done());
});
const lookup = (name) => new Promise((done) => dns.lookup(name, (error) => { if (!error) console.log('resolved ' + name); done(); }));
Promise.all([...${JSON.stringify(targets)}.map(attempt), lookup('example.com'), lookup('host.docker.internal')]).then(() => console.log('over'));
`;

describe('sandbox containers', () => {
  let place: TestProvider;
  let test: TestSandbox;
  let sandbox: Sandbox;

  beforeAll(async () => {
    place = testProvider('docker', { KODA_SANDBOX_MEMORY_MB: '1024', KODA_SANDBOX_CPUS: '1.5' });
    test = await place.create();
    ({ sandbox } = test);
  });
  afterEach(() => destroyAllBut(sandbox.id, place));
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
  });

  it('X3: docker inspect shows no network, no capability, a read-only root, uid 1000 and all limits', async () => {
    const { Config, HostConfig, NetworkSettings, Mounts, State } = await containerOf(place, sandbox.id).inspect();
    expect(State.Running).toBe(true);
    expect(Config.User).toBe('1000:1000');
    expect(HostConfig).toMatchObject({
      NetworkMode: 'none',
      CapAdd: null,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true', `seccomp=${JSON.stringify(seccompProfile)}`],
      ReadonlyRootfs: true,
      Privileged: false,
      PidMode: '',
      IpcMode: 'private',
      UTSMode: '',
      UsernsMode: '',
      CgroupnsMode: 'private',
      Memory: 1024 * mebibyte,
      MemorySwap: 1024 * mebibyte,
      NanoCpus: 1_500_000_000,
      CpuShares: 256,
      PidsLimit: 1024,
      ShmSize: 1024 * mebibyte,
      OomScoreAdj: 900,
      Init: true,
      AutoRemove: false,
      PublishAllPorts: false,
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
    });
    for (const name of ['Binds', 'Devices', 'DeviceRequests', 'ExtraHosts', 'VolumesFrom', 'Links', 'Dns', 'GroupAdd'] as const) {
      expect((HostConfig as unknown as Record<string, unknown[] | null>)[name] ?? [], name).toEqual([]);
    }
    expect(HostConfig.PortBindings ?? {}).toEqual({});
    expect(Object.keys(NetworkSettings.Networks).filter((network) => network !== 'none')).toEqual([]);
    expect(
      Object.entries(HostConfig.Tmpfs ?? {}).every(
        ([, options]) => /nosuid/.test(options) && /nodev/.test(options) && /size=\d+/.test(options),
      ),
    ).toBe(true);
    expect(Object.keys(HostConfig.Tmpfs ?? {}).sort()).toEqual(['/home/node', '/run', '/tmp']);
    expect(Mounts.map(({ Type, Destination }) => [Type, Destination]).sort()).toEqual([
      ['bind', '/run/koda'],
      ['volume', '/cache'],
      ['volume', '/workspace'],
    ]);
    expect(Mounts.find(({ Destination }) => Destination === '/cache')).toMatchObject({
      Name: cacheOf(place, sandbox.projectId),
      RW: true,
    });
    expect(Config.Labels).toMatchObject({
      'koda.instance': place.config.instance,
      'koda.project': sandbox.projectId,
      'koda.sandbox': sandbox.id,
      'koda.generation': expect.stringMatching(/^\d+$/),
      'koda.expiresAt': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  it('X3: a process inside has no privileges and can write only to its own paths', async () => {
    const status = await shell(sandbox, 'cat /proc/self/status');
    expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\\s+0{16}$`, 'm'));
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(await shell(sandbox, 'ulimit -c')).toBe('0');
    for (const path of [
      '/probe',
      '/etc/probe',
      '/usr/bin/probe',
      '/opt/koda/templates/film/probe',
      '/opt/koda/sandboxd.mjs',
      '/root/probe',
      '/sys/probe',
      '/proc/sys/kernel/hostname',
    ]) {
      expect((await run(sandbox, `echo x > ${path}`)).exit.exitCode, path).not.toBe(0);
    }
    for (const path of ['/workspace/probe', '/cache/probe', '/tmp/probe', '/home/node/probe', '/dev/shm/probe']) {
      expect((await run(sandbox, `echo x > ${path} && rm -f ${path}`)).exit.exitCode, path).toBe(0);
    }
    for (const attempt of [
      'mount -t tmpfs none /tmp',
      'unshare -m true',
      'chroot / true',
      'mknod /tmp/null c 1 3',
      'dmesg',
      'sudo -n true',
      'su -c true',
      'cat /etc/shadow',
      'ls /var/run/docker.sock',
    ]) {
      expect((await run(sandbox, attempt)).exit.exitCode, attempt).not.toBe(0);
    }
  });

  it('X3: reaches no network; the same probe reaches the host from an unrestricted container', async () => {
    const listener = createServer((socket) => socket.destroy());
    listener.listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    try {
      const hosts = Object.values(networkInterfaces())
        .flatMap((addresses) => addresses ?? [])
        .filter(({ family, internal }) => family === 'IPv4' && !internal);
      const targets = [
        ...hosts.map(({ address }) => `${address}:${port}`),
        `127.0.0.1:${port}`,
        '169.254.169.254:80',
        '1.1.1.1:443',
        '8.8.8.8:53',
        '172.17.0.1:22',
        '10.0.0.1:80',
        '::1:80',
        'fe80::1:80',
      ];
      const probe = connectProbe(targets);
      await sandbox.writeFile('probe.cjs', Buffer.from(probe), { signal });
      expect(await shell(sandbox, 'node probe.cjs')).toBe('over');
      expect(await shell(sandbox, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).toBe('lo');
      expect(await shell(sandbox, 'cat /proc/net/route | tail -n +2')).toBe('');

      const weak = await docker.createContainer({
        Image: image,
        Cmd: ['node', '-e', probe],
        Labels: { 'koda.test': place.config.instance },
      });
      try {
        await weak.start();
        await weak.wait();
        const output = (await weak.logs({ stdout: true })).toString('utf8');
        expect(output).toContain('reached ');
      } finally {
        await weak.remove({ force: true });
      }
    } finally {
      listener.close();
    }
  });

  it('X3: cannot see the sockets of other sandboxes', async () => {
    const other = await place.create();
    expect(await shell(sandbox, 'ls -A /run/koda | sort')).toBe('preview.sock\nsandboxd.sock');
    expect(
      (await run(sandbox, `find / -xdev -name '*${other.sandbox.id.slice(4)}*' 2>/dev/null; cat /proc/mounts`)).stdout,
    ).not.toContain(other.sandbox.id);
    expect((await run(sandbox, 'ls /run/koda/.. ; find / -type s 2>/dev/null')).stdout).not.toContain(other.sandbox.id);
    await place.provider.destroy(other.sandbox.id, { signal });
  });

  it('X3: its socket folder is closed to other users', async () => {
    const folder = statSync(test.socketDir);
    // The folder is owned by root, so that the sandbox cannot unseal it, and is closed to users outside its group.
    expect([folder.uid, folder.gid, folder.mode & 0o777]).toEqual([0, 1000, 0o550]);
    expect(readdirSync(test.socketDir).sort()).toEqual(['preview.sock', 'sandboxd.sock']);
  });

  it('A22: a killed container fails running and later calls with the reason', async () => {
    const victim = await place.create();
    const working = run(victim.sandbox, 'sleep 60');
    working.catch(() => undefined);
    await delay(300);
    await containerOf(place, victim.sandbox.id).kill();
    await expect(working).rejects.toMatchObject({ name: 'KodaError', code: 'SANDBOX_DEAD', recovery: 'retry' });
    await expect(victim.sandbox.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    expect(await place.provider.diagnose(victim.sandbox.id, { signal })).toBe('Its container exited with code 137.');
    expect(await place.provider.find(victim.sandbox.projectId, { signal })).toBeNull();
    expect(await place.provider.list({ signal })).toContainEqual({
      id: victim.sandbox.id,
      projectId: victim.sandbox.projectId,
      running: false,
    });
    await place.provider.destroy(victim.sandbox.id, { signal });
    expect(await place.provider.diagnose(victim.sandbox.id, { signal })).toBe('Its container no longer exists.');
  });

  it('A22: the manager reports a dead container and replaces it', async () => {
    const deaths: string[] = [];
    const states: string[] = [];
    const manager = testManager(place.provider, {
      onState: (_, state) => states.push(state),
      onUnexpectedExit: (_, reason) => deaths.push(reason),
      healthIntervalMs: 200,
    });
    const projectId = newId('prj');
    const options = {
      template: 'film',
      limits: operatorLimits,
      priority: 'person' as const,
      prepare: async (fresh: Sandbox) => {
        await fresh.writeFile('src/restored.txt', Buffer.from('restored'), { signal });
      },
      signal,
    };
    const first = await manager.acquire(projectId, options);
    await containerOf(place, first.sandbox.id).kill();
    await vi.waitFor(() => expect(deaths).toEqual(['Its container exited with code 137.']));
    const second = await manager.acquire(projectId, options);
    expect(second.sandbox.id).not.toBe(first.sandbox.id);
    expect(await shell(second.sandbox, 'cat src/restored.txt')).toBe('restored');
    await shell(second.sandbox, 'sleep 1');
    // On a busy machine, even reading a file may be reported as work.
    const story = /^created ready stopped created ready( busy ready)+$/;
    await vi.waitFor(() => expect(states.join(' ')).toMatch(story));
    await manager.close({ destroySandboxes: false });
    // The command continues, and a new manager takes it over.
    const later = testManager(place.restarted());
    expect(await later.acquire(projectId, options)).toMatchObject({ fresh: false, sandbox: { id: second.sandbox.id } });
    await later.destroy(projectId);
    await later.close({ destroySandboxes: false });
    expect((await place.provider.list({ signal })).map(({ id }) => id)).toEqual([sandbox.id]);
  });

  it('reports processes that the kernel kills for lack of memory, and keeps running', async () => {
    await using small = testProvider('docker', { KODA_SANDBOX_MEMORY_MB: '256' });
    const { sandbox: tight } = await small.create();
    expect((await tight.health({ signal })).oomKills).toBe(0);
    const { exit } = await run(
      tight,
      `node -e "const hold = []; for (;;) hold.push(Buffer.alloc(16 << 20, 1))"; echo "ended $?"`,
    );
    expect(exit.exitCode).toBe(0);
    const health = await tight.health({ signal });
    expect(health.oomKills).toBeGreaterThan(0);
    expect(health.memoryBytes).toBeLessThan(256 * mebibyte);
    expect(await shell(tight, 'echo alive')).toBe('alive');
  });

  it('without memory, the kernel kills programs before the daemon and the container’s first process', async () => {
    const named = (name: string) =>
      `for p in /proc/[0-9]*; do grep -q sandboxd.mjs $p/cmdline && grep -q '^Name:.${name}' $p/status && cat $p/oom_score_adj; done; true`;
    const program = Number(await shell(sandbox, '(cat /proc/self/oom_score_adj)'));
    const daemon = Number(await shell(sandbox, named('MainThread')));
    const first = Number(await shell(sandbox, named('docker-init')));
    // The lower pair: an engine without CAP_SYS_RESOURCE, in which Chromium lowers the adjustment of its pages to 300.
    expect([
      [900, 1000],
      [200, 300],
    ]).toContainEqual([daemon, program]);
    expect(first).toBe(daemon);
  });

  it('a fork bomb stops at the process limit, and the sandbox can be destroyed', async () => {
    await using small = testProvider('docker', { KODA_SANDBOX_MEMORY_MB: '1024' });
    const { sandbox: bombed } = await small.create();
    await run(bombed, 'bomb() { bomb | bomb & }; bomb; sleep 1', { timeoutMs: 3_000 }).catch(() => undefined);
    await small.provider.destroy(bombed.id, { signal });
    expect(await ours(small)).toEqual({ containers: 0, volumes: 0 });
  });

  it('A24: removes everything in its socket folder when it is destroyed', async () => {
    const hostile = await place.create();
    // The folder is from before seals existed, or from a server that cannot seal.
    chownSync(hostile.socketDir, 1000, 1000);
    chmodSync(hostile.socketDir, 0o700);
    const program = `
      const fs = require('node:fs');
      process.chdir('/run/koda');
      fs.mkdirSync('closed/inner', { recursive: true });
      fs.chmodSync('closed', 0);
      for (let depth = 0; depth < 40; depth++) {
        fs.mkdirSync('d'.repeat(200));
        process.chdir('d'.repeat(200));
      }`;
    await shell(hostile.sandbox, `node -e "${program}" && chmod 0 /run/koda`);
    await place.provider.destroy(hostile.sandbox.id, { signal });
    expect(existsSync(hostile.socketDir)).toBe(false);
  });

  it('touches no other container or volume, not even one with a similar name', async () => {
    const sandboxId = newId('sbx');
    const name = `koda-${place.config.instance}-${sandboxId}`;
    const labels = { 'koda.instance': 'somebody-else', 'koda.sandbox': sandboxId, 'koda.project': sandbox.projectId };
    await docker.createVolume({ Name: name, Driver: 'local', Labels: labels });
    const foreign = await docker.createContainer({
      name,
      Image: image,
      Labels: labels,
      Cmd: ['sleep', '60'],
      HostConfig: { NetworkMode: 'none' },
    });
    try {
      await foreign.start();
      expect((await place.provider.list({ signal })).map(({ id }) => id)).not.toContain(sandboxId);
      await expect(place.provider.destroy(sandboxId, { signal })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      const manager = testManager(place.provider);
      await manager.reconcile(new Set([sandbox.projectId]), { signal });
      await manager.close({ destroySandboxes: false });
      expect((await foreign.inspect()).State.Running).toBe(true);
      expect((await docker.getVolume(name).inspect()).Name).toBe(name);
    } finally {
      await foreign.remove({ force: true });
      await docker.getVolume(name).remove();
    }
  });

  it('M14: mounts no workspace volume that belongs to another instance or project', async () => {
    const engine = createEngine(place.config);
    const [sandboxId, projectId] = [newId('sbx'), newId('prj')];
    const name = `koda-${place.config.instance}-${sandboxId}`;
    const spec = {
      sandboxId,
      projectId,
      token: 't'.repeat(64),
      memoryBytes: 512 * mebibyte,
      cpus: 1,
      diskBytes: 1024 * mebibyte,
    };
    const own = { 'koda.instance': place.config.instance, 'koda.sandbox': sandboxId, 'koda.project': projectId };
    for (const labels of [
      { ...own, 'koda.instance': 'somebody-else' },
      { ...own, 'koda.project': newId('prj') },
    ]) {
      await docker.createVolume({ Name: name, Driver: 'local', Labels: labels });
      await expect(engine.start(spec, { signal })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(docker.getContainer(name).inspect()).rejects.toMatchObject({ statusCode: 404 });
      expect((await docker.getVolume(name).inspect()).Labels).toEqual(labels);
      await docker.getVolume(name).remove();
    }
  });

  it('H4: runs a sandbox with the runtime of SANDBOX_RUNTIME', async () => {
    await using chosen = testProvider('docker', { SANDBOX_RUNTIME: 'runc' });
    expect(await chosen.provider.check({ signal })).toMatchObject({ available: true });
    const { sandbox: fresh } = await chosen.create();
    expect((await containerOf(chosen, fresh.id).inspect()).HostConfig.Runtime).toBe('runc');
    expect(await shell(fresh, 'echo works')).toBe('works');
  });

  it('H4: reports a runtime that the engine lacks at the start, with those that it has', async () => {
    const sentence = /no runtime named "no-such-runtime" \(SANDBOX_RUNTIME\)\. .*choose one of: .*\brunc\b/;
    await using lacking = testProvider('docker', { SANDBOX_RUNTIME: 'no-such-runtime' });
    const brokerSocket = join(lacking.config.socketsDir, 'broker', 'broker.sock');
    await expect(startBroker({ ...lacking.config, brokerSocket })).rejects.toThrow(sentence);
    expect(await lacking.provider.check({ signal })).toMatchObject({ available: false, detail: expect.stringMatching(sentence) });
    expect(existsSync(brokerSocket)).toBe(false);
  });

  it('H4: reports the known vulnerabilities of the engine, runc and the kernel', async () => {
    const { versions } = await createEngine(place.config).check({ signal });
    expect(versions.engine).toMatch(/^\d+\.\d+/);
    expect(versions.kernel).toMatch(/^\d+\.\d+/);
    const { warnings } = await place.provider.check({ signal });
    expect(warnings).toEqual(engineWarnings(versions));
  });

  it('touches no other cache, and mounts none into a sandbox', async () => {
    const projectId = newId('prj');
    const name = cacheOf(place, projectId);
    const labels = { 'koda.instance': 'somebody-else', 'koda.project': projectId, 'koda.cache': '1' };
    const before = await ours(place);
    await docker.createVolume({ Name: name, Driver: 'local', Labels: labels });
    try {
      expect(await place.provider.listCaches({ signal })).not.toContain(projectId);
      await expect(place.provider.create(projectId, { limits: operatorLimits, signal })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      await expect(place.provider.removeCache(projectId, { signal })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(await ours(place)).toEqual(before);
      expect((await docker.getVolume(name).inspect()).Labels).toEqual(labels);
    } finally {
      await docker.getVolume(name).remove();
    }
  });

  it('A24: a cache outlives its sandboxes, is mounted by no other project, and cannot be removed while in use', async () => {
    const projectId = newId('prj');
    const first = await place.create(projectId);
    await shell(first.sandbox, 'echo kept > /cache/word');
    await expect(place.provider.removeCache(projectId, { signal })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await place.provider.destroy(first.sandbox.id, { signal });
    expect((await place.provider.list({ signal })).map(({ id }) => id)).toEqual([sandbox.id]);
    expect(await place.provider.listCaches({ signal })).toContain(projectId);
    expect(await shell(sandbox, 'ls -A /cache')).not.toContain('word');
    expect((await docker.getVolume(cacheOf(place, projectId)).inspect()).Labels).toEqual({
      'koda.instance': place.config.instance,
      'koda.project': projectId,
      'koda.cache': '1',
    });
    await place.provider.removeCache(projectId, { signal });
    await place.provider.removeCache(projectId, { signal });
    await expect(docker.getVolume(cacheOf(place, projectId)).inspect()).rejects.toMatchObject({ statusCode: 404 });
    expect(await place.provider.listCaches({ signal })).toContain(sandbox.projectId);
  });

  it('A24: finds and removes the remains of interrupted starts and removals', async () => {
    const sandboxId = newId('sbx');
    const labels = {
      'koda.instance': place.config.instance,
      'koda.sandbox': sandboxId,
      'koda.project': newId('prj'),
      'koda.generation': '1',
    };
    await docker.createVolume({ Name: `koda-${place.config.instance}-${sandboxId}`, Driver: 'local', Labels: labels });
    expect(await place.provider.list({ signal })).toContainEqual({
      id: sandboxId,
      projectId: labels['koda.project'],
      running: false,
    });
    const manager = testManager(place.provider);
    expect(await manager.reconcile(new Set([sandbox.projectId, labels['koda.project']]), { signal })).toBe(1);
    await manager.close({ destroySandboxes: false });
    expect(await ours(place)).toEqual({ containers: 1, volumes: 1 });
  });

  it('leaves nothing behind if a start is cancelled', async () => {
    const before = await ours(place);
    for (const afterMs of [0, 50, 200]) {
      const abort = new AbortController();
      const creating = place.provider.create(newId('prj'), { limits: operatorLimits, signal: abort.signal });
      setTimeout(() => abort.abort(), afterMs);
      await creating.then(
        (made) => place.provider.destroy(made.id, { signal }),
        (error: unknown) => expect(error).toMatchObject({ code: 'CANCELLED' }),
      );
    }
    expect(await ours(place)).toEqual(before);
    const folders = readdirSync(place.config.socketsDir).filter((name) => name.startsWith('sbx_'));
    expect(folders).toEqual([sandbox.id]);
  });

  it('reports a missing image and how to provide it', async () => {
    await using lacking = testProvider('docker', { KODA_SANDBOX_IMAGE: 'koda-no-such-image:latest' });
    const { available, detail } = await lacking.provider.check({ signal });
    expect(available).toBe(false);
    expect(detail).toContain('koda-no-such-image:latest');
    expect(detail).toContain('docker compose build');
    await expect(lacking.provider.create(newId('prj'), { limits: operatorLimits, signal })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await ours(lacking)).toEqual({ containers: 0, volumes: 0 });
  });

  it('X3: mounts only its own folder of a socket volume into a sandbox', async () => {
    const name = `koda-test-sockets-${Date.now()}`;
    await docker.createVolume({ Name: name, Driver: 'local' });
    const { Mountpoint } = await docker.getVolume(name).inspect();
    try {
      await using shared = testProvider('docker', { KODA_SOCKETS_VOLUME: name, KODA_SOCKETS_DIR: Mountpoint });
      const [one, two] = [await shared.create(), await shared.create()];
      expect(await shell(one.sandbox, 'ls -A /run/koda | sort')).toBe('preview.sock\nsandboxd.sock');
      expect(await shell(two.sandbox, 'cat /proc/mounts')).not.toContain(one.sandbox.id);
      const { Mounts } = await containerOf(shared, one.sandbox.id).inspect();
      expect(Mounts.find(({ Destination }) => Destination === '/run/koda')).toMatchObject({ Type: 'volume', Name: name });
    } finally {
      await docker.getVolume(name).remove();
    }
  });
});

describe('broker', () => {
  const folder = mkdtempSync('/tmp/koda-broker-');
  const socketPath = join(folder, 'run', 'broker.sock');
  const overrides = { KODA_BROKER_SOCKET: socketPath, KODA_SANDBOX_MEMORY_MB: '512' };
  let place: TestProvider;
  let broker: { close(): Promise<void> };

  beforeAll(async () => {
    place = testProvider('docker', overrides);
    broker = await startBroker(place.config);
  });
  afterEach(() => destroyAllBut(null, place));
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
    await broker?.close();
    rmSync(folder, { recursive: true });
  });

  it('gives data folder and socket only to the user of the app', () => {
    expect(statSync(place.config.dataDir).uid).toBe(1000);
    const socket = statSync(socketPath);
    expect([socket.uid, socket.mode & 0o777]).toEqual([1000, 0o600]);
  });

  it('serves a sandbox from its start to its end', async () => {
    expect(await place.provider.check({ signal })).toMatchObject({
      available: true,
      detail: expect.stringContaining('Docker Engine'),
    });
    const { sandbox } = await place.create();
    expect(await shell(sandbox, 'echo through the broker')).toBe('through the broker');
    expect(await place.provider.list({ signal })).toEqual([{ id: sandbox.id, projectId: sandbox.projectId, running: true }]);
    expect((await place.provider.find(sandbox.projectId, { signal }))?.id).toBe(sandbox.id);
    for await (const event of sandbox.exec(command('exit 3'), { signal }))
      if (event.type === 'exit') expect(event.exitCode).toBe(3);
    await place.provider.destroy(sandbox.id, { signal });
    expect(await place.provider.list({ signal })).toEqual([]);
    expect(await ours(place)).toEqual({ containers: 0, volumes: 0 });
    expect(await place.provider.listCaches({ signal })).toEqual([sandbox.projectId]);
    await place.provider.removeCache(sandbox.projectId, { signal });
    expect(await place.provider.listCaches({ signal })).toEqual([]);
  });

  it('X3: a sandbox cannot write beside its sockets, replace them, or reopen the folder', async () => {
    const { sandbox, socketDir } = await place.create();
    const attempts = [
      'echo x > /run/koda/file',
      'mkdir /run/koda/folder',
      'mv /run/koda/sandboxd.sock /run/koda/other.sock',
      'rm -f /run/koda/preview.sock',
      'ln -s /etc/passwd /run/koda/link',
      'chmod 777 /run/koda',
    ];
    for (const attempt of attempts) expect((await run(sandbox, attempt)).exit.exitCode, attempt).not.toBe(0);
    expect(readdirSync(socketDir).sort()).toEqual(['preview.sock', 'sandboxd.sock']);
    // Control: the write succeeds without the seal.
    chownSync(socketDir, 1000, 1000);
    chmodSync(socketDir, 0o700);
    expect((await run(sandbox, attempts[0] ?? '')).exit.exitCode).toBe(0);
    // A restarted server that takes the sandbox over seals it again.
    expect((await place.restarted().find(sandbox.projectId, { signal }))?.id).toBe(sandbox.id);
    expect((await run(sandbox, attempts[1] ?? '')).exit.exitCode).not.toBe(0);
    await place.provider.destroy(sandbox.id, { signal });
    expect(existsSync(socketDir)).toBe(false);
    await place.provider.removeCache(sandbox.projectId, { signal });
  });

  it('X3: reports free disk space and the usage of a project without calling the sandbox', async () => {
    const room = await place.provider.disk({ signal });
    expect(room?.freeBytes).toBeGreaterThan(mebibyte);
    const { sandbox } = await place.create();
    // The daemon deletes what it does not know in the cache before it makes its own folder there.
    const whenOpen = 'until [ -n "$(ls /cache)" ]; do sleep 0.05; done';
    await shell(sandbox, `head -c 3000000 /dev/zero > /workspace/large; ${whenOpen}; head -c 2000000 /dev/zero > /cache/kept`);
    const sizeBytes = async () =>
      (await place.provider.sizes({ signal })).find(({ projectId }) => projectId === sandbox.projectId)?.sizeBytes;
    // The engine answers with a measurement that is under way, which another client may have begun before the files existed.
    const measured = await vi.waitFor(async () => {
      const bytes = await sizeBytes();
      expect(bytes).toBeGreaterThanOrEqual(5_000_000);
      return bytes;
    });
    expect(measured).toBeLessThan(6_000_000);
    await place.provider.destroy(sandbox.id, { signal });
    await place.provider.removeCache(sandbox.projectId, { signal });
  });

  it('X3: limits the size of each file in a sandbox, and starts no sandbox without free disk space', async () => {
    await using small = testProvider('docker', { KODA_SANDBOX_DISK_MB: '8' });
    const { sandbox } = await small.create();
    const tooLarge = await run(sandbox, 'head -c 9000000 /dev/zero > /workspace/large');
    expect(tooLarge.exit.exitCode).not.toBe(0);
    expect(Number(await shell(sandbox, 'stat -c %s /workspace/large'))).toBeLessThanOrEqual(8 * mebibyte);
    expect((await run(sandbox, 'fallocate -l 9000000 /workspace/other')).exit.exitCode).not.toBe(0);
    expect((await run(sandbox, 'ulimit -f unlimited')).exit.exitCode).not.toBe(0);
    await using full = testProvider('docker', { KODA_SANDBOX_DISK_RESERVE_MB: String(1024 ** 2 * 64) });
    await expect(full.create()).rejects.toMatchObject({ code: 'STORAGE_FULL', recovery: 'free_engine_disk' });
    expect(await ours(full)).toEqual({ containers: 0, volumes: 0 });
  });

  it('refuses every request that does not exactly match an allowed one', async () => {
    const client = new BrokerClient(socketPath);
    const spec = {
      sandboxId: newId('sbx'),
      projectId: newId('prj'),
      token: 't'.repeat(64),
      memoryBytes: 512 * mebibyte,
      cpus: 1,
      diskBytes: 1024 * mebibyte,
    };
    const wrong: object[] = [
      { ...spec, memoryBytes: 513 * mebibyte },
      { ...spec, memoryBytes: 0 },
      { ...spec, cpus: 64 },
      { ...spec, diskBytes: 1024 ** 4 },
      { ...spec, sandboxId: '../../etc' },
      { ...spec, sandboxId: `${spec.sandboxId}/../x` },
      { ...spec, projectId: 'x' },
      { ...spec, token: 'short' },
      { ...spec, token: `${'t'.repeat(64)}\nPATH=/evil` },
      { ...spec, HostConfig: { Privileged: true } },
      { ...spec, image: 'evil' },
    ];
    for (const request of wrong) {
      await expect(client.start(request as typeof spec, { signal }), JSON.stringify(request)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
    await expect(client.remove('koda-app', { signal })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    for (const projectId of ['', '../x', 'koda-data', newId('sbx')])
      await expect(client.removeCache(projectId, { signal }), projectId).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(client.inspect(newId('sbx'), { signal })).resolves.toBeNull();
    expect(await ours(place)).toEqual({ containers: 0, volumes: 0 });
  });

  it('M14: stops reading a request above 16 KiB', async () => {
    const send = (headers: Record<string, string>) =>
      new Promise<{ status: number; sentBytes: number }>((resolve, reject) => {
        const outgoing = request({ socketPath, method: 'POST', path: '/start', headers });
        let sentBytes = 0;
        const more = () => {
          while (sentBytes < 64 * mebibyte && !outgoing.destroyed) {
            sentBytes += 65_536;
            if (!outgoing.write('x'.repeat(65_536))) return;
          }
          outgoing.end();
        };
        outgoing.on('drain', more);
        outgoing.once('response', (response) => {
          outgoing.off('drain', more).destroy();
          resolve({ status: response.statusCode ?? 0, sentBytes });
        });
        outgoing.once('error', reject);
        more();
      });
    for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': String(64 * mebibyte) }]) {
      const { status, sentBytes } = await send(headers);
      expect(status).toBe(413);
      expect(sentBytes).toBeLessThan(8 * mebibyte);
    }
  });

  it('M14: starts no more containers than its limit, also if they are requested at once', async () => {
    const started: string[] = [];
    const engine: Pick<Engine, 'list' | 'start'> = {
      list: async () => started.map((sandboxId) => ({ ...ended, sandboxId })),
      start: async ({ sandboxId }) => {
        await delay(20);
        started.push(sandboxId);
      },
    };
    const limits = { maxContainers: 3, maxMemoryBytes: 512 * mebibyte, maxCpus: 1, maxDiskBytes: 1024 * mebibyte };
    const app = createBrokerApp(engine as Engine, limits);
    const start = async () => {
      const spec = {
        sandboxId: newId('sbx'),
        projectId: newId('prj'),
        token: 't'.repeat(64),
        memoryBytes: 512 * mebibyte,
        cpus: 1,
        diskBytes: 1024 * mebibyte,
      };
      return app.request('/start', { method: 'POST', body: JSON.stringify(spec) });
    };
    const statuses = (await Promise.all([start(), start(), start(), start(), start()])).map(({ status }) => status);
    expect(started.length).toBeLessThanOrEqual(3);
    expect(statuses).toContain(503);
    while (started.length < 3) await start();
    const refused = await start();
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('already has 3 containers')]);
  });

  it('reports the reason to the app if the broker is missing', async () => {
    const client = new BrokerClient(join(folder, 'nobody.sock'));
    await expect(client.list({ signal })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', recovery: 'start_broker' });
    const aborted = new BrokerClient(socketPath);
    await expect(aborted.list({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('replaces the socket of an earlier broker', async () => {
    await broker.close();
    const config = readConfig({
      KODA_BROKER_SOCKET: socketPath,
      KODA_DATA_DIR: place.config.dataDir,
      KODA_INSTANCE: place.config.instance,
    });
    const crashed = await startBroker(config);
    broker = await startBroker(place.config);
    await expect(new BrokerClient(socketPath).list({ signal })).resolves.toEqual([]);
    await crashed.close();
  });
});

it('the engine lists only its own instance', async () => {
  const socketsDir = '/tmp/koda-nowhere';
  const template = { instance: `test-${Date.now()}`, image, runtime: null, sockets: { hostFolder: socketsDir }, socketsDir };
  const engine = new DockerEngine('/var/run/docker.sock', template);
  expect(await engine.list({ signal })).toEqual([]);
  expect(await engine.inspect(newId('sbx'), { signal })).toBeNull();
  await engine.remove(newId('sbx'), { signal });
  expect(await engine.listCaches({ signal })).toEqual([]);
  await engine.removeCache(newId('prj'), { signal });
});
