import { basePath } from '../address.ts';

interface Obstacle {
  readonly title: string;
  readonly text: string;
}

const isLocal = (hostname: string): boolean => /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
const isAddress = (hostname: string): boolean => /^(?:[\d.]+|\[.+\])$/.test(hostname);

/** Returns why a page at this location cannot load a preview from that address, and what the operator must set, or `null`. */
export function previewObstacle(url: string, page: Pick<Location, 'protocol' | 'hostname' | 'origin'>): Obstacle | null {
  const preview = new URL(url);
  const isMixed = page.protocol === 'https:' && preview.protocol === 'http:';
  const isElsewhere = isLocal(preview.hostname) && !isLocal(page.hostname);
  if (!isMixed && !isElsewhere) return null;
  return {
    title: 'The live preview cannot be shown at this address',
    text: [
      isMixed
        ? 'You opened Koda over HTTPS, but its previews use HTTP, which browsers do not load into such a page.'
        : `Previews are at ${preview.host}, which only the computer that runs Koda can reach.`,
      `Set KODA_PUBLIC_URL=${page.origin}${basePath} in Koda’s .env${
        isAddress(page.hostname)
          ? ', and PREVIEW_DOMAIN to a domain whose subdomains all lead to Koda, because an IP address has none'
          : ''
      }. Then restart Koda. Everything else works meanwhile.`,
    ].join(' '),
  };
}
