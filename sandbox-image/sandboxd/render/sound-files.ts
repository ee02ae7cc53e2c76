import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { AudioTrack } from '../../../server/contract/sandboxd.ts';
import { invalidRequest } from '../http.ts';
import { readOnlySound, type Sound } from './sound-mix.ts';

const probeTimeoutMs = 30_000;
const run = promisify(execFile);

export interface SoundFileOptions {
  /** Folders in which the page's server looks for a path, in its order; the last one holds the others. */
  readonly roots: readonly string[];
  readonly ffprobePath: string;
  readonly signal: AbortSignal;
}

/**
 * The files of a film's tracks, looked at before anything is captured. Throws VALIDATION_ERROR for one that
 * is missing, lies outside the project, is no sound, or ends before its track begins.
 */
export async function findSounds(tracks: readonly AudioTrack[], options: SoundFileOptions): Promise<Sound[]> {
  const files = new Map<string, Omit<Sound, 'track'>>();
  const sounds: Sound[] = [];
  for (const track of tracks) {
    const file = files.get(track.src) ?? (await readSound(track.src, options));
    files.set(track.src, file);
    if (track.offsetSeconds >= file.durationSeconds) {
      throw invalidRequest(
        `The sound ${track.src} is ${file.durationSeconds.toFixed(2)} s long, but its track leaves out the first ${track.offsetSeconds} s. Make offsetSeconds smaller.`,
      );
    }
    sounds.push({ track, ...file });
  }
  return sounds;
}

async function readSound(src: string, options: SoundFileOptions): Promise<Omit<Sound, 'track'>> {
  const path = await locate(src, options.roots);
  return { path, ...(await probeSound(src, path, options)) };
}

/** The file that the page's server would answer with, and nothing outside its folder: not by `..`, not by a link. */
async function locate(src: string, roots: readonly string[]): Promise<string> {
  const name = projectPath(src);
  const project = await realpath(roots.at(-1) ?? '/');
  for (const root of roots) {
    const path = await realpath(join(root, name)).catch(() => null);
    if (path === null) continue;
    if (!path.startsWith(project + sep)) {
      throw invalidRequest(`The sound ${src} leads out of the project's folder. Put the file itself into public/.`);
    }
    if ((await stat(path)).isFile()) return path;
  }
  throw invalidRequest(
    `The sound ${src} is not there. Put the file at public${name}, or take it out of the film's sound (window.__exportInfo.audio).`,
  );
}

/** The path of a URL of the page's own. Throws VALIDATION_ERROR for one of another host. */
function projectPath(src: string): string {
  const page = 'http://page.invalid';
  try {
    const url = new URL(src, page);
    const name = decodeURIComponent(url.pathname);
    if (url.origin === page && !name.includes('\0')) return name;
  } catch {
    // No URL at all, or one with broken escapes: the same advice.
  }
  throw invalidRequest(
    `The sound ${src} is not a path within the project. Put the file into public/ and name it from there: /music.mp3.`,
  );
}

const outputSchema = z.object({
  streams: z.tuple([z.object({ channels: z.int().positive(), duration: z.coerce.number().optional() })]),
  format: z.object({ duration: z.coerce.number().positive() }),
});

async function probeSound(
  src: string,
  path: string,
  options: SoundFileOptions,
): Promise<Pick<Sound, 'channels' | 'durationSeconds'>> {
  const { ffprobePath, signal } = options;
  const entries = ['-show_entries', 'stream=channels,duration:format=duration', '-select_streams', 'a:0'];
  try {
    const args = ['-v', 'error', '-of', 'json', ...readOnlySound, ...entries, path];
    const { stdout } = await run(ffprobePath, args, { signal, timeout: probeTimeoutMs, killSignal: 'SIGKILL' });
    const { streams, format } = outputSchema.parse(JSON.parse(stdout));
    const [stream] = streams;
    return { channels: stream.channels, durationSeconds: stream.duration ?? format.duration };
  } catch {
    signal.throwIfAborted();
    throw invalidRequest(`The file ${src} is no sound that can be read. Use WAV, MP3, M4A, Ogg or FLAC.`);
  }
}
