import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import { z } from 'zod';
import { run, signal, testProvider } from '../fixtures/sandbox.ts';
import { type Attempt, farAttempts, type Neighbours, nearAttempts } from './attempts.ts';
import { type DeniedCall, deniedCalls } from './denied-calls.ts';

const callResultSchema = z.object({
  name: z.string(),
  errno: z.int().optional(),
  signal: z.int().optional(),
  skipped: z.string().optional(),
});
const attemptResultSchema = z.object({
  name: z.string(),
  kind: z.string(),
  reached: z.string().optional(),
  failed: z.string().optional(),
});
const resultSchema = z.object({ calls: z.array(callResultSchema), attempts: z.array(attemptResultSchema) });

export type CallResult = z.infer<typeof callResultSchema>;

type ProbeResult = z.infer<typeof resultSchema>;

export interface ProbeReport {
  /** Results in a sandbox, as Koda starts it. */
  readonly sandbox: ProbeResult;
  /** Results in weak containers of the same image, where the same attempts succeed. Lacks attempts on foreign addresses. */
  readonly control: ProbeResult;
}

interface Plan {
  readonly calls: readonly DeniedCall[];
  readonly attempts: readonly Attempt[];
}

const docker = new Docker({ socketPath: '/var/run/docker.sock' });
const program = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const label = 'koda.test';
const peerPorts = { tcp: 7001, udp: 7002, dns: 53 } as const;

/** Makes all calls and attempts from a sandbox, and from its weak controls. */
export async function probe(): Promise<ProbeReport> {
  await using place = testProvider('docker', { KODA_SANDBOX_MEMORY_MB: '512' });
  const [{ sandbox }, sibling] = [await place.create(), await place.create()];
  const image = place.config.sandboxImage;
  await using host = await listenOnHost();
  await using peer = await startPeer(image);
  const near: Neighbours = {
    ...host.addresses,
    ...peerPorts,
    address: peer.address,
    abstract: peer.abstract,
    siblingSockets: sibling.socketDir,
    siblingToken: sibling.token,
  };

  const plan: Plan = { calls: deniedCalls, attempts: [...nearAttempts(near), ...farAttempts(near)] };
  await sandbox.writeFile('probe.py', Buffer.from(program('probe.py')), { signal });
  await sandbox.writeFile('plan.json', Buffer.from(JSON.stringify(plan)), { signal });
  const { stdout, stderr, exit } = await run(sandbox, 'python3 probe.py "$(cat plan.json)"', { timeoutMs: 600_000 });
  if (exit.exitCode !== 0) throw new Error(`The probe failed in the sandbox: ${stderr}`);

  // Has every capability, but no network. Its arguments are harmless wherever they arrive.
  const callControl = runInContainer(image, { calls: deniedCalls, attempts: [] }, { NetworkMode: 'none', CapAdd: ['ALL'] });
  // Shares network and processes with the neighbour, and sees the sockets.
  const attemptControl = runInContainer(
    image,
    { calls: [], attempts: nearAttempts(near) },
    {
      NetworkMode: `container:${peer.id}`,
      PidMode: `container:${peer.id}`,
      CapAdd: ['NET_ADMIN', 'NET_RAW', 'SYS_PTRACE'],
      Binds: [`${host.engineSocket}:/var/run/docker.sock`, `${place.config.socketsDir}:${place.config.socketsDir}`],
    },
  );
  const [{ calls }, { attempts }] = await Promise.all([callControl, attemptControl]);
  return { sandbox: resultSchema.parse(JSON.parse(stdout)), control: { calls, attempts } };
}

/** What the promise of isolation needs, as sentences about a report that breaks it. */
export function brokenPromises({ sandbox, control }: ProbeReport): string[] {
  const kinds = new Set(sandbox.attempts.map(({ kind }) => kind));
  const isEnough = (what: string, count: number, least: number) =>
    count >= least ? [] : [`Only ${count} ${what}, instead of ${least}.`];
  return [
    ...sandbox.calls
      .filter((result) => !isDenied(result))
      .map((result) => `The sandbox reached ${result.name} (${outcome(result)}).`),
    ...sandbox.attempts.flatMap(({ name, reached }) =>
      reached === undefined ? [] : [`The sandbox succeeded: ${name} (${reached}).`],
    ),
    ...isEnough('calls are denied', sandbox.calls.filter(isDenied).length, 25),
    ...isEnough('calls reach the kernel in the control', reachedKernel({ sandbox, control }).length, 25),
    ...isEnough('attempts were made', sandbox.attempts.length, 30),
    ...isEnough('kinds of attempts were made', kinds.size, 10),
    ...isEnough('attempts succeed in the control', control.attempts.filter(({ reached }) => reached !== undefined).length, 10),
  ];
}

const permissionDenied = 1;
const notImplemented = 38;
const badSystemCall = 31;

