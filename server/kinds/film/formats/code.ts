import { z } from 'zod';
import { clipped, highlighted } from '../author/read/fill.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import { defineFormat, line, shorten } from './define-format.ts';

/** Characters per line in a tall frame. Longer lines wrap there and continue with an indent of four characters. */
const columns = 46;
const maxRows = 18;

/** Returns the number of rows that the code needs in the narrowest frame. */
function rowsOf(text: string): number {
  return text.split('\n').reduce((sum, { length }) => sum + Math.max(1, Math.ceil((length - 4) / (columns - 4))), 0);
}

/** Splits the code into parts that fit one scene each. */
function partsOf(text: string): string[][] {
  const parts: string[][] = [[]];
  for (const row of text.split('\n')) {
    const last = parts.at(-1) ?? [];
    if (last.length > 0 && rowsOf([...last, row].join('\n')) > maxRows) parts.push([row]);
    else last.push(row);
  }
  return parts;
}

export const code = defineFormat({
  id: 'code',
  title: 'Code',
  use: 'Source code that is typed or revealed, with important lines highlighted; or a change as removed and added lines.',
  avoid: 'Shell commands with their output (use terminal), or more than 18 lines.',
  purposes: ['code'],
  props: z.object({
    language: line(20).nullable().describe('such as “typescript”; null if unknown'),
    fileName: line(40).nullable().describe('name in the title bar'),
    code: z
      .string()
      .min(1)
      .max(1600)
      .refine((text) => rowsOf(text) <= maxRows, `must have at most ${maxRows} rows of ${columns} characters`)
      .describe(`at most ${maxRows} rows of ${columns} characters`),
    highlight: z.array(z.int().min(1).max(maxRows)).max(maxRows).default([]).describe('marked lines, from 1'),
    diff: z.boolean().default(false).describe('lines start with “-”, “+” or a space'),
    typed: z.boolean().default(false).describe('appears letter by letter'),
  }),
  seconds: ({ code: text, highlight, typed, diff }) => {
    const lines = text.split('\n');
    const marked = highlight.length > 0 ? highlight.length : lines.length;
    const typing = typed ? text.length / 36 : 0.6;
    return Math.min(14, typing + 2.2 + marked * 0.7 + (diff ? 1.2 : 0));
  },
  outline: ({ code: text, fileName, language }) => ({
    title: shorten(fileName ?? language ?? 'Code', 60),
    description: shorten(`Code: ${text}`, 900),
  }),
  match: (reading) =>
    blocksOf(reading, 'code').map((block) => {
      const scenes = partsOf(block.code.replace(/^(.{110}).+$/gmu, '$1')).map((part) => {
        const text = part.join('\n').slice(0, 1600);
        const at = highlighted(reading, part);
        return {
          language: clipped(block.language, 20),
          fileName: clipped(block.heading?.text, 40),
          code: text.trim() === '' ? '…' : text,
          highlight: at === null ? [] : [at + 1],
          diff: block.diff,
          typed: /\b(?:type|types|typed|typing|tipp\w*|tape|escribe)\b/iu.test(reading.instructions.words.join(' ')),
        };
      });
      return { score: 0.95, scenes, spans: spansOf(block) };
    }),
  example: {
    language: 'typescript',
    fileName: 'src/net/retry.ts',
    code: `export async function retry<T>(
  task: () => Promise<T>,
  { times = 4, base = 200 } = {},
): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await task();
    } catch (error) {
      if (n === times) throw error;
      const wait = base * 2 ** n;
      await sleep(wait * (0.5 + Math.random()));
    }
  }
}`,
    highlight: [10, 11],
    diff: false,
    typed: false,
  },
});
