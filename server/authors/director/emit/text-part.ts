import type { Film, FilmScene, FilmText, Style } from '../../../contract/film.ts';
import { contrast, mix } from '../color.ts';
import { element, identifier, number, objectLiteral } from './code.ts';
import { round } from './frame.ts';
import { type KeyChannels, type KeyStop, stop } from './keyframes.ts';
import type { TextPlace } from './layout/places.ts';
import { isAmbient } from './layout/traits.ts';
import { groundBehind, readable } from './readable.ts';
import { readCode, textParameter } from './scene-parameters.ts';
import type { ScenePart } from './scene-parts.ts';
import { manners } from './style.ts';
import type { TextMove } from './text-deeds.ts';
import {
  beforeEmphasis,
  emphasisSeconds,
  emptySeconds,
  leaveSeconds,
  readingSeconds,
  revealSeconds,
  textSeconds,
} from './text-times.ts';
import { beatAt, type SceneTiming } from './timing.ts';

/** Size at the end of its scene of a text that has the frame to itself. */
const drift: Readonly<Record<Style, number>> = { playful: 1.03, smooth: 1.04, cinematic: 1.06 };

/** The landing that is nearest to the planned moment, if one is near: a word that comes in with a thud. */
function onAccent(planned: number, accents: readonly number[]): number {
  const near = accents.filter((time) => Math.abs(time - planned) < 0.45);
  return near.sort((a, b) => Math.abs(a - planned) - Math.abs(b - planned))[0] ?? planned;
}

interface Moment {
  readonly film: Film;
  readonly timing: SceneTiming;
  /** Words are all there is in the scene, so no moment should pass without them. */
  readonly alone: boolean;
  readonly lead: boolean;
  readonly still: boolean;
  readonly accents: readonly number[];
  /** The part of the scene that the text has, where another one follows it or was there before; null = all of it. */
  readonly from: number | null;
  readonly until: number | null;
}

/** When a text begins to come in, stands, and is gone. */
function spanOf(text: FilmText, { film, timing, alone, lead, accents, from, until }: Moment) {
  const opens = alone && lead && timing.first && from === null;
  const planned = text.delaySeconds + timing.leadSeconds;
  const wanted = alone && lead ? timing.leadSeconds - 0.05 : lead ? onAccent(planned, accents) : planned;
  const reveal = revealSeconds(text, film.style, timing.speed);
  const exit = text.exit === undefined ? Math.min(0.3, manners[film.style].exitSeconds) : leaveSeconds(text, film.style);
  const last = text.exit === undefined ? 0 : emptySeconds;
  const gone = until ?? (timing.last ? timing.durationSeconds - last : timing.durationSeconds - (alone ? 0.08 : 0.25));
  // Late texts start early enough to be read before the scene is over.
  const busy = textSeconds(text, film.style) - (text.exit === undefined ? 0 : exit) - reveal * 0.5;
  const latest = gone - exit - Math.max(readingSeconds(text.text), text.emphasis === undefined ? 0 : busy) - reveal * 0.5;
  const start = opens ? 0 : (from ?? round(Math.max(timing.leadSeconds - 0.05, 0, Math.min(wanted, latest))));
  const stands = Math.max(round(Math.min(start + reveal, gone - exit)), round(start + 0.1));
  return { opens, start, stands, leaves: round(gone - exit), gone: round(gone) };
}

function textChannels(text: FilmText, moment: Moment): KeyChannels {
  const { film, timing, alone, lead, still, from, until } = moment;
  const { opens, start, stands, leaves, gone } = spanOf(text, moment);
  const signs = Math.min(24, [...text.text].length);
  const exits = text.exit !== undefined;
  const channels: Record<string, readonly KeyStop[]> = {
    reveal: [stop(start, opens && text.entrance !== 'typewriter' ? 0.2 : 0), stop(stands, 1, 'linear')],
    // A frame that holds nothing but words comes a little closer, so that it never stands dead.
    ...(alone && !still ? { scale: [stop(0, 1), stop(timing.durationSeconds, drift[film.style], 'linear')] } : {}),
  };
  if (text.emphasis !== undefined) {
    const at = round(Math.max(start, Math.min(stands + beforeEmphasis, leaves - emphasisSeconds(text))));
    channels['emphasis'] = [
      stop(at, 0, null, text.emphasis),
      stop(round(at + emphasisSeconds(text)), 1, text.emphasis === 'blink' ? 'linear' : 'easeInOutCubic'),
    ];
  }
  if (text.counts === true)
    channels['count'] = [stop(start, 0), stop(round(Math.max(start + 1.4, stands)), 1, 'easeOutQuart', 'has counted')];
  const beat = beatAt(timing, alone);
  const whole = from === null && until === null;
  if (
    whole &&
    text.emphasis === undefined &&
    !exits &&
    !still &&
    lead &&
    text.role === 'title' &&
    beat !== null &&
    beat > stands + 0.5
  ) {
    // Playful words hop once more in the middle of their scene, where the eye would begin to wander; over others runs a light.
    if (film.style === 'playful')
      channels['wave'] = [stop(beat, 0, null, 'second beat'), stop(round(beat + 0.5 + signs * 0.035), 1, 'linear')];
    else if (alone && text.entrance !== 'flicker')
      channels['sweep'] = [stop(beat, 0, null, 'second beat'), stop(round(beat + 1.4), 1, 'easeInOutCubic')];
  }
  if (exits) return { ...channels, leave: [stop(leaves, 0, null, 'leaves'), stop(gone, 1, 'linear')] };
  if (timing.last && until === null) return channels;
  const away = film.style === 'playful' ? -2.5 : -1;
  return {
    ...channels,
    opacity: [stop(leaves, 1, null, 'leaves before the next scene'), stop(gone, 0, 'easeInCubic')],
    ...(film.style === 'cinematic' ? {} : { y: [stop(leaves, 0), stop(gone, away, 'easeInCubic')] }),
  };
}

