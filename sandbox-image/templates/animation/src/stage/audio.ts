import { loudnessAt, soundSeconds } from './audio-shape.ts';
import type { AudioTrack, FilmDefinition } from './film-definition.ts';

/** Sound that is further off the picture than this is begun anew; less cannot be noticed. */
const toleranceSeconds = 0.08;
const resumeIntervalMs = 1000;

interface Sound {
  readonly track: AudioTrack;
  readonly buffer: AudioBuffer;
  readonly lengthSeconds: number;
}

interface Playing {
  readonly sources: readonly AudioBufferSourceNode[];
  /** The film's second that was heard at the context's second 0. */
  readonly offset: number;
}

/**
 * The film's sound while the page plays; a renderer mixes the same tracks by itself. A browser that does not
 * let a page sound before it was touched stays silent until then, and the picture plays on.
 */
export class AudioPlayer {
  /** Made with the first sound: a film without any needs none. */
  #context: AudioContext | null = null;
  #resumedAtMs = Number.NEGATIVE_INFINITY;
  #sounds: readonly Sound[] = [];
  #film: FilmDefinition | null = null;
  #playing: Playing | null = null;

  /** Loads the sound of a film instead of the present one. A file that cannot be played is reported and left out. */
  async load(film: FilmDefinition): Promise<void> {
    if (film === this.#film) return;
    this.#film = film;
    this.#silence();
    this.#sounds = [];
    if (!film.audio?.length) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    const sounds = await Promise.all(film.audio.map((track) => decode(context, track, film.durationSeconds)));
    // An edit may have brought another film while these were loading.
    if (this.#film === film) this.#sounds = sounds.filter((sound) => sound !== null);
  }

  /** Called at every frame: keeps the sound where the picture is. */
  follow(seconds: number, playing: boolean): void {
    const context = this.#context;
    if (!context || !playing || this.#sounds.length === 0) {
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
    const sources = this.#sounds.map((sound) => begin(context, sound, seconds)).filter((source) => source !== null);
    this.#playing = { sources, offset: seconds - context.currentTime };
  }

  dispose(): void {
    this.#silence();
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
  }

  /** Refused until the user touches the page or the studio around it, so it is asked again now and then. */
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

async function decode(context: AudioContext, track: AudioTrack, filmSeconds: number): Promise<Sound | null> {
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

/** Plays what is left of a track at that second of the film; null when nothing is. */
function begin(context: AudioContext, sound: Sound, seconds: number): AudioBufferSourceNode | null {
  const { track, buffer, lengthSeconds } = sound;
  const { startSeconds, offsetSeconds = 0 } = track;
  const localSeconds = seconds - startSeconds;
  if (lengthSeconds <= 0 || localSeconds >= lengthSeconds) return null;
  const now = context.currentTime;
  const source = new AudioBufferSourceNode(context, { buffer });
  const gain = new GainNode(context);
  fade(gain.gain, sound, { startsAt: now - localSeconds, now });
  source.connect(gain).connect(context.destination);
  const skippedSeconds = Math.max(0, localSeconds);
  source.start(now + Math.max(0, -localSeconds), offsetSeconds + skippedSeconds, lengthSeconds - skippedSeconds);
  return source;
}

/** What the loudness will be from now on; the times are the context's, the start may lie in the past. */
function fade(gain: AudioParam, { track, lengthSeconds }: Sound, { startsAt, now }: { startsAt: number; now: number }): void {
  const { fadeInSeconds = 0, fadeOutSeconds = 0 } = track;
  const at = (seconds: number) => loudnessAt(track, { seconds, lengthSeconds });
  gain.setValueAtTime(at(Math.max(0, now - startsAt)), Math.max(now, startsAt));
  for (const seconds of [fadeInSeconds, lengthSeconds - fadeOutSeconds, lengthSeconds].sort((a, b) => a - b)) {
    const time = startsAt + seconds;
    if (time > now && seconds > 0) gain.linearRampToValueAtTime(at(seconds), time);
  }
}
