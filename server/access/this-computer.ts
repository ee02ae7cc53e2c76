import { isLoopbackAddress, isLoopbackHost } from '../lib/loopback.ts';

/** The connection that a request arrived on. */
export interface AccessRequest {
  readonly headers: Headers;
  /** Address of the other end of the connection. `null` if it is unknown. */
  readonly remoteAddress: string | null;
}

/** Headers by which a proxy passes on the address of its client. One is enough to know that the connection is a proxy's. */
const proxyHeader = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;

/** Returns an IPv4 address without the prefix that it has on an IPv6 socket (`::ffff:127.0.0.1`). */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Returns whether a connection comes from this computer. `gateway`: an address that also stands for this computer. */
export function isLocalConnection(remoteAddress: string | null | undefined, gateway: string | null): boolean {
  const address = unmapped(remoteAddress ?? '');
  return isLoopbackAddress(address) || (gateway !== null && address === gateway);
}

/**
 * Returns whether the studio's page in a browser on this computer sent the request, or whether the user followed a link to it.
 * Browsers set `Sec-Fetch-*` themselves, and no page can forge them. A connection from this computer alone proves nothing,
 * because proxies and tunnels connect from here as well.
 */
export function isLocalBrowser({ headers, remoteAddress }: AccessRequest, gateway: string | null): boolean {
  const host = headers.get('host') ?? '';
  if (!isLocalConnection(remoteAddress, gateway) || !isLoopbackHost(host)) return false;
  if ([...headers.keys()].some((name) => proxyHeader.test(name))) return false;
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}`) return false;
  const site = headers.get('sec-fetch-site');
  const isNavigation = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
  return site === 'same-origin' || site === 'none' || (site !== null && isNavigation && origin === null);
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
