export type FileType = { readonly kind: 'image'; readonly mediaType: string } | { readonly kind: 'pdf' | 'text' | 'other' };

const starts: readonly { readonly bytes: string; readonly at: number; readonly mediaType: string }[] = [
  { bytes: '\x89PNG\r\n\x1a\n', at: 0, mediaType: 'image/png' },
  { bytes: '\xff\xd8\xff', at: 0, mediaType: 'image/jpeg' },
  { bytes: 'GIF8', at: 0, mediaType: 'image/gif' },
  { bytes: 'WEBP', at: 8, mediaType: 'image/webp' },
  { bytes: 'ftypavif', at: 4, mediaType: 'image/avif' },
  { bytes: 'BM', at: 0, mediaType: 'image/bmp' },
];
/** An SVG may start with an XML declaration and comments. */
const svgWithinBytes = 4096;

/** Detects a file's type from its content, because names are unreliable. */
export function detectFileType(content: Buffer): FileType {
  const head = content.subarray(0, svgWithinBytes).toString('latin1');
  const found = starts.find(({ bytes, at }) => head.startsWith(bytes, at));
  if (found) return { kind: 'image', mediaType: found.mediaType };
  if (head.startsWith('%PDF-')) return { kind: 'pdf' };
  if (content.includes(0)) return { kind: 'other' };
  return /^\s*(<\?xml|<!--|<!doctype svg|<svg)/i.test(head.replace(/^\xef\xbb\xbf/, '')) && /<svg[\s/>]/i.test(head)
    ? { kind: 'image', mediaType: 'image/svg+xml' }
    : { kind: 'text' };
}
