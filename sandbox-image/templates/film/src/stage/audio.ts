import { loudnessAt, soundSeconds } from './audio-shape.ts';
import type { AudioTrack, FilmDefinition } from './film-definition.ts';

/** A larger offset between audio and image restarts the audio. A smaller one is not noticeable. */
const toleranceSeconds = 0.08;
const resumeIntervalMs = 1000;

interface DecodedTrack {
  readonly track: AudioTrack;
  readonly buffer: AudioBuffer;
  readonly lengthSeconds: number;
}

interface Playing {
  readonly sources: readonly AudioBufferSourceNode[];
  /** Film time at the audio context's time 0, in seconds. */
  readonly offset: number;
}

/**
 * Plays the film's audio in the page; a renderer mixes the same tracks itself. If the browser forbids audio before a user
 * gesture, the film plays silently until then.
 */
export class AudioPlayer {
  /** Created with the first sound. Films without audio need none. */
  #context: AudioContext | null = null;
  #resumedAtMs = Number.NEGATIVE_INFINITY;
  #decoded: readonly DecodedTrack[] = [];
  #film: FilmDefinition | null = null;
  #playing: Playing | null = null;

  /** Replaces the audio with another film's. Reports and skips files that cannot be played. */
  async load(film: FilmDefinition): Promise<void> {
    if (film === this.#film) return;
    this.#film = film;
    this.#silence();
    this.#decoded = [];
    if (!film.audio?.length) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    const decoded = await Promise.all(film.audio.map((track) => decode(context, track, film.durationSeconds)));
    // An edit may have replaced the film while these were loading.
    if (this.#film === film) this.#decoded = decoded.filter((sound) => sound !== null);
  }

  /** Keeps audio and image in sync. Called on every frame. */
  follow(seconds: number, playing: boolean): void {
    const context = this.#context;
    if (!context || !playing || this.#decoded.length === 0) {
      this.#silence();
      return;
    }
    if (context.state !== 'running') {
      this.#resume(context);
      return;
    }
    const heard = this.#playing && context.currentTime + this.#playing.offset;
    if (heard !== null && Math.abs(heard - seconds) < toleranceSeconds) return;
    this.#silence();
    const sources = this.#decoded.map((sound) => start(context, sound, seconds)).filter((source) => source !== null);
    this.#playing = { sources, offset: seconds - context.currentTime };
  }

  dispose(): void {
    this.#silence();
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
  }

  /** The browser refuses until the user interacts with the page or the studio around it, so it is retried periodically. */
  #resume(context: AudioContext): void {
    const nowMs = performance.now();
    if (nowMs - this.#resumedAtMs < resumeIntervalMs) return;
    this.#resumedAtMs = nowMs;
    void context.resume().catch(() => undefined);
  }

  #silence(): void {
    for (const source of this.#playing?.sources ?? []) source.stop();
    this.#playing = null;
  }
}

async function decode(context: AudioContext, track: AudioTrack, filmSeconds: number): Promise<DecodedTrack | null> {
  try {
    const response = await fetch(track.src.startsWith('/') ? `.${track.src}` : track.src);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const buffer = await context.decodeAudioData(await response.arrayBuffer());
    return { track, buffer, lengthSeconds: soundSeconds(track, { fileSeconds: buffer.duration, filmSeconds }) };
  } catch (error) {
    window.__reportError(`The sound ${track.src} cannot be played: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** Plays a track from that second of the film. Returns `null` if the track is over. */
function start(context: AudioContext, decoded: DecodedTrack, seconds: number): AudioBufferSourceNode | null {
  const { track, buffer, lengthSeconds } = decoded;
  const { startSeconds, offsetSeconds = 0 } = track;
  const localSeconds = seconds - startSeconds;
  if (lengthSeconds <= 0 || localSeconds >= lengthSeconds) return null;
  const now = context.currentTime;
  const source = new AudioBufferSourceNode(context, { buffer });
  const gain = new GainNode(context);
  fade(gain.gain, decoded, { startsAt: now - localSeconds, now });
  source.connect(gain).connect(context.destination);
  const skippedSeconds = Math.max(0, localSeconds);
  source.start(now + Math.max(0, -localSeconds), offsetSeconds + skippedSeconds, lengthSeconds - skippedSeconds);
  return source;
}

/** Schedules the fades from now on, in the context's time. The track's start may be in the past. */
function fade(
  gain: AudioParam,
  { track, lengthSeconds }: DecodedTrack,
  { startsAt, now }: { startsAt: number; now: number },
): void {
  const { fadeInSeconds = 0, fadeOutSeconds = 0 } = track;
  const at = (seconds: number) => loudnessAt(track, { seconds, lengthSeconds });
  gain.setValueAtTime(at(Math.max(0, now - startsAt)), Math.max(now, startsAt));
  for (const seconds of [fadeInSeconds, lengthSeconds - fadeOutSeconds, lengthSeconds].sort((a, b) => a - b)) {
    const time = startsAt + seconds;
    if (time > now && seconds > 0) gain.linearRampToValueAtTime(at(seconds), time);
  }
}
