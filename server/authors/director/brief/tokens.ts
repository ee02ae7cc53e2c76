import { normalizeHex } from '../color.ts';
import { fold } from './fold.ts';
import { emojiName } from './nouns.ts';
import { uploadPattern } from './uploads.ts';
import { lazily, namesOf } from './word-rows.ts';

export type Mark = 'stop' | 'comma' | 'semicolon' | 'colon' | 'dash' | 'newline' | 'item' | 'arrow' | 'bracket' | 'equals';

export type Token =
  | { readonly type: 'word'; readonly text: string; readonly key: string }
  | { readonly type: 'number'; readonly text: string; readonly value: number; readonly prefix: string; readonly suffix: string }
  | { readonly type: 'quote'; readonly text: string }
  /** The name of an upload, as it is kept. */
  | { readonly type: 'upload'; readonly name: string }
  | { readonly type: 'color'; readonly hex: string }
  | { readonly type: 'ratio'; readonly width: number; readonly height: number; readonly text: string }
  | { readonly type: 'clock'; readonly seconds: number; readonly text: string }
  | { readonly type: 'mark'; readonly mark: Mark };

interface Rule {
  readonly pattern: RegExp;
  /** The tokens of a match; null = this was not it after all, try the next rule. */
  readonly read: (match: RegExpExecArray, before: string) => readonly Token[] | null;
}

const mark =
  (value: Mark): Rule['read'] =>
  () => [{ type: 'mark', mark: value }];
const quote: Rule['read'] = (match) => {
  const text = (match[1] ?? '').replace(/\s+/g, ' ').trim();
  return text === '' ? [] : [{ type: 'quote', text }];
};
const word = (text: string): Token => ({ type: 'word', text, key: fold(text) });
/** A quote that looks like an apostrophe opens only after something that is not a letter. */
const looseQuote: Rule['read'] = (match, before) => (/[\p{L}\p{N}]$/u.test(before) ? null : quote(match, before));

const ratios = new Set([
  '16:9',
  '9:16',
  '1:1',
  '4:5',
  '5:4',
  '4:3',
  '3:4',
  '21:9',
  '3:2',
  '2:3',
  '2:1',
  '2.35:1',
  '2.39:1',
  '1.85:1',
]);

const readColonPair: Rule['read'] = (match) => {
  const [text, first = '', second = ''] = match;
  if (ratios.has(`${first}:${second}`)) return [{ type: 'ratio', width: Number(first), height: Number(second), text }];
  if (!text.includes(':') || second.length !== 2 || Number(second) > 59 || first.includes('.')) return null;
  return [{ type: 'clock', seconds: Number(first) * 60 + Number(second), text }];
};

const readNumber: Rule['read'] = (match) => {
  const [text, prefix = '', whole = '', decimals, scale = '', suffix = ''] = match;
  const value = Number(`${whole.replace(/[^\d]/g, '')}${decimals === undefined ? '' : `.${decimals}`}`);
  const isNegative = /^[-−]/.test(prefix);
  return Number.isFinite(value)
    ? [
        {
          type: 'number',
          text,
          value: isNegative ? -value : value,
          prefix: isNegative ? '' : prefix,
          suffix: scale + (/^\s*[%€£$°]/u.test(suffix) ? suffix.trim() : suffix === '' ? '' : ` ${suffix.trim()}`),
        },
      ]
    : null;
};

/** Emoji and the English words that they stand for; the grammar reads the words. */
const emojiWords = lazily(() => namesOf('emoji'));

const readEmoji: Rule['read'] = (match) => {
  const bare = match[0].replace(/[\uFE0F\u200D]|[\u{1F3FB}-\u{1F3FF}]/gu, '');
  const words = emojiWords()[bare] ?? emojiWords()[[...bare][0] ?? ''] ?? emojiName(bare);
  const separator: Token = { type: 'mark', mark: 'bracket' };
  return words === null ? [word(bare)] : [separator, ...words.split(' ').map(word), separator];
};

/** Scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
function wordsIn(text: string): string[] {
  if (!unspaced.test(text)) return [text];
  const segmenter = new Intl.Segmenter(/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'ja' : 'und', {
    granularity: 'word',
  });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** In order of precedence; every pattern is sticky. */
