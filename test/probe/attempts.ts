/** A way out of a sandbox. `kind` is a function of `probe.py`, `args` its arguments. */
export interface Attempt {
  readonly name: string;
  readonly kind: string;
  readonly args: readonly (string | number | readonly string[])[];
}

/** Listeners of the probe's own: on this machine, and in a neighbouring container. */
export interface Neighbours {
  /** Addresses of this machine. The first one is that of Docker's bridge. */
  readonly hosts: readonly string[];
  readonly hostTcp: number;
  readonly hostUdp: number;
  readonly hostAbstract: string;
  readonly address: string;
  readonly tcp: number;
  readonly udp: number;
  readonly dns: number;
  readonly abstract: string;
  /** Sockets folder of another sandbox, as this machine sees it, and the token of its daemon. */
  readonly siblingSockets: string;
  readonly siblingToken: string;
}

/** Attempts on the probe's own listeners, and on what every network namespace has. The weak control makes these as well. */
export function nearAttempts(near: Neighbours): Attempt[] {
  const [bridge = ''] = near.hosts;
  const sibling = `${near.siblingSockets}/sandboxd.sock`;
  return [
    ...near.hosts.map((host) => ({ name: `TCP to this machine, ${host}`, kind: 'tcp', args: [host, near.hostTcp] })),
    { name: 'TCP to host.docker.internal', kind: 'tcp', args: ['host.docker.internal', near.hostTcp] },
    { name: 'UDP to this machine', kind: 'udp', args: [bridge, near.hostUdp] },
    { name: 'abstract socket of this machine', kind: 'unix', args: [`@${near.hostAbstract}`] },
    { name: 'TCP to a neighbour', kind: 'tcp', args: [near.address, near.tcp] },
    { name: 'TCP to a neighbour on loopback', kind: 'tcp', args: ['127.0.0.1', near.tcp] },
    { name: 'UDP to a neighbour', kind: 'udp', args: [near.address, near.udp] },
    { name: 'DNS over UDP', kind: 'dns-udp', args: [near.address, near.dns] },
    { name: 'DNS over TCP', kind: 'dns-tcp', args: [near.address, near.dns] },
    { name: 'abstract socket of a neighbour', kind: 'unix', args: [`@${near.abstract}`] },
    { name: 'files of a neighbour through /proc', kind: 'find', args: ['/proc/*/root/tmp/koda-probe-neighbour'] },
    { name: 'ping with a raw socket', kind: 'ping', args: [near.address, 'SOCK_RAW'] },
    { name: 'ping with a datagram socket', kind: 'ping', args: [near.address, 'SOCK_DGRAM'] },
    { name: 'packet socket', kind: 'packet', args: [] },
    { name: 'a network interface', kind: 'links', args: [] },
    { name: 'a new route', kind: 'add-route', args: [bridge] },
    { name: 'broadcast', kind: 'send', args: ['255.255.255.255', 9] },
    { name: 'multicast (mDNS)', kind: 'send', args: ['224.0.0.251', 5353] },
    { name: 'IPv6 link-local multicast', kind: 'send', args: ['ff02::1', 9] },
    { name: 'routes', kind: 'rows', args: ['/proc/net/route', []] },
    { name: 'interfaces in /proc', kind: 'rows', args: ['/proc/net/dev', ['face', 'lo:']] },
    { name: 'TCP connections in /proc', kind: 'rows', args: ['/proc/net/tcp', []] },
    { name: "Docker's socket", kind: 'unix', args: ['/var/run/docker.sock'] },
    { name: "daemon of another sandbox, by this machine's path", kind: 'request', args: [sibling, near.siblingToken] },
  ];
}

/** Attempts on everything else. Made from sandboxes only, where no packet can leave. */
export function farAttempts({ siblingSockets, siblingToken }: Neighbours): Attempt[] {
  const siblingId = siblingSockets.split('/').at(-1) ?? '';
  const sockets = [
    '/run/docker.sock',
    '/run/containerd/containerd.sock',
    '/run/podman/podman.sock',
    '/run/koda-broker/broker.sock',
    `/run/koda/../${siblingId}/sandboxd.sock`,
    '/proc/1/root/var/run/docker.sock',
    '@/containerd-shim/moby',
  ];
  return [
    ...['169.254.169.254', 'fd00:ec2::254', '100.100.100.200'].map((host) => tcp('metadata service', host, 80)),
    ...['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'].map((host) => tcp('Internet', host, 443)),
    ...['10.0.0.1', '192.168.0.1', '172.17.0.1', 'fe80::1'].map((host) => tcp('private network', host, 22)),
    ...[2375, 2376, 3000].map((port) => tcp("Docker's and Koda's ports", '172.17.0.1', port)),
    ...[2375, 3000].map((port) => tcp("Docker's and Koda's ports on loopback", '127.0.0.1', port)),
    { name: 'DNS of the Internet over UDP', kind: 'dns-udp', args: ['8.8.8.8', 53] },
    { name: 'DNS of the Internet over TCP', kind: 'dns-tcp', args: ['8.8.8.8', 53] },
    { name: "Docker's DNS", kind: 'dns-udp', args: ['127.0.0.11', 53] },
    { name: 'NTP', kind: 'udp', args: ['162.159.200.1', 123] },
    { name: 'QUIC', kind: 'udp', args: ['1.1.1.1', 443] },
    ...['example.com', 'app', 'broker', 'host.docker.internal'].map((name) => ({
      name: `look-up of ${name}`,
      kind: 'resolve',
      args: [name],
    })),
    ...sockets.map((path) => ({ name: `socket ${path}`, kind: 'unix', args: [path] })),
    { name: "own daemon with another sandbox's token", kind: 'request', args: ['/run/koda/sandboxd.sock', siblingToken] },
    { name: "the host's memory", kind: 'read', args: ['/proc/kcore'] },
    { name: "the host's log", kind: 'read', args: ['/dev/kmsg'] },
    { name: "the engine's folder", kind: 'find', args: ['/proc/*/root/var/lib/docker'] },
  ];
}

const tcp = (name: string, host: string, port: number): Attempt => ({
  name: `TCP, ${name}, ${host}:${port}`,
  kind: 'tcp',
  args: [host, port],
});
