import type { AudioTrack } from './film-definition.ts';

/** Returns how long a track plays: until its file, its duration or the film ends. 0 or less means that it does not play. */
export function soundSeconds(
  track: AudioTrack,
  { fileSeconds, filmSeconds }: { fileSeconds: number; filmSeconds: number },
): number {
  const { startSeconds, offsetSeconds = 0, durationSeconds = Number.POSITIVE_INFINITY } = track;
  return Math.min(durationSeconds, fileSeconds - offsetSeconds, filmSeconds - startSeconds);
}

/** Returns the amplitude factor at a time since the track's start. Fades are linear. */
export function loudnessAt(track: AudioTrack, { seconds, lengthSeconds }: { seconds: number; lengthSeconds: number }): number {
  const { gainDb = 0, fadeInSeconds = 0, fadeOutSeconds = 0 } = track;
  const fadeIn = fadeInSeconds > 0 ? seconds / fadeInSeconds : 1;
  const fadeOut = fadeOutSeconds > 0 ? (lengthSeconds - seconds) / fadeOutSeconds : 1;
  return 10 ** (gainDb / 20) * Math.max(0, Math.min(1, fadeIn, fadeOut));
}