const rules: readonly Rule[] = [
  { pattern: /[^\S\n\r]+/y, read: () => [] },
  { pattern: /\s*[\n\r]\s*(?:[-*•–]\s+|\d{1,2}[.)]\s+(?=\D))/y, read: mark('item') },
  { pattern: /\s*[\n\r]\s*/y, read: mark('newline') },
  { pattern: /"([^"\n]{0,400})"/y, read: quote },
  { pattern: /[“„]([^“”„"\n]{0,400})[“”"]/y, read: quote },
  { pattern: /«\s*([^»\n]{0,400}?)\s*»/y, read: quote },
  { pattern: /»\s*([^«\n]{0,400}?)\s*«/y, read: quote },
  { pattern: /[「『]([^」』\n]{0,400})[」』]/y, read: quote },
  { pattern: /`([^`\n]{1,400})`(?!\p{L})/uy, read: looseQuote },
  { pattern: /[‘‚]([^\n‘]{1,400}?)[’‘](?!\p{L})/uy, read: looseQuote },
  { pattern: /'([^'\n]{1,400}(?:'(?=\p{L})[^'\n]{1,400}){0,8})'(?!\p{L})/uy, read: looseQuote },
  {
    pattern: /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])/iy,
    read: (match) => {
      const hex = normalizeHex(match[0]);
      return hex === null ? null : [{ type: 'color', hex }];
    },
  },
  // A name on a network is a text.
  {
    pattern: /(?<![\p{L}\p{N}])@[\p{L}_][\p{L}\p{N}_]{1,30}(?:\.[\p{L}\p{N}_]{1,30})?/uy,
    read: ([text]) => [{ type: 'quote', text }],
  },
  // An address on the web is a text: nobody else writes a dot inside a word and ends it so.
  {
    pattern:
      /(?:https?:\/\/)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,3}\.(?:com|org|net|io|dev|app|ai|co|eu|de|fr|es|uk|shop|store|studio|design|info|tv|xyz)(?:\/[^\s,;"']{0,80})?(?![\p{L}\p{N}])/iuy,
    read: ([text]) => [{ type: 'quote', text: text.replace(/[.!?]+$/u, '') }],
  },
  {
    pattern: /(\d{3,4})\s?[x×]\s?(\d{3,4})(?!\d)/iy,
    read: ([text, width, height]) => [{ type: 'ratio', width: Number(width), height: Number(height), text }],
  },
  {
    pattern: /(?:\d{1,3}(?:st|nd|rd|th)|[234]d|[48]k|\d{3,4}p|\d{1,3}x)(?![\p{L}\p{N}])/iuy,
    read: ([text]) => {
      const repeat = /^(\d+)x$/i.exec(text);
      return repeat === null
        ? [word(text)]
        : [{ type: 'number', text, value: Number(repeat[1]), prefix: '', suffix: '' }, word('times')];
    },
  },
  { pattern: /(\d{1,2}(?:\.\d{1,2})?)\s?[:x×]\s?(\d{1,2})(?![\d:])/iy, read: readColonPair },
  // "8s", "1.5s", "500ms": the unit follows as a word of its own.
  {
    pattern: /(\d{1,15})(?:[.,](\d{1,3}))?(?=\p{L})(?!(?:[KMB]|k|bn|mn|Mio)(?!\p{L}))/uy,
    read: ([text, whole, decimals]) => [
      { type: 'number', text, value: Number(`${whole}.${decimals ?? 0}`), prefix: '', suffix: '' },
    ],
  },
  {
    // Groups of thousands, or plain digits; a decimal comma only where a unit proves it ("1,5 s").
    pattern:
      /((?<=(?:^|\s))[-−](?=\d)|[$€£¥]\s?)?(\d{1,3}(?:[ ,.'\u00a0\u202f]\d{3}(?!\d))+|\d{1,15})(?:\.(\d{1,3})|,(\d{1,2})(?=\s?(?:s\b|[sS]e[kcg]|[mM]in|[mM]il|%|M\b)))?([KMB]|k|bn|mn|Mio)?(?![\p{L}])(\s?(?:[%€£$]|°\s?[CF](?!\p{L})|°|km\/h|m\/s|mph(?!\p{L})))?/uy,
    read: (match, before) =>
      readNumber(
        Object.assign([match[0], match[1]?.trim(), match[2], match[3] ?? match[4], match[5], match[6]], {
          index: match.index,
          input: match.input,
        }) as RegExpExecArray,
        before,
      ),
  },
  { pattern: /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:['’][\p{L}\p{M}]+)*/uy, read: ([text]) => wordsIn(text).map(word) },
  { pattern: /[&+]/y, read: ([text]) => [{ type: 'word', text, key: 'and' }] },
  { pattern: /(?:->|=>|→|⇒|➜|➡|>)\uFE0F?/y, read: mark('arrow') },
  {
    pattern: /(?:\p{Extended_Pictographic}|[⬡⬢])(?:\uFE0F|[\u{1F3FB}-\u{1F3FF}]|\u200D\p{Extended_Pictographic})*/uy,
    read: readEmoji,
  },
  { pattern: /[.!?。！？…]+/y, read: mark('stop') },
  { pattern: /[,、，]/y, read: mark('comma') },
  { pattern: /;/y, read: mark('semicolon') },
  { pattern: /:/y, read: mark('colon') },
  { pattern: /=/y, read: mark('equals') },
  { pattern: /[—–-]/y, read: mark('dash') },
  { pattern: /[()[\]{}|/\\]/y, read: mark('bracket') },
];

/** "1. …  2. …" inside a line is a list when it counts from one; a lone "3." stays the end of a sentence. */
function breakInlineLists(text: string): string {
  const numerals = [...text.matchAll(/(?<=^|\s)(\d{1,2})[.)]\s+(?=[\p{L}"“„«'])/gu)];
  const counted = numerals.filter((match, i) => Number(match[1]) === i + 1);
  if (counted.length < 2 || counted.length !== numerals.length) return text;
  return text.replace(/(?<=^|\s)\d{1,2}[.)]\s+(?=[\p{L}"“„«'])/gu, '\n- ');
}

/** Names of uploads are read before anything else in a text is: a dot in them ends no sentence. */
function uploadRule(uploads: readonly string[]): Rule[] {
  const pattern = uploadPattern(uploads);
  if (pattern === null) return [];
  const read: Rule['read'] = ([, found = '']) =>
    uploads.filter((name) => name.toLowerCase() === found.toLowerCase()).map((name) => ({ type: 'upload', name }));
  return [{ pattern, read }];
}

/** Every string gives tokens; what no rule knows is skipped. Linear in the length of the text. `uploads` are names of files. */
export function tokenize(prompt: string, uploads: readonly string[] = []): Token[] {
  const text = breakInlineLists(prompt.normalize('NFC'));
  const all = [...uploadRule(uploads), ...rules];
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    let next = at;
    for (const { pattern, read } of all) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null || match[0].length === 0) continue;
      const found = read(match, text.slice(Math.max(0, at - 2), at));
      if (found === null) continue;
      tokens.push(...found);
      next = at + match[0].length;
      break;
    }
    at = next > at ? next : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }
  return tokens;
}
