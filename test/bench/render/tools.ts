import { execFile } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { promisify } from 'node:util';
import { findChromium, findFfmpeg, findFfprobe, installedBackend } from '../../../sandbox-image/sandboxd/browser/executables.ts';

const run = promisify(execFile);

export interface Tools {
  readonly chromiumPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Finds tools as the product does: KODA_CHROMIUM and similar, otherwise PATH. Throws an Error that says what to install. */
export function findTools(): Tools {
  const where = (variable: string) => ({ configured: process.env[variable] ?? null, path: process.env['PATH'] ?? '' });
  return {
    chromiumPath: findChromium(where('KODA_CHROMIUM')),
    ffmpegPath: findFfmpeg(where('KODA_FFMPEG')),
    ffprobePath: findFfprobe(where('KODA_FFPROBE')),
  };
}

export interface Machine {
  readonly cpus: number;
  readonly cpuModel: string;
  readonly node: string;
  readonly chromium: string;
  readonly ffmpeg: string;
  readonly webgl: string;
}

export async function describeMachine(tools: Tools): Promise<Machine> {
  const [chromium, ffmpeg] = await Promise.all([run(tools.chromiumPath, ['--version']), run(tools.ffmpegPath, ['-version'])]);
  return {
    cpus: availableParallelism(),
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.versions.node,
    chromium: chromium.stdout.trim(),
    ffmpeg: /^ffmpeg version (\S+)/.exec(ffmpeg.stdout)?.[1] ?? 'unknown',
    webgl: installedBackend(),
  };
}
