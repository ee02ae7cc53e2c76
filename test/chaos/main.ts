import { parseArgs } from 'node:util';
import { z } from 'zod';
import { failpointNames } from '../../server/lib/failpoint.ts';
import { brokenStores, runChaos } from './chaos.ts';
import { printReport } from './report.ts';

const usage = `Kills a real server again and again while users work on it, and checks that nothing it acknowledged is lost.

  npm run chaos -- [options]

  --kills N         kills at random moments (default 1000; about 1.3 s each)
  --failpoint NAME  only at this failpoint, may be repeated; "none" for none (default: at every one, once)
  --seed N          the same decisions again (default: by the clock, and printed)
  --broken STORE    the control: ${brokenStores.join(', ')} acknowledges before it keeps; each kill follows an acknowledgement. Succeeds when that is found out
  --json FILE       also writes the result as JSON
  --help            prints this

The server is server/main.ts itself over HTTP, on a data folder and a port of its own. Its sandboxes are processes of this
machine, so Docker is not needed; render failpoints need Chromium and FFmpeg. What was acknowledged is written to a file
outside the server's folder; both are kept when something was lost. Exits with 1 then, with 2 for wrong options.
`;

const optionsSchema = z.object({
  kills: z.coerce.number().int().min(0).default(1000),
  seed: z.coerce.number().int().min(0).optional(),
  broken: z.enum(brokenStores).optional(),
  failpoint: z.array(z.enum([...failpointNames, 'none'])).optional(),
  json: z.string().optional(),
});

function readOptions(): z.output<typeof optionsSchema> {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string' },
        seed: { type: 'string' },
        broken: { type: 'string' },
        failpoint: { type: 'string', multiple: true },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help === true) {
      process.stdout.write(usage);
      process.exit(0);
    }
    return optionsSchema.parse(values);
  } catch (error) {
    const words = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    process.stderr.write(`${words}\n\n${usage}`);
    process.exit(2);
  }
}

const { kills, seed = Date.now() % 1_000_000_000, broken = null, failpoint, json } = readOptions();
const failpoints = broken === null ? failpointNames.filter((name) => failpoint?.includes(name) ?? true) : [];
const say = (line: string) => void process.stderr.write(`${line}\n`);
say(
  `Seed ${seed}: ${failpoints.length} failpoints, ${kills} random kills${broken === null ? '' : `, with a broken store (${broken})`}.`,
);
const report = await runChaos({ kills, seed, failpoints, broken, say });
process.exit((await printReport(report, { seed, broken, json: json ?? null })) ? 0 : 1);
