import { z } from 'zod';
import { clip, clipped } from '../author/read/fill.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

export const terminal = defineFormat({
  id: 'terminal',
  title: 'Terminal',
  use: 'Shell commands that are typed, with their output.',
  avoid: 'Source code (use code).',
  purposes: ['code'],
  props: z.object({
    windowTitle: line(34).nullable().describe('name in the title bar'),
    prompt: line(8).default('$').describe('before each command'),
    blocks: z
      .array(
        z.object({
          input: line(90).describe('command, which is typed'),
          output: z.array(z.string().max(80)).max(8).default([]).describe('lines that it prints'),
        }),
      )
      .min(1)
      .max(6)
      .describe('commands, in order'),
  }),
  seconds: ({ blocks }) =>
    0.8 +
    blocks.reduce(
      (sum, { input, output }) =>
        sum + input.length / 20 + 0.9 + (output.length === 0 ? 0 : Math.min(2.5, readingSeconds(...output) * 0.6)),
      0,
    ) +
    1,
  outline: ({ windowTitle, blocks }) => ({
    title: shorten(windowTitle ?? blocks[0]?.input ?? 'Terminal', 60),
    description: shorten(`Types ${blocks.map(({ input }) => `“${input}”`).join(', ')} in a terminal.`, 900),
  }),
  match: (reading) =>
    blocksOf(reading, 'terminal').map((block) => {
      const blocks = block.commands.map(({ input, output }) => ({
        input: clip(input || '…', 90),
        output: output.slice(0, 8).map((row) => row.slice(0, 80)),
      }));
      return {
        score: 0.95,
        scenes: chunk(blocks, 6).map((part) => ({ windowTitle: clipped(block.heading?.text, 34), prompt: '$', blocks: part })),
        spans: spansOf(block),
      };
    }),
  example: {
    windowTitle: 'harbour',
    prompt: '$',
    blocks: [
      { input: 'tern test', output: ['38 passed  1 skipped  in 2.4 s'] },
      {
        input: 'tern ship --region north',
        output: ['Build   done in 3.1 s', 'Upload  1.8 MB in 6 parts to oslo, turku, riga', 'Routes  14 pages, 0 broken links'],
      },
      { input: 'tern open', output: ['Live at harbour.example in 41 ms'] },
    ],
  },
});
