import { type Aspect, type Film, maxDurationSeconds, type Style } from '../../contract/film.ts';
import { readingSeconds, shorten } from './define-format.ts';
import { styleIn } from './style-words.ts';

/** An upload, as the page serves it: `/assets/logo.png`. */
export interface FilmAsset {
  readonly name: string;
  readonly path: string;
  readonly kind: 'image' | 'audio' | 'font';
  readonly width: number | null;
  readonly height: number | null;
}

export interface FilmRequest {
  readonly prompt: string;
  readonly hints: { readonly style: Style | null; readonly aspect: Aspect | null; readonly durationSeconds: number | null };
  /** Answers to the question before the plan, in the user's words or as the id of an option. */
  readonly answers: readonly string[];
  readonly assets: readonly FilmAsset[];
  readonly seed: number;
}

/** Makes a film of a request. `caveat`: words of the request that are not in the film, in one sentence; null if all are. */
export function planFilm({ prompt, hints, answers, seed }: FilmRequest): { film: Film; caveat: string | null } {
  const text = shorten(prompt, 80) || 'Untitled';
  const props = { text, emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
  const seconds = hints.durationSeconds ?? Math.ceil((2 + readingSeconds(text)) * 10) / 10;
  const film: Film = {
    version: 3,
    title: shorten(text, 80),
    style: hints.style ?? styleIn([...answers, prompt].join(' ')) ?? 'smooth',
    theme: 'studio',
    aspect: hints.aspect ?? '16:9',
    fps: 60,
    seed,
    language: 'en',
    colors: {},
    music: null,
    scenes: [{ id: 'scene-1', seconds: Math.min(maxDurationSeconds, Math.max(1.5, seconds)), format: 'title', props }],
  };
  const isCut = text !== prompt.replace(/\s+/gu, ' ').trim();
  return { film, caveat: isCut ? 'I show the first words of your request as a title; the rest is left out.' : null };
}
