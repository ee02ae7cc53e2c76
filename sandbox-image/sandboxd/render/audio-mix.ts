import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { AudioTrack } from '#contract/sandbox/answers.ts';
import { invalidRequest } from '../http.ts';
import type { FfmpegInput } from './encode.ts';

const probeTimeoutMs = 30_000;
const run = promisify(execFile);

export interface SoundFileOptions {
  /** Folders in which the page's server looks up a path, in order; the last one contains the others. */
  readonly roots: readonly string[];
  readonly ffprobePath: string;
  readonly signal: AbortSignal;
}

/**
 * Finds the files for all audio tracks. Throws VALIDATION_ERROR if one is missing, outside the project, unreadable, or too
 * short.
 */
export async function findAudioInputs(tracks: readonly AudioTrack[], options: SoundFileOptions): Promise<AudioInput[]> {
  const files = new Map<string, Omit<AudioInput, 'track'>>();
  const audioInputs: AudioInput[] = [];
  for (const track of tracks) {
    const file = files.get(track.src) ?? (await readSound(track.src, options));
    files.set(track.src, file);
    if (track.offsetSeconds >= file.durationSeconds) {
      throw invalidRequest(
        `The audio file ${track.src} is ${file.durationSeconds.toFixed(2)} s long, but its track skips the first ${track.offsetSeconds} s. Reduce offsetSeconds.`,
      );
    }
    audioInputs.push({ track, ...file });
  }
  return audioInputs;
}

async function readSound(src: string, options: SoundFileOptions): Promise<Omit<AudioInput, 'track'>> {
  const path = await locate(src, options.roots);
  return { path, ...(await probeSound(src, path, options)) };
}

/** Returns the file that the page's server would serve. Rejects files outside its folder, whether through `..` or a link. */
async function locate(src: string, roots: readonly string[]): Promise<string> {
  const name = projectPath(src);
  const project = await realpath(roots.at(-1) ?? '/');
  for (const root of roots) {
    const path = await realpath(join(root, name)).catch(() => null);
    if (path === null) continue;
    if (!path.startsWith(project + sep)) {
      throw invalidRequest(`The audio file ${src} is outside the project. Copy the file into public/.`);
    }
    if ((await stat(path)).isFile()) return path;
  }
  throw invalidRequest(
    `The audio file ${src} does not exist. Put it at public${name}, or remove it from window.__exportInfo.audio.`,
  );
}

/** Returns the path of a URL on the page's own origin. Throws VALIDATION_ERROR for other origins. */
function projectPath(src: string): string {
  const page = 'http://page.invalid';
  try {
    const url = new URL(src, page);
    const name = decodeURIComponent(url.pathname);
    if (url.origin === page && !name.includes('\0')) return name;
  } catch {
    // Invalid URLs get the same error.
  }
  throw invalidRequest(
    `The audio file ${src} is not a path within the project. Put it into public/ and use its path there, such as /music.mp3.`,
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
): Promise<Pick<AudioInput, 'channels' | 'durationSeconds'>> {
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
    throw invalidRequest(`The file ${src} is not a readable audio file. Use WAV, MP3, M4A, Ogg or FLAC.`);
  }
}

export const sampleRate = 48_000;

export interface AudioInput {
  readonly track: AudioTrack;
  readonly path: string;
  readonly channels: number;
  readonly durationSeconds: number;
}

export interface AudibleRange {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Duration of the whole film, where all tracks and fades end at the latest. */
  readonly filmSeconds: number;
}

export interface Mix {
  readonly inputs: readonly FfmpegInput[];
  /** Filter graph that ends in `[sound]`: 48 kHz stereo, exactly as long as the range. */
  readonly graph: string;
}

interface Placement {
  readonly start: number;
  /** Maximum length according to the film. */
  readonly maxLength: number;
  /** Length according to the file's header. Determines where the fade ends. */
  readonly length: number;
  readonly offset: number;
}

