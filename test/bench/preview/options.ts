import { parseArgs } from 'node:util';
import { z } from 'zod';

export const helpText = `npm run bench -- preview [options]

Makes short films with a real studio (sandboxes as processes of this machine) and measures how long the first preview
takes, from the moment in which its code is ready: its files are written and its frames were looked at.

  --runs N           films that are made; medians count (5)
  --prompt TEXT      what is made
  --json FILE        write the result there as JSON
  --help             this text
`;

const valuesSchema = z.object({
  runs: z.coerce.number().int().min(1).max(50).default(5),
  prompt: z.string().min(1).default('A red ball bounces three times, playful, with the title "Hello"'),
  json: z.string().nullable().default(null),
  help: z.boolean().default(false),
});
export type PreviewBenchOptions = z.infer<typeof valuesSchema>;

/** Parses the command line. Throws an Error that explains an invalid option. */
export function readOptions(args: readonly string[]): PreviewBenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string' },
      prompt: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const parsed = valuesSchema.safeParse(values);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}
