export interface MomentPart {
  readonly kind: 'plain' | 'moment';
  /** Of a moment: as it was written, ISO 8601 in UTC. */
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
}

const written = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/g;

/** The exact moments that a system message names, apart from its words, so that each reader sees them in their own time. */
export function parseMoments(text: string): MomentPart[] {
  const parts: MomentPart[] = [];
  let end = 0;
  for (const { index, 0: moment } of text.matchAll(written)) {
    if (Number.isNaN(Date.parse(moment))) continue;
    if (index > end) parts.push({ kind: 'plain', text: text.slice(end, index), start: end });
    parts.push({ kind: 'moment', text: moment, start: index });
    end = index + moment.length;
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end), start: end });
  return parts;
}