/**
 * Builds a filter graph that mixes all tracks. Counts in samples, so that a range sounds exactly as it does within the film.
 * `firstInput` is the number of preceding FFmpeg inputs. Returns `null` if the film has no tracks.
 */
export function planMix(audioInputs: readonly AudioInput[], range: AudibleRange, firstInput: number): Mix | null {
  if (audioInputs.length === 0) return null;
  const audible = audioInputs.flatMap((sound) => {
    const position = placement(sound, range.filmSeconds);
    const from = samples(range.startSeconds);
    // Uses `maxLength`, because a header with too short a duration must not cut the audio.
    return position.start < from + samples(range.durationSeconds) && position.start + position.maxLength > from
      ? [{ sound, position }]
      : [];
  });
  const end = samples(range.durationSeconds);
  const chains = audible.map(
    ({ sound, position }, index) => `[${firstInput + index}:a:0]${trackFilters(sound, position, range).join(',')}[track${index}]`,
  );
  const labels = audible.map((_, index) => `[track${index}]`).join('');
  return {
    // Restricted to `file`, because an audio file may actually be a playlist with URLs.
    inputs: audible.map(({ sound }) => ({ options: readOnlySound, path: sound.path })),
    graph: [
      // The first input of the mix determines its length.
      `anullsrc=sample_rate=${sampleRate}:channel_layout=stereo,atrim=end_sample=${end}[silence]`,
      ...chains,
      `[silence]${labels}amix=inputs=${audible.length + 1}:duration=first:normalize=0,atrim=end_sample=${end}[sound]`,
    ].join(';'),
  };
}

/** Audio containers that, unlike playlists, cannot refer FFmpeg to other files. */
const containers = 'aac,ac3,aiff,caf,eac3,flac,matroska,mov,mp3,ogg,w64,wav,webm,wv';

/** Input options for project audio files, which are untrusted. */
export const readOnlySound = ['-protocol_whitelist', 'file', '-format_whitelist', containers] as const;

function placement({ track, durationSeconds }: AudioInput, filmSeconds: number): Placement {
  const start = samples(track.startSeconds);
  const offset = samples(track.offsetSeconds);
  const wanted = track.durationSeconds === null ? Number.POSITIVE_INFINITY : samples(track.durationSeconds);
  const maxLength = Math.min(wanted, samples(filmSeconds) - start);
  return { start, maxLength, length: Math.min(maxLength, samples(durationSeconds) - offset), offset };
}

function trackFilters(
  { track, channels }: AudioInput,
  { start, maxLength, length, offset }: Placement,
  range: AudibleRange,
): string[] {
  const fadeIn = Math.min(samples(track.fadeInSeconds), length);
  const fadeOut = Math.min(samples(track.fadeOutSeconds), length);
  const late = start - samples(range.startSeconds);
  // Resets timestamps, so that fades do not depend on the file's own.
  const recount = 'asetpts=N/SR/TB';
  return [
    `aresample=${sampleRate}`,
    'aformat=sample_fmts=fltp',
    // FFmpeg's default mono-to-stereo conversion lowers the volume by 3 dB.
    channels === 1 ? 'pan=stereo|c0=c0|c1=c0' : 'aformat=channel_layouts=stereo',
    `atrim=start_sample=${offset}:end_sample=${offset + maxLength}`,
    recount,
    ...(track.gainDb === 0 ? [] : [`volume=${track.gainDb}dB`]),
    ...(fadeIn === 0 ? [] : [`afade=t=in:ss=0:ns=${fadeIn}`]),
    ...(fadeOut === 0 ? [] : [`afade=t=out:ss=${length - fadeOut}:ns=${fadeOut}`]),
    ...(late < 0 ? [`atrim=start_sample=${-late}`, recount] : []),
    ...(late > 0 ? [`adelay=${late}S:all=1`] : []),
  ];
}

function samples(seconds: number): number {
  return Math.round(seconds * sampleRate);
}
