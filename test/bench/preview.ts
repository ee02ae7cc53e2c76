// npm run bench -- preview. See preview/options.ts for its options.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStudio } from '../fixtures/studio.ts';
import { measurePreview, type PreviewRun } from './preview/measure.ts';
import { helpText, readOptions } from './preview/options.ts';
import { median } from './render/statistics.ts';

/** Targets for an otherwise idle machine. */
const targets = { firstPictureMs: 1500, completeMs: 3000 };
const times = ['orderedMs', 'firstPictureMs', 'firstProgressMs', 'completeMs'] as const;

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(helpText);
  process.exit(0);
}

const runs: PreviewRun[] = [];
{
  await using studio = await startStudio({ sandbox: 'process' });
  for (let index = 0; index < options.runs; index++) {
    const run = await measurePreview(studio.client, options.prompt);
    await assertDecodable(run.firstBytes);
    runs.push(run);
    const { firstPictureMs, completeMs, frames, loadBefore } = run;
    console.log(
      `film ${index + 1}: first picture ${firstPictureMs.toFixed(0)} ms, complete ${completeMs.toFixed(0)} ms (${frames} frames, load ${loadBefore.toFixed(1)})`,
    );
  }
}

const medians = Object.fromEntries(times.map((name) => [name, Math.round(median(runs.map((run) => run[name])))]));
console.log(`median of ${runs.length}, from code ready: ${JSON.stringify(medians)}; targets ${JSON.stringify(targets)}`);
if (options.json !== null) {
  const [processor] = cpus();
  const machine = { processors: cpus().length, model: processor?.model ?? null };
  const figures = runs.map(({ firstBytes, ...figure }) => ({ ...figure, firstPictureBytes: firstBytes.length }));
  const result = { at: new Date().toISOString(), machine, prompt: options.prompt, targets, medians, runs: figures };
  await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
}

/** Throws unless the first frame can be decoded. */
async function assertDecodable(bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'koda-bench-'));
  try {
    const path = join(folder, 'first.mp4');
    await writeFile(path, bytes);
    const { stdout } = await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', path, '-f', 'framemd5', '-']);
    if (!/^\d/m.test(stdout)) throw new Error('No picture could be decoded from the first fragment.');
  } finally {
    await rm(folder, { recursive: true });
  }
}
