import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Agent } from 'undici';

/** Whether Koda contacts private addresses that were entered on the settings page. */
export type PrivateAddresses = 'allow' | 'refuse';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Node's `dns.lookup` for all addresses of a name. */
type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

interface Options {
  readonly privateAddresses: PrivateAddresses;
  readonly lookup?: Lookup;
}

/** No service that Koda uses has such an address. Some carry another address within them, past all checks. */
const neverContacted = new Set([
  ...['unspecified', 'broadcast', 'multicast', 'linkLocal', 'deprecatedSiteLocal', 'discard'],
  ...['rfc6145', '6to4', 'teredo', 'amt', 'segmentRouting'],
]);
/** Addresses outside the link-local ranges at which clouds hand out credentials: Azure, Oracle, Alibaba, AWS and Google. */
const metadataServices = new Set(['168.63.129.16', '192.0.0.192', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);
const maxMessageCharacters = 200;

class RefusedAddressError extends Error {}

/**
 * Creates a `fetch` for everything outside Koda. It checks the addresses that it connects to, because a name may stand for another
 * address by the time it is used. It follows no redirects: they would choose an address within this network, or carry a key
 * elsewhere. Callers have their own time limits.
 */
export function outboundFetch({ privateAddresses, lookup = systemLookup }: Options): Fetch {
  const isAllowed = (address: string) => isContactable(address, privateAddresses);
  let dispatcher: Agent | null = null;
  return async (input, init) => {
    // Loaded on the first request, which a studio without a language model never makes.
    const { Agent: UndiciAgent, buildConnector, fetch } = await import('undici');
    const connector = buildConnector({ lookup: checkedLookup(lookup, isAllowed), allowH2: false });
    dispatcher ??= new UndiciAgent({
      ...{ headersTimeout: 0, bodyTimeout: 0, allowH2: false },
      connect(options, callback) {
        // Node looks up names only.
        if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) callback(refused(), null);
        else connector(options, callback);
      },
    });
    const redirect = init?.redirect === 'manual' ? 'manual' : 'error';
    // Node's global types describe the same interface as the package's.
    return (await fetch(input as string, { ...init, redirect, dispatcher } as object)) as unknown as Response;
  };
}

/** Describes why a request got no response, in fixed words: an error's own text may repeat what a server has sent. */
export function connectionProblem(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RefusedAddressError) return cause.message;
    if (cause.message === 'unexpected redirect') return 'it redirects to another address';
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (/^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return `it cannot be reached (${code})`;
  }
  return 'it cannot be reached';
}

/** Returns whether a request failed because its address is private or reserved. */
export function isRefusedAddress(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RefusedAddressError) return true;
  return false;
}

/** Returns whether a host has private or reserved addresses alone. One that cannot be found has none. */
export async function leadsInside(hostname: string, lookup: Lookup = systemLookup): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !isContactable(host, 'refuse');
  const { promise, resolve } = Promise.withResolvers<LookupAddress[]>();
  lookup(host, { all: true }, (error, found) => resolve(error === null ? found : []));
  const addresses = await promise;
  return addresses.length > 0 && addresses.every(({ address }) => !isContactable(address, 'refuse'));
}

/** Shortens a message of another service, and removes what could disguise it. */
export function foreignMessage(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, ' ').trim();
  return plain
    .slice(0, maxMessageCharacters)
    .toWellFormed()
    .replace(/[.\s]+$/, '');
}

function checkedLookup(lookup: Lookup, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first, ...others] = addresses.filter(({ address }) => isAllowed(address));
      if (first === undefined) callback(refused(), []);
      else if (options.all === true) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(): RefusedAddressError {
  return new RefusedAddressError('Koda does not contact its address, which is private or reserved (KODA_PRIVATE_ADDRESSES)');
}

function isContactable(text: string, privateAddresses: PrivateAddresses): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = withoutTranslation(ipaddr.process(text));
  const range = address.range();
  if (neverContacted.has(range) || metadataServices.has(address.toString())) return false;
  return range === 'unicast' || privateAddresses === 'allow';
}

/** Returns the IPv4 address that an IPv6 address stands for on the other side of a NAT64, or of an old tunnel. */
function withoutTranslation(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv4') return address;
  const bytes = address.toByteArray();
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12, 14).some((byte) => byte !== 0);
  return isCompatible || address.range() === 'rfc6052' ? ipaddr.fromByteArray(bytes.slice(12)) : address;
}
