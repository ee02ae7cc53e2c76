import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type ContenderName, contenderNameSchema, contenderNames } from './contenders/contender.ts';
import { scenes as allScenes, type SceneEntry, sceneNamed } from './scene-list.ts';

export interface BenchOptions {
  readonly jsonFile: string | null;
  readonly scenes: readonly SceneEntry[];
  readonly contenders: readonly ContenderName[];
  readonly rounds: number;
  readonly durationSeconds: number;
  /** Whether every contender encodes with its own defaults instead of Koda's settings. */
  readonly shipped: boolean;
  readonly checks: boolean;
  readonly pictures: boolean;
  readonly keep: boolean;
  /** Whether to measure although the machine does other work. */
  readonly busy: boolean;
  /** Whether to write the result into docs/. */
  readonly publish: boolean;
  /** Path of an earlier run's result (`--json`) to publish instead of measuring. */
  readonly fromFile: string | null;
  readonly help: boolean;
}

export const helpText = `npm run bench -- render [options]

Renders the same scenes with Koda, the naive way, Remotion and HyperFrames, and compares their speed.

  --scenes a,b       only these: ${allScenes.map((scene) => scene.name).join(', ')}
  --contenders a,b   only these: ${contenderNames.join(', ')}
  --rounds N         how often each is measured, interleaved; medians count (3)
  --seconds S        length of the film (10)
  --shipped          each contender with its own defaults and documented settings, instead of the same encoder for all
  --json FILE        write the result there as JSON
  --checks           check that frames do not depend on workers and load, and what stillness saves; measures nothing else
  --pictures         compare Koda's pictures with screenshots; measures nothing else
  --busy             measure although the machine does other work; the report says so
  --keep             keep the videos in .tools/bench/output
  --publish          write docs/render-benchmark.md, .json and .png; with --pictures or --shipped only their figures
  --from FILE        with --publish: of an earlier run's --json FILE, without measuring again
  --help             this text
`;

const list = (text: string) => text.split(',').map((part) => part.trim());

const valuesSchema = z.object({
  scenes: z.string().optional(),
  contenders: z.string().optional(),
  rounds: z.coerce.number().int().min(1).max(20).default(3),
  seconds: z.coerce.number().min(0.1).max(60).default(10),
  json: z.string().optional(),
  shipped: z.boolean().default(false),
  checks: z.boolean().default(false),
  pictures: z.boolean().default(false),
  keep: z.boolean().default(false),
  busy: z.boolean().default(false),
  publish: z.boolean().default(false),
  from: z.string().optional(),
  help: z.boolean().default(false),
});

/** Parses the command line. Throws an Error that explains the invalid option and lists valid ones. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenes: { type: 'string' },
      contenders: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'string' },
      shipped: { type: 'boolean' },
      checks: { type: 'boolean' },
      pictures: { type: 'boolean' },
      keep: { type: 'boolean' },
      busy: { type: 'boolean' },
      publish: { type: 'boolean' },
      from: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const parsed = valuesSchema.safeParse(values);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  if (parsed.data.from !== undefined && !parsed.data.publish) throw new Error('--from only goes with --publish.');
  const { scenes, contenders, rounds, seconds, json, shipped, checks, pictures, keep, busy, publish, from, help } = parsed.data;
  return {
    jsonFile: json ?? null,
    scenes: scenes === undefined ? allScenes : list(scenes).map(sceneNamed),
    contenders: contenders === undefined ? contenderNames : list(contenders).map(contenderNamed),
    rounds,
    durationSeconds: seconds,
    shipped,
    checks,
    pictures,
    keep,
    busy,
    publish,
    fromFile: from ?? null,
    help,
  };
}

function contenderNamed(name: string): ContenderName {
  const parsed = contenderNameSchema.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new Error(`There is no contender "${name}". Contenders: ${contenderNames.join(', ')}.`);
}
