import { KodaError } from '../contract/errors.ts';
import type { Row } from './rows.ts';

/** Long enough for a title, short enough for every file system with an ending and a mark of an unfinished download. */
const maxNameBytes = 180;
/** Names of devices on Windows, with any ending. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const placeholder = /\{([^{}]*)\}/g;

export interface NamingOptions {
  /** `{title}-{index}`. */
  readonly template: string;
  /** With its dot. */
  readonly ending: string;
  /** For fields that a row does not have. */
  readonly defaults: Row['fields'];
}

/**
 * The name of each row's file, in order. Whatever the fields hold, a name is a single one: no path, nothing hidden, nothing
 * that a file system refuses. Throws VALIDATION_ERROR when the template is not usable or two rows would share a name.
 */
export function fileNames(rows: readonly Row[], { template, ending, defaults }: NamingOptions): string[] {
  if (/[/\\]/.test(template))
    throw new KodaError('VALIDATION_ERROR', 'The template of the names must not hold a path. Name the folder with --out.');
  const digits = String(rows.length).length;
  const names = rows.map((row) => {
    const index = String(row.number).padStart(digits, '0');
    const fields = new Map(Object.entries({ ...defaults, ...row.fields, index }));
    const name = template.replaceAll(placeholder, (_, field: string) => {
      const value = fields.get(field);
      if (value === undefined)
        throw new KodaError(
          'VALIDATION_ERROR',
          `Row ${row.number} has no "${field}" for its name. It has: ${[...fields.keys()].join(', ')}.`,
        );
      return String(value);
    });
    return `${safeName(name) || index}${ending}`;
  });
  const first = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const key = name.normalize('NFC').toLowerCase();
    const before = first.get(key);
    if (before !== undefined)
      throw new KodaError(
        'VALIDATION_ERROR',
        `Rows ${before + 1} and ${at + 1} would both be "${name}". Add {index} to --name-template.`,
      );
    first.set(key, at);
  }
  return names;
}

/** One name for a file out of any text; empty when nothing of it can be in one. */
export function safeName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Separators, what Windows refuses, control signs and invisible ones that turn the direction of a name.
    .replace(/[/\\<>:"|?*\p{Cc}\p{Cs}\p{Co}\u2028\u2029]/gu, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+/u, '');
  const short = withinBytes(plain, maxNameBytes).replace(/[. ]+$/u, '');
  return deviceName.test(short) ? `_${short}` : short;
}

function withinBytes(text: string, limit: number): string {
  let bytes = 0;
  let kept = '';
  for (const sign of text) {
    bytes += Buffer.byteLength(sign);
    if (bytes > limit) break;
    kept += sign;
  }
  return kept;
}
