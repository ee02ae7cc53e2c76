import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { AudioTrack } from '../../../server/contract/sandboxd.ts';
import { invalidRequest } from '../http.ts';
import type { FfmpegInput } from './encode.ts';

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

export const sampleRate = 48_000;

/** A track of the film whose file was found. */
export interface Sound {
  readonly track: AudioTrack;
  /** Absolute path. */
  readonly path: string;
  readonly channels: number;
  /** Of the whole file, as its header says. */
  readonly durationSeconds: number;
}

/** The part of the film that gets sound. */
export interface HeardPart {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Length of the whole film: every track ends there, and its fade with it. */
  readonly filmSeconds: number;
}

export interface Mix {
  readonly inputs: readonly FfmpegInput[];
  /** A filter graph that ends in `[sound]`: 48 kHz, stereo, exactly as long as the part. */
  readonly graph: string;
}

/** Where a track stands, in samples from the beginning of the film. */
interface Placement {
  readonly start: number;
  /** How long it may play, by what the film says of it. */
  readonly most: number;
  /** How long it plays, as far as the file's header is right: where its fade ends. */
  readonly length: number;
  /** Left out of the file's beginning. */
  readonly offset: number;
}

/**
 * One filter graph that puts all tracks in their places and adds them up. Everything is counted in samples,
 * so nothing is rounded twice and a part sounds exactly as it does within the film. `firstInput` is the
 * number of inputs that FFmpeg has before these. Null when the film has no tracks; tracks that are not heard
 * in the part leave silence.
 */
export function planMix(sounds: readonly Sound[], part: HeardPart, firstInput: number): Mix | null {
  if (sounds.length === 0) return null;
  const heard = sounds.flatMap((sound) => {
    const place = placement(sound, part.filmSeconds);
    const from = samples(part.startSeconds);
    // By `most`: a header that says too little must not silence the end of a file.
    return place.start < from + samples(part.durationSeconds) && place.start + place.most > from ? [{ sound, place }] : [];
  });
  const end = samples(part.durationSeconds);
  const chains = heard.map(
    ({ sound, place }, index) => `[${firstInput + index}:a:0]${trackFilters(sound, place, part).join(',')}[track${index}]`,
  );
  const labels = heard.map((_, index) => `[track${index}]`).join('');
  return {
    // `file` alone: what looks like a sound may be a playlist that names addresses.
    inputs: heard.map(({ sound }) => ({ options: readOnlySound, path: sound.path })),
    graph: [
      // The first input of the mix decides how long it is.
      `anullsrc=sample_rate=${sampleRate}:channel_layout=stereo,atrim=end_sample=${end}[silence]`,
      ...chains,
      `[silence]${labels}amix=inputs=${heard.length + 1}:duration=first:normalize=0,atrim=end_sample=${end}[sound]`,
    ].join(';'),
  };
}

/** Containers that hold sound and cannot lead FFmpeg elsewhere, as playlists can. */
const containers = 'aac,ac3,aiff,caf,eac3,flac,matroska,mov,mp3,ogg,w64,wav,webm,wv';

/** Before the input of any file that a project calls a sound. */
export const readOnlySound = ['-protocol_whitelist', 'file', '-format_whitelist', containers] as const;

function placement({ track, durationSeconds }: Sound, filmSeconds: number): Placement {
  const start = samples(track.startSeconds);
  const offset = samples(track.offsetSeconds);
  const wanted = track.durationSeconds === null ? Number.POSITIVE_INFINITY : samples(track.durationSeconds);
  const most = Math.min(wanted, samples(filmSeconds) - start);
  return { start, most, length: Math.min(most, samples(durationSeconds) - offset), offset };
}

function trackFilters({ track, channels }: Sound, { start, most, length, offset }: Placement, part: HeardPart): string[] {
  const fadeIn = Math.min(samples(track.fadeInSeconds), length);
  const fadeOut = Math.min(samples(track.fadeOutSeconds), length);
  const late = start - samples(part.startSeconds);
  // Counted anew, so that fades find their samples whatever the file's own clock says.
  const recount = 'asetpts=N/SR/TB';
  return [
    `aresample=${sampleRate}`,
    'aformat=sample_fmts=fltp',
    // FFmpeg's own way from one channel to two takes 3 dB away.
    channels === 1 ? 'pan=stereo|c0=c0|c1=c0' : 'aformat=channel_layouts=stereo',
    `atrim=start_sample=${offset}:end_sample=${offset + most}`,
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
