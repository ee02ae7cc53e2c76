import { KodaError } from '#contract/errors.ts';
import type { Row } from '../renders/rows.ts';

/** Maximum length, long enough for a title, and short enough for every file system even with the extension and `.partial`. */
const maxNameBytes = 180;
/** Windows device names, with any extension. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const placeholder = /\{([^{}]*)\}/g;

export interface NamingOptions {
  /** Template such as `{title}-{index}`. */
  readonly template: string;
  readonly ending: string;
  readonly defaults: Row['fields'];
}

/** Returns portable file names. Throws VALIDATION_ERROR if the template is invalid or two rows collide. */
export function fileNames(rows: readonly Row[], { template, ending, defaults }: NamingOptions): string[] {
  if (/[/\\]/.test(template))
    throw new KodaError('VALIDATION_ERROR', 'The name template must not contain a path. Set the folder with --out.');
  const digits = String(rows.length).length;
  const names = rows.map((row) => {
    const index = String(row.number).padStart(digits, '0');
    const fields = new Map(Object.entries({ ...defaults, ...row.fields, index }));
    const filled = (text: (field: string, value: string) => string) =>
      template.replaceAll(placeholder, (_, field: string) => {
        const value = fields.get(field);
        if (value === undefined)
          throw new KodaError(
            'VALIDATION_ERROR',
            `Row ${row.number} has no field "${field}", which the file name template uses. Its fields are: ${[...fields.keys()].join(', ')}.`,
          );
        return text(field, String(value));
      });
    // Long fields share the space, so that the index and whatever follows them is never cut off.
    const fixed = filled((field, value) => (field === 'index' ? value : ''));
    const others = [...template.matchAll(placeholder)].filter(([, field]) => field !== 'index').length;
    const share = Math.floor((maxNameBytes - Buffer.byteLength(fixed)) / Math.max(1, others));
    const name = filled((field, value) => (field === 'index' ? value : withinBytes(value, share)));
    return `${safeName(name) || index}${ending}`;
  });
  const first = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const key = name.normalize('NFC').toLowerCase();
    const before = first.get(key);
    if (before !== undefined)
      throw new KodaError(
        'VALIDATION_ERROR',
        `Rows ${before + 1} and ${at + 1} would both be saved as "${name}". Add {index} to --name-template.`,
      );
    first.set(key, at);
  }
  return names;
}

/** Turns any text into a valid file name. Returns an empty string if no valid character remains. */
export function safeName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Replaces separators, control characters and characters that Windows rejects. Removes invisible ones, which may reverse
    // the text direction.
    .replace(/[/\\<>:"|?*\p{Cc}\p{Cs}\p{Co}\u2028\u2029]/gu, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+/u, '');
  const short = withinBytes(plain, maxNameBytes).replace(/[. ]+$/u, '');
  return deviceName.test(short) ? `_${short}` : short;
}

function withinBytes(text: string, limit: number): string {
  let bytes = 0;
  let result = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    result += character;
  }
  return result;
}
