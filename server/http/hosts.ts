/** Target of a Host header: the studio, a project's preview, or neither. */
export type HostTarget =
  | { readonly kind: 'studio'; readonly host: string }
  | { readonly kind: 'preview'; readonly label: string }
  | { readonly kind: 'foreign' };

export interface HostPolicy {
  classify(hostHeader: string | undefined): HostTarget;
  /** Returns whether an origin is the studio's, if the studio was reached as `hostHeader`. */
  isStudioOrigin(origin: string, hostHeader: string): boolean;
  previewUrl(label: string): string;
  /** Returns the studio's local origin for users to open. */
  studioOrigin(): string;
  /** Returns the studio's `frame-src` sources: all preview origins. */
  previewSources(): string;
  /** Returns a preview's `frame-ancestors` sources: all studio origins. */
  studioSources(): string;
}

interface HostPolicyOptions {
  /** Port that browsers use. A function, because port 0 is resolved only on listening. */
  readonly port: () => number;
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

export function createHostPolicy({ port, allowedHosts, previewDomain }: HostPolicyOptions): HostPolicy {
  const allowed = allowedHosts.map(parseHost).filter((host) => host !== null);
  const previewSuffix = `.${previewDomain.toLowerCase()}`;

  const isLoopback = (host: ParsedHost): boolean => loopbackNames.includes(host.name) && (host.port ?? 80) === port();
  const isConfigured = (host: ParsedHost): boolean =>
    allowed.some((entry) => entry.name === host.name && (entry.port === null || entry.port === host.port));

  return {
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
      const own = hostHeader.toLowerCase();
      if (origin === `http://${own}`) return true;
      // Behind a TLS proxy, the page's scheme differs from this server's. Loopback names have no such proxy.
      return origin === `https://${own}` && isConfigured(host);
    },

    previewUrl: (label) => `http://${withPort(`${label}${previewSuffix}`, port())}/`,
    studioOrigin: () => `http://${withPort('localhost', port())}`,
    previewSources: () => `http://${withPort(`*${previewSuffix}`, port())}`,
    studioSources() {
      // CSP does not support IPv6 literals, so [::1] is omitted.
      const local = ['localhost', '127.0.0.1'].map((name) => `http://${withPort(name, port())}`);
      const configured = allowed.flatMap((host) => {
        const name = host.port === null ? `${host.name}:*` : `${host.name}:${host.port}`;
        return [`http://${name}`, `https://${name}`];
      });
      return [...local, ...configured].join(' ');
    },
  };
}
