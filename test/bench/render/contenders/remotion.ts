import { copyFile, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { x264Options } from '../../../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import { sceneFolder } from '../build.ts';
import { frameCount } from '../film.ts';
import { type FilmData, fontFileOf, fonts } from '../films/film.ts';
import { filmNamed } from '../films/films.ts';
import { llvmpipeEnvironment, llvmpipeFlags } from '../graphics.ts';
import { exists, importPeer, peersFolder, writeWrapper } from '../peers.ts';
import { sceneNamed } from '../scene-list.ts';
import type { Contender, Rendered, Task } from './contender.ts';

interface Bundler {
  bundle(options: { entryPoint: string; outDir: string; publicDir: string; enableCaching: boolean }): Promise<string>;
}

interface Renderer {
  renderMedia(options: Record<string, unknown>): Promise<unknown>;
}

function bundleFolder(task: Task): string {
  return join(task.work, 'remotion', task.scene);
}

/**
 * Remotion via its Node API. Its compositor package bundles FFmpeg. Two variants. Documented: headless shell, JPEG, one tab
 * per core, and the OpenGL renderer that its documentation recommends without a GPU: `swangle` for WebGL, otherwise the
 * default. Tuned: a wrapper passes the product's graphics flags and llvmpipe to Chromium, and FFmpeg is the system's.
 */
export const remotion: Contender = {
  async prepare(task: Task): Promise<void> {
    const outDir = bundleFolder(task);
    if (await exists(join(outDir, 'index.html'))) return;
    const { film } = task;
    const source = join(peersFolder(task.work), 'remotion', task.scene);
    await rm(source, { recursive: true, force: true });
    await mkdir(source, { recursive: true });
    const entryPoint = join(source, 'index.jsx');
    const isFilm = sceneNamed(task.scene).film !== undefined;
    const root = isFilm ? 'remotion-film.jsx' : 'remotion-entry.js';
    await copyFile(join(import.meta.dirname, '..', 'peers', root), entryPoint);
    if (isFilm) await writeFile(join(source, 'data.json'), JSON.stringify(remotionData(filmNamed(task.scene))));
    else await copyFile(join(sceneFolder(task.work, task.scene), 'scene.js'), join(source, 'scene.js'));
    await writeFile(join(source, 'film.json'), JSON.stringify({ ...film, frames: frameCount(film) }));
    const publicDir = join(source, 'public');
    await cp(join(sceneFolder(task.work, task.scene), 'assets'), join(publicDir, 'assets'), { recursive: true });
    const { bundle } = await importPeer<Bundler>(task.work, '@remotion/bundler');
    await bundle({ entryPoint, outDir, publicDir, enableCaching: false });
  },

  async render(task: Task): Promise<Rendered> {
    const { film } = task;
    const tuned = task.variant === 'tuned';
    if (tuned) Object.assign(process.env, llvmpipeEnvironment);
    const browserExecutable = tuned
      ? await writeWrapper(task.work, 'chromium-remotion', `exec '${task.chromiumPath}' "$@" ${llvmpipeFlags.join(' ')}`)
      : task.chromiumPath;
    const binariesDirectory = tuned ? await systemFfmpeg(task) : null;
    const videoPath = join(task.output, 'video.mp4');
    const { renderMedia } = await importPeer<Renderer>(task.work, '@remotion/renderer');
    const frames = frameCount(film);
    await renderMedia({
      serveUrl: bundleFolder(task),
      // The result of selectComposition(), which would start another browser if it were called.
      composition: {
        id: 'film',
        width: film.width,
        height: film.height,
        fps: film.fps,
        durationInFrames: frames,
        defaultProps: {},
        props: {},
        defaultCodec: null,
        defaultOutName: null,
        defaultVideoImageFormat: null,
        defaultPixelFormat: null,
        defaultProResProfile: null,
        defaultSampleRate: null,
      },
      outputLocation: videoPath,
      codec: 'h264',
      ...(film.encoder === 'same' ? sameEncoder(film) : {}),
      muted: true,
      browserExecutable,
      chromeMode: 'headless-shell',
      chromiumOptions: { gl: !tuned && sceneNamed(task.scene).webgl ? 'swangle' : null },
      binariesDirectory,
      logLevel: 'warn',
    });
    return { videoPath, frames, startMs: null };
  },
};

function sameEncoder({ crf, jpegQuality, workers }: Task['film']) {
  return {
    ...{ pixelFormat: 'yuv420p', colorSpace: 'bt709', imageFormat: 'jpeg', jpegQuality, concurrency: workers },
    crf,
    // FFmpeg uses the last of repeated options, and the output is the last argument.
    ffmpegOverride: ({ args }: { args: string[] }) => args.toSpliced(-1, 0, ...x264Options({ speed: 'fast', crf })),
  };
}

function remotionData(film: FilmData) {
  const faces = film.fonts.map((name) => {
    const [, , weight, stretch = 'normal'] = fonts[name];
    return { family: `Film ${name}`, file: fontFileOf(name), weight, stretch };
  });
  return { faces, parts: film.parts };
}

async function systemFfmpeg(task: Task): Promise<string> {
  const folder = join(peersFolder(task.work), 'remotion-binaries');
  if (await exists(folder)) return folder;
  const renderer = createRequire(createRequire(join(peersFolder(task.work), 'package.json')).resolve('@remotion/renderer'));
  const own = dirname(renderer.resolve(`@remotion/compositor-linux-${process.arch}-gnu`));
  await mkdir(folder);
  for (const name of await readdir(own)) {
    if (name === 'ffmpeg' || name === 'ffprobe') continue;
    await symlink(join(own, name), join(folder, name));
  }
  for (const path of [task.ffmpegPath, task.ffprobePath]) {
    await writeWrapper(task.work, join('remotion-binaries', basename(path)), `unset LD_LIBRARY_PATH\nexec '${path}' "$@"`);
  }
  return folder;
}
