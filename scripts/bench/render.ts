// npm run bench -- render: see render/options.ts for what it takes, docs/render-benchmark.md for what it found.
import { join, resolve } from 'node:path';
import { buildScenes } from './render/build.ts';
import type { Task } from './render/contenders/contender.ts';
import { filmSettings, frameCount } from './render/film.ts';
import { helpText, readOptions } from './render/options.ts';
import { runTask } from './render/run-task.ts';
import { filmSpeed } from './render/statistics.ts';
import { findTools } from './render/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const work = join(root, '.tools/bench');

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(helpText);
  process.exit(0);
}
const film = filmSettings(options.durationSeconds);
const tools = findTools();
await buildScenes(options.scenes, { root, work, film, ffmpegPath: tools.ffmpegPath });
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('stopped')));
for (let round = 0; round < options.rounds; round++) {
  for (const scene of options.scenes) {
    for (const contender of options.contenders) {
      const task: Task = {
        contender,
        variant: 'tuned',
        scene: scene.name,
        work,
        output: join(work, 'output', `${scene.name}-${contender}`),
        film,
        sampleFrames: 24,
        ...tools,
      };
      const run = await runTask(task, stop.signal);
      const speed = filmSpeed(run, frameCount(film)).toFixed(2);
      console.log(
        `${scene.name.padEnd(18)} ${contender.padEnd(12)} ${speed} frames/s  ${(run.cpuSeconds / run.frames).toFixed(3)} CPU s/frame (${run.cpuSource})  ${(run.peakMemoryBytes / 1e6).toFixed(0)} MB  ${(run.sizeBytes / 1e3).toFixed(0)} kB`,
      );
    }
  }
}
