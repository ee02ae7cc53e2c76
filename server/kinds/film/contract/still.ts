import { frameSize } from '#contract/render.ts';
import type { Film } from './film.ts';

/** Small images of scenes, as the scene strip shows them. */

const longSide = 384;
export const maxStillBytes = 256 * 1024;

export function stillSize(aspect: Film['aspect']): { width: number; height: number } {
  const { width, height } = frameSize(aspect, '1080p');
  const scale = longSide / Math.max(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Returns each scene's start in seconds, in film order. */
export function startsOf(film: Film): number[] {
  let at = 0;
  return film.scenes.map(({ seconds }) => {
    const start = at;
    at = Math.round((at + seconds) * 1000) / 1000;
    return start;
  });
}

/** Returns a film time at which the scene has fully entered and has not started to leave, or `null` if there is no such scene. */
export function holdSeconds(film: Film, sceneId: string): number | null {
  const index = film.scenes.findIndex(({ id }) => id === sceneId);
  const [start, scene] = [startsOf(film)[index], film.scenes[index]];
  return start === undefined || scene === undefined ? null : start + scene.seconds * 0.65;
}

/**
 * Returns a cache key that covers everything a scene's still shows, or `null` if there is no such scene. The document does not
 * contain a code scene's file, so the key of a code scene is valid for one revision only.
 */
export function stillKey({ film, revision }: { film: Film; revision: number }, sceneId: string): string | null {
  const scene = film.scenes.find(({ id }) => id === sceneId);
  if (scene === undefined) return null;
  const { style, theme, aspect, seed, language, colors } = film;
  const content = 'code' in scene ? { revision } : { format: scene.format, props: scene.props, seconds: scene.seconds };
  return hash(JSON.stringify({ style, theme, aspect, seed, language, colors, ...content }, withSortedKeys));
}

const withSortedKeys = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Returns 64 bits of FNV-1a, which browsers can compute without a secure context. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(36);
}
