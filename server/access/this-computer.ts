import { BlockList, isIP } from 'node:net';

/** The connection that a request arrived on. */
export interface AccessRequest {
  readonly headers: Headers;
  /** Address of the other end of the connection. `null` if it is unknown. */
  readonly remoteAddress: string | null;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
/** Headers by which a proxy passes on the address of its client. One is enough to know that the connection is a proxy's. */
const proxyHeader = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;

/** Returns an IPv4 address without the prefix that it has on an IPv6 socket (`::ffff:127.0.0.1`). */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns whether a program on this computer sent the request. The connection must come from this computer, the request must
 * name it as the host, and no proxy may have passed the request on. `gateway`: an address that also stands for this computer.
 */
export function isFromThisComputer({ headers, remoteAddress }: AccessRequest, gateway: string | null): boolean {
  if (remoteAddress === null) return false;
  const address = unmapped(remoteAddress);
  if (!isLoopbackAddress(address) && address !== gateway) return false;
  if (!loopbackHost.test(headers.get('host') ?? '')) return false;
  return ![...headers.keys()].some((name) => proxyHeader.test(name));
}

/** Reads the default gateway from `/proc/net/route`, where addresses are little-endian hex. Returns `null` if there is none. */
export function defaultGateway(routes: string): string | null {
  for (const line of routes.split('\n').slice(1)) {
    const [, destination, gateway = '', , , , , mask] = line.trim().split(/\s+/);
    if (destination !== '00000000' || mask !== '00000000' || !/^[0-9A-F]{8}$/i.test(gateway) || gateway === '00000000') continue;
    return [...Buffer.from(gateway, 'hex')].reverse().join('.');
  }
  return null;
}

/**
 * Returns the address from which a container sees programs of its host, or `null`. Docker passes connections to a published
 * port on through the network's gateway. If the port is published on the host's loopback address alone, only the host's own
 * programs can arrive from there; otherwise, other machines might too.
 */
export function hostGateway({ publishedOn, routes }: { publishedOn: string | null; routes: () => string }): string | null {
  if (publishedOn === null || !isLoopbackAddress(publishedOn)) return null;
  return defaultGateway(routes());
}
