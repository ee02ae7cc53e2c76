import { z } from 'zod';
import { defineFormat, line, shorten } from '../define-format.ts';

export const code = defineFormat({
  id: 'code',
  title: 'Code',
  use: 'A piece of source code, typed or revealed, with the lines that matter marked; or a change as removed and added lines.',
  avoid: 'Shell commands with their output (use terminal), or more than 22 lines.',
  props: z.object({
    /** Null if unknown. Names as in Shiki: `typescript`, `python`, `sql`. */
    language: line(20).nullable(),
    fileName: line(40).nullable(),
    code: z.string().min(1).max(1600),
    /** Numbers of marked lines, from 1. */
    highlight: z.array(z.int().min(1).max(22)).max(22),
    /** True for a diff: lines start with `-`, `+` or a space. */
    diff: z.boolean(),
    typed: z.boolean(),
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
  match: () => [],
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
