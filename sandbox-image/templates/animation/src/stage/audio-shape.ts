import type { AudioTrack } from './film-definition.ts';

/** How long a track sounds: to the end of its file, of what is wanted of it, or of the film. 0 or less = not at all. */
export function soundSeconds(
  track: AudioTrack,
  { fileSeconds, filmSeconds }: { fileSeconds: number; filmSeconds: number },
): number {
  const { startSeconds, offsetSeconds = 0, durationSeconds = Number.POSITIVE_INFINITY } = track;
  return Math.min(durationSeconds, fileSeconds - offsetSeconds, filmSeconds - startSeconds);
}

/** The factor of the amplitude so many seconds after the track's start. Fades are straight lines. */
export function loudnessAt(track: AudioTrack, { seconds, lengthSeconds }: { seconds: number; lengthSeconds: number }): number {
  const { gainDb = 0, fadeInSeconds = 0, fadeOutSeconds = 0 } = track;
  const fadeIn = fadeInSeconds > 0 ? seconds / fadeInSeconds : 1;
  const fadeOut = fadeOutSeconds > 0 ? (lengthSeconds - seconds) / fadeOutSeconds : 1;
  return 10 ** (gainDb / 20) * Math.max(0, Math.min(1, fadeIn, fadeOut));
}
