/** What a Host header addresses: the studio, the preview of one project, or nothing of ours. */
export type HostTarget =
  | { readonly kind: 'studio'; readonly host: string }
  | { readonly kind: 'preview'; readonly label: string }
  | { readonly kind: 'foreign' };

/**
 * The names under which this server may be addressed. A name that is not ours is refused whatever address it
 * resolves to: that is what keeps another web page from reaching the API by DNS rebinding.
 */
export interface HostPolicy {
  classify(hostHeader: string | undefined): HostTarget;
  /** Whether a page of this origin is the studio itself, as addressed by `hostHeader`. */
  isStudioOrigin(origin: string, hostHeader: string): boolean;
  /** The address of a preview, with a slash at the end. */
  previewUrl(label: string): string;
  /** The origin of the studio on this machine, for people to open. */
  studioOrigin(): string;
  /** Sources for `frame-src` of the studio: all preview origins. */
  previewSources(): string;
  /** Sources for `frame-ancestors` of a preview: all studio origins. */
  studioSources(): string;
}

interface HostPolicyOptions {
  /** The port that browsers use; a function, since it is known only after listening when 0 was asked for. */
  readonly port: () => number;
  /** Further host names, with a port (exact) or without (any port). */
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

/** Name and port of a Host header, lower-case; null when it is not one. */
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
      // Configured names first: a studio may well live at a subdomain of the preview domain.
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
      // Behind a proxy that ends TLS the scheme of the page differs from ours; loopback names have no such proxy.
      return origin === `https://${own}` && isConfigured(host);
    },

    previewUrl: (label) => `http://${withPort(`${label}${previewSuffix}`, port())}/`,
    studioOrigin: () => `http://${withPort('localhost', port())}`,
    previewSources: () => `http://${withPort(`*${previewSuffix}`, port())}`,
    studioSources() {
      // The grammar of CSP has no IPv6 literals, so [::1] cannot be named.
      const local = ['localhost', '127.0.0.1'].map((name) => `http://${withPort(name, port())}`);
      const configured = allowed.flatMap((host) => {
        const name = host.port === null ? `${host.name}:*` : `${host.name}:${host.port}`;
        return [`http://${name}`, `https://${name}`];
      });
      return [...local, ...configured].join(' ');
    },
  };
}
