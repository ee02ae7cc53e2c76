import type { Note } from '#contract/sandbox/sounds.ts';
import { sampleRate } from '../render/audio-mix.ts';

/** A tone that starts or ends at once clicks. */
const attackSeconds = 0.005;
const releaseSeconds = 0.03;

/** Returns the sum of the notes, mono at 48 kHz. It may exceed 1, because its loudness is set later. */
export function samplesOf(notes: readonly Note[]): Float32Array<ArrayBuffer> {
  const count = Math.max(...notes.map(({ at, seconds }) => Math.round((at + seconds) * sampleRate)));
  const sum = new Float32Array(count);
  for (const note of notes) addNote(sum, note);
  return sum;
}

function addNote(sum: Float32Array, { hz, to = hz, at, seconds, db }: Note): void {
  const from = Math.round(at * sampleRate);
  const amplitude = 10 ** (db / 20);
  const attack = Math.min(attackSeconds, seconds / 2);
  const release = Math.min(releaseSeconds, seconds / 2);
  for (let index = from; index < Math.min(sum.length, from + Math.round(seconds * sampleRate)); index++) {
    const time = (index - from) / sampleRate;
    // The integral of a frequency that changes linearly, so that a sweep has no steps.
    const turns = hz * time + ((to - hz) * time * time) / (2 * seconds);
    const envelope = Math.max(0, Math.min(1, time / attack, (seconds - time) / release));
    sum[index] = (sum[index] ?? 0) + amplitude * envelope * Math.sin(2 * Math.PI * turns);
  }
}
