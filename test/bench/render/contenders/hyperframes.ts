import { copyFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { x264Options } from '../../../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import { sceneFolder } from '../build.ts';
import { frameCount } from '../film.ts';
import { filmNamed } from '../films/films.ts';
import { filmComposition } from '../films/hyperframes.ts';
import { llvmpipeEnvironment, llvmpipeFlags } from '../graphics.ts';
import { compositionPage } from '../pages.ts';
import { peersFolder, writeWrapper } from '../peers.ts';
import { sceneNamed } from '../scene-list.ts';
import type { Contender, Rendered, Task } from './contender.ts';

interface Producer {
  resolveConfig(overrides: Record<string, unknown>): unknown;
  createRenderRequest(input: Record<string, unknown>): unknown;
  renderConfigFromRequest(request: unknown, runtime: { logger: unknown }): unknown;
  createRenderJob(config: unknown): unknown;
  createConsoleLogger(level: string): unknown;
  executeRenderJob(job: unknown, projectDir: string, outputPath: string): Promise<void>;
}

/** The producer is bundled into the command line's package, in a file with a hash in its name. */
async function loadProducer(work: string): Promise<Producer> {
  const dist = join(peersFolder(work), 'node_modules/hyperframes/dist');
  const name = (await readdir(dist)).find((file) => /^src-\w+\.js$/.test(file));
  if (name === undefined) throw new Error('HyperFrames no longer has its producer where the benchmark looks for it.');
  return (await import(pathToFileURL(join(dist, name)).href)) as Producer;
}

function projectFolder(task: Task): string {
  return join(task.work, 'hyperframes', task.scene);
}

/**
 * HyperFrames through its producer, without starting its command line. Two variants. Documented: software WebGL (which `auto`
 * selects without a GPU), frames by beginFrame, one worker per core. Tuned: a wrapper passes the product's graphics flags and
 * llvmpipe to Chromium. HyperFrames must then treat this as hardware, because it requires SwiftShader for software.
 */
export const hyperframes: Contender = {
  async prepare(task: Task): Promise<void> {
    const folder = projectFolder(task);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await cp(join(sceneFolder(task.work, task.scene), 'assets'), join(folder, 'assets'), { recursive: true });
    if (sceneNamed(task.scene).film !== undefined) {
      await writeFile(join(folder, 'index.html'), filmComposition(filmNamed(task.scene), task.film));
      await copyFile(join(peersFolder(task.work), 'node_modules/gsap/dist/gsap.min.js'), join(folder, 'assets/gsap.min.js'));
      return;
    }
    await writeFile(join(folder, 'index.html'), compositionPage(task.film));
    await copyFile(join(sceneFolder(task.work, task.scene), 'scene.js'), join(folder, 'scene.js'));
  },

  async render(task: Task): Promise<Rendered> {
    const { film } = task;
    const tuned = task.variant === 'tuned';
    if (tuned) Object.assign(process.env, llvmpipeEnvironment);
    // `hardware` is avoided: it enables GPU rasterisation, which is slowest on llvmpipe.
    const flags = tuned ? [...llvmpipeFlags, '--disable-gpu-rasterization'].join(' ') : '';
    Object.assign(process.env, {
      HYPERFRAMES_NO_TELEMETRY: '1',
      HYPERFRAMES_NO_UPDATE_CHECK: '1',
      PRODUCER_HEADLESS_SHELL_PATH: await writeWrapper(
        task.work,
        `chrome-headless-shell-${task.variant}`,
        `exec '${task.chromiumPath}' "$@" ${flags}`,
      ),
      HYPERFRAMES_FFMPEG_PATH: film.encoder === 'same' ? await sameEncoder(task) : task.ffmpegPath,
      HYPERFRAMES_FFPROBE_PATH: task.ffprobePath,
    });
    const producer = await loadProducer(task.work);
    const projectDir = projectFolder(task);
    const videoPath = join(task.output, 'video.mp4');
    const request = producer.createRenderRequest({
      projectDir,
      outputPath: videoPath,
      engineConfig: producer.resolveConfig({
        browserGpuMode: tuned ? 'hardware' : 'software',
        forceScreenshot: false,
        ...(film.encoder === 'same' ? { jpegQuality: film.jpegQuality } : {}),
      }),
      options: {
        fps: { num: film.fps, den: 1 },
        quality: 'standard',
        format: 'mp4',
        ...(film.encoder === 'same' ? { workers: film.workers, crf: film.crf } : {}),
        useGpu: false,
        hdrMode: 'force-sdr',
        entryFile: 'index.html',
        strictness: 'best-effort',
      },
    });
    const logger = producer.createConsoleLogger('warn');
    await producer.executeRenderJob(
      producer.createRenderJob(producer.renderConfigFromRequest(request, { logger })),
      projectDir,
      videoPath,
    );
    return { videoPath, frames: frameCount(film), startMs: null };
  },
};

/** Returns a wrapper of FFmpeg with Koda's x264 options, because HyperFrames only offers three presets. */
function sameEncoder({ work, ffmpegPath, film }: Task): Promise<string> {
  const options = x264Options({ speed: 'fast', crf: film.crf }).join(' ');
  // FFmpeg uses the last of repeated options, and the output is the last argument.
  const script = `last=; for argument do [ -z "$last" ] || { shift; set -- "$@" "$last"; }; last=$argument; done; shift
case " $* " in *" libx264 "*) set -- "$@" ${options} ;; esac
exec '${ffmpegPath}' "$@" "$last"`;
  return writeWrapper(work, 'ffmpeg-hyperframes', script);
}
