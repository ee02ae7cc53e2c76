/** Target of a Host header: the studio, a project's preview, or neither. */
export type HostTarget =
  | { readonly kind: 'studio'; readonly host: string }
  | { readonly kind: 'preview'; readonly label: string }
  | { readonly kind: 'foreign' };

export interface HostPolicy {
  /** The studio's address for others, without a slash at its end. */
  readonly publicUrl: string | null;
  /** Path of the public address, without a slash at its end: `/koda`, or empty. */
  readonly basePath: string;
  /** Whether browsers reach the studio and its previews over HTTPS. */
  readonly isSecure: boolean;
  classify(hostHeader: string | undefined): HostTarget;
  /** Returns whether an origin is the studio's, if the studio was reached as `hostHeader`. */
  isStudioOrigin(origin: string, hostHeader: string): boolean;
  /** Returns whether an origin is a preview's, if the preview was reached as `hostHeader`. */
  isPreviewOrigin(origin: string, hostHeader: string, label: string): boolean;
  previewUrl(label: string): string;
  /** Returns the studio's address on this computer. */
  localUrl(): string;
  /** Returns the studio's address for users and programs to open, without a slash at its end. */
  studioUrl(): string;
  /** Returns the same for somebody who reached the studio as `hostHeader`. */
  addressFor(hostHeader: string): string;
  /** Returns the studio's `frame-src` sources: all preview origins. */
  previewSources(): string;
  /** Returns a preview's `frame-ancestors` sources: all studio origins. */
  studioSources(): string;
}

interface HostPolicyOptions {
  /** Port that browsers on this computer use. A function, because port 0 is resolved only on listening. */
  readonly port: () => number;
  /** Never taken from a request's headers, which clients choose. */
  readonly publicUrl: string | null;
  /** Additional host names, with a port (exact match) or without (any port). */
  readonly allowedHosts: readonly string[];
  readonly previewDomain: string;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/;
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

interface ParsedHost {
  readonly name: string;
  readonly port: number | null;
}

/** Parses a Host header into a lower-case name and a port. Returns `null` if it is invalid. */
function parseHost(header: string | undefined): ParsedHost | null {
  const match = hostPattern.exec((header ?? '').toLowerCase());
  if (!match?.[1]) return null;
  return { name: match[1], port: match[2] === undefined ? null : Number(match[2]) };
}

const withPort = (name: string, port: number): string => (port === 80 ? name : `${name}:${port}`);

export function createHostPolicy({ port, publicUrl, allowedHosts, previewDomain }: HostPolicyOptions): HostPolicy {
  const previewSuffix = `.${previewDomain}`;
  const open = publicUrl === null ? null : new URL(publicUrl);
  const allowed = allowedHosts.map(parseHost).filter((host) => host !== null);

  const isLoopback = (host: ParsedHost): boolean => loopbackNames.includes(host.name) && (host.port ?? 80) === port();
  const isConfigured = (host: ParsedHost): boolean =>
    allowed.some((entry) => entry.name === host.name && (entry.port === null || entry.port === host.port)) || isPublic(host);
  /** Some proxies leave out the port of the Host header. */
  const isPublic = (host: ParsedHost): boolean =>
    open !== null && host.name === open.hostname && (host.port === null || host.port === portOf(open));

  const localUrl = () => `http://${withPort('localhost', port())}`;
  const previewOrigin = (label: string): string =>
    open === null
      ? `http://${withPort(`${label}${previewSuffix}`, port())}`
      : `${open.protocol}//${label}${previewSuffix}${open.port === '' ? '' : `:${open.port}`}`;

  return {
    publicUrl,
    basePath: open === null ? '' : open.pathname.replace(/\/$/, ''),
    isSecure: open?.protocol === 'https:',

    classify(hostHeader) {
      const host = parseHost(hostHeader);
      if (host === null) return { kind: 'foreign' };
      // Configured names take precedence, because a studio may have a subdomain of the preview domain.
      if (isConfigured(host) || isLoopback(host)) return { kind: 'studio', host: hostHeader?.toLowerCase() ?? '' };
      if (host.name.endsWith(previewSuffix)) {
        const label = host.name.slice(0, -previewSuffix.length);
        if (labelPattern.test(label)) return { kind: 'preview', label };
      }
      return { kind: 'foreign' };
    },

    isStudioOrigin(origin, hostHeader) {
      const host = parseHost(hostHeader);
      if (host === null) return false;
      // The public address has one scheme: a page from the same host without TLS may come from anybody on the way.
      if (open !== null && isPublic(host)) return origin === open.origin;
      const own = hostHeader.toLowerCase();
      if (origin === `http://${own}`) return true;
      // Behind a TLS proxy, the page's scheme differs from this server's. Loopback names have no such proxy.
      return origin === `https://${own}` && isConfigured(host);
    },

    isPreviewOrigin(origin, hostHeader, label) {
      if (open !== null) return origin === previewOrigin(label);
      return origin === `http://${hostHeader}` || origin === `https://${hostHeader}`;
    },

    previewUrl: (label) => `${previewOrigin(label)}/`,
    localUrl,
    studioUrl: () => publicUrl ?? localUrl(),
    addressFor: (hostHeader) => publicUrl ?? `http://${hostHeader.toLowerCase()}`,
    previewSources: () => previewOrigin('*'),
    studioSources() {
      // CSP does not support IPv6 literals, so [::1] is omitted. A public one is a wildcard: others would have to know a preview's
      // random label.
      const local = ['localhost', '127.0.0.1'].map((name) => `http://${withPort(name, port())}`);
      const configured = allowed.flatMap((host) => {
        const name = host.port === null ? `${host.name}:*` : `${host.name}:${host.port}`;
        return [`http://${name}`, `https://${name}`];
      });
      const isIpv6 = open?.hostname.startsWith('[') ?? false;
      const named = open === null ? [] : [isIpv6 ? open.origin.replace(/\[.*\]/, '*') : open.origin];
      return [...named, ...local, ...configured].join(' ');
    },
  };
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