/** A text that a subject brings, writes or wipes away comes and goes with what that subject does. */
function movedChannels(text: FilmText, moment: Moment, { channels }: TextMove): KeyChannels {
  const { opacity } = textChannels(text, moment) as { opacity?: readonly KeyStop[] };
  return opacity === undefined ? channels : { ...channels, opacity };
}

function metText({ becomes: _, by: __, from: ___, emphasis: ____, ...text }: FilmText, { entrance, exit }: TextMove): FilmText {
  return { ...text, ...(entrance === undefined ? {} : { entrance }), ...(exit === undefined ? {} : { exit }) };
}

/** A text that turns into another one is two texts in one place: the second comes as the first leaves. */
function turned(
  text: FilmText,
  moment: Moment,
): readonly { readonly text: FilmText; readonly moment: Moment; readonly suffix: string }[] {
  const { becomes, ...rest } = text;
  if (becomes === undefined) return [{ text, moment, suffix: '' }];
  const turn = ['rise', 'pop', 'letters', 'fade', 'slide'].includes(text.entrance) ? 'flip' : text.entrance;
  const { exit, emphasis, ...first } = rest;
  const { start, gone } = spanOf(rest, moment);
  const at = round(start + (gone - start) * 0.48);
  return [
    {
      text: { ...first, exit: turn, ...(emphasis === 'strike' ? { emphasis } : {}) },
      moment: { ...moment, until: at },
      suffix: '',
    },
    {
      text: {
        ...first,
        text: becomes,
        entrance: turn,
        ...(exit === undefined ? {} : { exit }),
        ...(emphasis === undefined || emphasis === 'strike' ? {} : { emphasis }),
      },
      moment: { ...moment, from: round(at - 0.1) },
      suffix: 'Next',
    },
  ];
}

/** What an emphasis, a caret, a glow or a light on the words is drawn in: seen on the ground, and apart from the words. */
function accentOf(text: FilmText, color: string, film: Film, behind: string): string {
  if (text.entrance === 'flicker' || text.emphasis === 'glow') return text.color ?? film.palette.accent;
  const { accent } = film.palette;
  return text.color === null
    ? readable(accent, behind)
    : readable(mix(color, contrast('#ffffff', behind) > 4.5 ? '#ffffff' : '#000000', 0.7), behind);
}

const named = (value: string): string => `"${value}"`;

export function textPart(
  film: Film,
  scene: FilmScene,
  place: TextPlace,
  timing: SceneTiming,
  { accents, move }: { readonly accents: readonly number[]; readonly move: TextMove | undefined },
): ScenePart {
  const { box, size, align } = place;
  const behind = groundBehind(film, scene, box);
  const moment: Moment = {
    film,
    timing,
    alone: scene.subjects.every(isAmbient),
    lead: place.text === scene.texts[0],
    still: scene.still === 'everything',
    accents,
    from: null,
    until: null,
  };
  const met = move === undefined ? place.text : metText(place.text, move);
  const set = (move === undefined ? turned(met, moment) : [{ text: met, moment, suffix: '' }]).map(({ text, moment, suffix }) => {
    const name = identifier(`${text.id}${suffix}`);
    const words = textParameter({ ...text, id: `${text.id}${suffix}` });
    const channels = move === undefined ? textChannels(text, moment) : movedChannels(text, moment, move);
    const color = text.color ?? readable(film.palette.ink, behind);
    // A marker has the colour that was named, and the words on it what can be read there.
    const marked = text.emphasis === 'mark' ? (text.color ?? film.palette.accent) : null;
    const attributes: (readonly [string, string])[] = [
      ['text', `{${readCode(words)}}`],
      ['track', `{tracks.${name}}`],
      ['level', named(text.role)],
      ['entrance', named(text.entrance)],
      ['box', `{${objectLiteral(Object.entries(box).map(([key, value]) => [key, number(value)] as const))}}`],
      ['size', `{${number(size)}}`],
      ['color', named(marked === null ? color : readable(film.palette.ink, behind))],
    ];
    for (const slot of ['by', 'from', 'exit', 'emphasis', 'face'] as const) {
      const value = text[slot];
      if (value !== undefined) attributes.push([slot, named(value)]);
    }
    const tinted =
      text.emphasis !== undefined ||
      'sweep' in channels ||
      ['typewriter', 'flicker'].includes(text.entrance) ||
      text.exit === 'typewriter';
    if (text.times !== undefined) attributes.push(['times', `{${text.times}}`]);
    if (tinted) attributes.push(['accent', named(marked ?? accentOf(text, color, film, behind))]);
    if (align === 'left') attributes.push(['align', '"left"']);
    return { words, track: { name, comment: null, channels }, code: element('Text', attributes, 6) };
  });
  return {
    kit: [['text.tsx', 'Text']],
    tracks: set.map(({ track }) => track),
    constants: [],
    world: [],
    overlay: set.map(({ code }) => code),
    parameters: set.map(({ words }) => words),
    accents: [],
  };
}
