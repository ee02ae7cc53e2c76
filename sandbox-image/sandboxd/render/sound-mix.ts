import type { AudioTrack } from '../../../server/contract/sandboxd.ts';
import type { FfmpegInput } from './ffmpeg-args.ts';

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
