import type { Film, FilmScene, FilmText, Style } from '../../../contract/film.ts';
import { element, identifier, number, objectLiteral, quote } from './code.ts';
import { round } from './frame.ts';
import { type KeyChannels, type KeyStop, stop } from './keyframes.ts';
import type { TextPlace } from './layout/places.ts';
import { isAmbient } from './layout/traits.ts';
import { inkOf } from './readable.ts';
import { readCode, textParameter } from './scene-parameters.ts';
import type { ScenePart } from './scene-parts.ts';
import { manners } from './style.ts';
import { beatAt, type SceneTiming } from './timing.ts';

/** Seconds that all parts of a text need to enter. */
function revealSeconds(text: FilmText, film: Film, speed: number): number {
  const signs = [...text.text].length;
  const base = manners[film.style].enterSeconds;
  switch (text.entrance) {
    case 'typewriter':
      return Math.min(2.4, 0.3 + signs * 0.055) / speed;
    case 'letters':
      return Math.min(1.4, base + signs * 0.03) / Math.sqrt(speed);
    case 'rise':
    case 'pop':
      return Math.min(1.3, base + text.text.split(/\s+/u).length * 0.06) / Math.sqrt(speed);
    case 'slide':
    case 'fade':
      return (base * 1.1) / Math.sqrt(speed);
  }
}

/** Size at the end of its scene of a text that has the frame to itself. */
const drift: Readonly<Record<Style, number>> = { playful: 1.03, smooth: 1.04, cinematic: 1.06 };

/** Seconds a reader needs: half a second and 0.3 s a word, 1.2 s at least. */
export function readingSeconds(text: string): number {
  return Math.max(1.2, 0.5 + 0.3 * text.trim().split(/\s+/u).length);
}

/** The landing that is nearest to the planned moment, if one is near: a word that comes in with a thud. */
function onAccent(planned: number, accents: readonly number[]): number {
  const near = accents.filter((time) => Math.abs(time - planned) < 0.45);
  return near.sort((a, b) => Math.abs(a - planned) - Math.abs(b - planned))[0] ?? planned;
}

/** `alone`: words are all there is in the scene, so no moment should pass without them. */
function textChannels(
  text: FilmText,
  film: Film,
  timing: SceneTiming,
  alone: boolean,
  lead: boolean,
  accents: readonly number[],
  still: boolean,
): KeyChannels {
  const signs = Math.min(24, [...text.text].length);
  const opens = alone && lead && timing.first;
  const planned = text.delaySeconds + timing.leadSeconds;
  const wanted = alone && lead ? timing.leadSeconds - 0.05 : lead ? onAccent(planned, accents) : planned;
  const reveal = revealSeconds(text, film, timing.speed);
  // Late texts start early enough to be read before the scene is over.
  const exitSeconds = Math.min(0.3, manners[film.style].exitSeconds);
  const gone = timing.last ? timing.durationSeconds : timing.durationSeconds - (alone ? 0.08 : 0.25);
  const latest = gone - exitSeconds - readingSeconds(text.text) - reveal * 0.5;
  const start = opens ? 0 : round(Math.max(timing.leadSeconds - 0.05, 0, Math.min(wanted, latest)));
  const until = round(Math.min(start + reveal, gone - exitSeconds));
  const channels: Record<string, readonly KeyStop[]> = {
    reveal: [stop(start, opens ? 0.2 : 0), stop(Math.max(until, start + 0.1), 1, 'linear')],
    // A frame that holds nothing but words comes a little closer, so that it never stands dead.
    ...(alone && !still ? { scale: [stop(0, 1), stop(timing.durationSeconds, drift[film.style], 'linear')] } : {}),
  };
  const beat = beatAt(timing, alone);
  // Playful words hop once more in the middle of their scene, where the eye would begin to wander.
  if (film.style === 'playful' && !still && lead && text.role === 'title' && beat !== null && beat > until + 0.5)
    channels['wave'] = [stop(beat, 0, null, 'second beat'), stop(round(beat + 0.5 + signs * 0.035), 1, 'linear')];
  if (timing.last) return channels;
  const leaves = round(gone - exitSeconds);
  const away = film.style === 'playful' ? -2.5 : -1;
  return {
    ...channels,
    opacity: [stop(leaves, 1, null, 'leaves before the next scene'), stop(round(gone), 0, 'easeInCubic')],
    ...(film.style === 'cinematic' ? {} : { y: [stop(leaves, 0), stop(round(gone), away, 'easeInCubic')] }),
  };
}

export function textPart(
  film: Film,
  scene: FilmScene,
  place: TextPlace,
  timing: SceneTiming,
  accents: readonly number[],
): ScenePart {
  const { text, box, size, align } = place;
  const name = identifier(text.id);
  const words = textParameter(text);
  const alone = scene.subjects.every(isAmbient);
  const lead = text === scene.texts[0];
  const attributes: (readonly [string, string])[] = [
    ['text', `{${readCode(words)}}`],
    ['track', `{tracks.${name}}`],
    ['level', quote(text.role).replaceAll("'", '"')],
    ['entrance', quote(text.entrance).replaceAll("'", '"')],
    ['box', `{${objectLiteral(Object.entries(box).map(([key, value]) => [key, number(value)] as const))}}`],
    ['size', `{${number(size)}}`],
    ['color', `"${text.color ?? inkOf(film, scene, box)}"`],
  ];
  if (align === 'left') attributes.push(['align', '"left"']);
  return {
    kit: [['text.tsx', 'Text']],
    tracks: [
      { name, comment: null, channels: textChannels(text, film, timing, alone, lead, accents, scene.still === 'everything') },
    ],
    constants: [],
    world: [],
    overlay: [element('Text', attributes, 6)],
    parameters: [words],
    accents: [],
  };
}