/** Calls that seccomp refuses with EPERM or SIGSYS, and clone3 with ENOSYS. */
export function isDenied({ name, errno, signal: end, skipped }: CallResult): boolean {
  return skipped !== undefined || end === badSystemCall || errno === (name === 'clone3' ? notImplemented : permissionDenied);
}

/** Calls whose outcome in the control differs, so that the sandbox's outcome is that of its profile. */
export function reachedKernel({ sandbox, control }: ProbeReport): CallResult[] {
  return control.calls.filter((result, index) => outcome(result) !== outcome(sandbox.calls[index] ?? result));
}

export function outcome({ errno, signal: end, skipped }: CallResult): string {
  if (skipped !== undefined) return skipped;
  return errno === undefined ? `signal ${end}` : `errno ${errno}`;
}

async function runInContainer(image: string, plan: Plan, hostConfig: Docker.HostConfig): Promise<ProbeResult> {
  const container = await docker.createContainer({
    Image: image,
    User: '0:0',
    Cmd: ['python3', '-c', program('probe.py'), JSON.stringify(plan)],
    Labels: { [label]: 'probe' },
    HostConfig: { ...hostConfig, SecurityOpt: ['seccomp=unconfined'] },
  });
  try {
    await container.start();
    await container.wait();
    const [stdout, stderr] = [await logOf(container, 'stdout'), await logOf(container, 'stderr')];
    if (stdout === '') throw new Error(`The probe failed in the control: ${stderr}`);
    return resultSchema.parse(JSON.parse(stdout));
  } finally {
    await container.remove({ force: true });
  }
}

/** Decodes the log, which consists of frames with a header of 8 bytes. */
async function logOf(container: Docker.Container, stream: 'stdout' | 'stderr'): Promise<string> {
  const frames = await container.logs({ stdout: stream === 'stdout', stderr: stream === 'stderr' });
  let text = '';
  for (let at = 0; at + 8 <= frames.length; at += 8 + frames.readUInt32BE(at + 4))
    text += frames.subarray(at + 8, at + 8 + frames.readUInt32BE(at + 4)).toString('utf8');
  return text.trim();
}

interface Peer extends AsyncDisposable {
  readonly id: string;
  readonly address: string;
  readonly abstract: string;
}

async function startPeer(image: string): Promise<Peer> {
  const abstract = `koda-probe-${randomBytes(6).toString('hex')}`;
  const { tcp, udp, dns } = peerPorts;
  const container = await docker.createContainer({
    Image: image,
    User: '0:0',
    Cmd: ['python3', '-c', program('peer.py'), String(tcp), String(udp), String(dns), abstract],
    Labels: { [label]: 'probe' },
    HostConfig: { Init: true, NetworkMode: 'bridge', ExtraHosts: ['host.docker.internal:host-gateway'] },
  });
  const peer = {
    id: container.id,
    abstract,
    [Symbol.asyncDispose]: () => container.remove({ force: true }).then(() => undefined),
  };
  try {
    await container.start();
    for (let attempt = 0; ; attempt++) {
      const [, address] = /^ready (\S+)$/m.exec(await logOf(container, 'stdout')) ?? [];
      if (address !== undefined) return { ...peer, address };
      if (attempt === 600) throw new Error(`The neighbour did not start: ${await logOf(container, 'stderr')}`);
      await delay(100);
    }
  } catch (error) {
    await peer[Symbol.asyncDispose]();
    throw error;
  }
}

interface HostListeners extends AsyncDisposable {
  readonly addresses: Pick<Neighbours, 'hosts' | 'hostTcp' | 'hostUdp' | 'hostAbstract'>;
  /** A socket that stands in for Docker's. */
  readonly engineSocket: string;
}

async function listenOnHost(): Promise<HostListeners> {
  const folder = mkdtempSync('/tmp/koda-probe-');
  const engineSocket = join(folder, 'engine.sock');
  const hostAbstract = `koda-probe-${randomBytes(6).toString('hex')}`;
  const servers = [
    await listening({ host: '0.0.0.0', port: 0 }),
    await listening({ path: engineSocket }),
    await listening({ path: `\0${hostAbstract}` }),
  ];
  const udp = createSocket('udp4', (message, sender) => udp.send(message, sender.port, sender.address));
  udp.bind(0, '0.0.0.0');
  await once(udp, 'listening');
  const address = servers[0]?.address();
  if (address === null || typeof address !== 'object') throw new Error('The TCP listener has no port.');
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map((found) => found.address);
  const bridge = (await docker.getNetwork('bridge').inspect()).IPAM?.Config?.[0]?.Gateway ?? '172.17.0.1';
  return {
    addresses: { hosts: [...new Set([bridge, ...own])], hostTcp: address.port, hostUdp: udp.address().port, hostAbstract },
    engineSocket,
    async [Symbol.asyncDispose]() {
      udp.close();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
      rmSync(folder, { recursive: true });
    },
  };
}

async function listening(where: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(where);
  await once(server, 'listening');
  return server;
}
