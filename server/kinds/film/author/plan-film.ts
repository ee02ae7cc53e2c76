import type { Film, FilmHints, FormatScene, Style } from '#kinds/film/contract/film.ts';
import type { Unused } from '#kinds/film/contract/format-list.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import type { Correction, ReadingSpan, SceneChoice } from '#kinds/film/contract/reading.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { convertScene } from '../document/convert.ts';
import { formatOf } from '../formats/catalogue.ts';
import type { Choice } from './choose.ts';
import { chooseFormats } from './choose.ts';
import { isSameHue } from './colors.ts';
import { dominantColors } from './palette.ts';
import { clip, splitText } from './read/fill.ts';
import { aspectIn, styleIn, themeScores } from './read/looks.ts';
import { maxCharacters, readRequest } from './read/read.ts';
import type { Block, Reading, Theme } from './read/reading.ts';
import { followedTexts, type PlannedScene, seenSpans, shownWords, unseenTexts } from './seen.ts';

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
  readonly hints: FilmHints;
  /** The user's answers to questions in this run, oldest first. */
  readonly answers: readonly string[];
  readonly assets: readonly FilmAsset[];
  readonly seed: number;
  /** What the person said about some words, and chose for scenes, before the film was made. */
  readonly corrections?: readonly Correction[];
  readonly choices?: readonly SceneChoice[];
  readonly order?: readonly number[];
  readonly theme?: Theme | null;
}

/** A film that consists of format scenes only. */
export type FormatFilm = Omit<Film, 'scenes'> & { readonly scenes: FormatScene[] };

export interface FilmPlan {
  readonly film: FormatFilm;
  readonly reading: Reading;
  /** What each word of the request does in the film. */
  readonly spans: readonly ReadingSpan[];
  /** For each scene: the position of its first word in the request. */
  readonly positions: readonly number[];
  /** Sentence for the user about parts of the request that the film does not show, or `null` if it shows everything. */
  readonly caveat: string | null;
  /** Parts of the request that no scene shows, mostly instructions, as the user wrote them. */
  readonly notShown: string[];
  /** For each scene, the next-best formats with their fields. */
  readonly alternatives: Readonly<Record<string, readonly { readonly format: string; readonly props: unknown }[]>>;
  /** Whether the request suggests a motion style, so that the user need not be asked. */
  readonly suggestsStyle: boolean;
}

const paces: Readonly<Record<Style, number>> = { playful: 0.9, smooth: 1, cinematic: 1.2 };
const minSceneSeconds = 1.5;
const maxSeconds = 120;
/** The plan lists at most this many parts of the request that are not shown, so that the list stays readable. */
const maxNotShown = 12;
const maxNotShownCharacters = 160;
const maxSuggestions = 2;
/** Maximum number of consecutive title scenes, because viewers stop reading after that. */
const maxProseScenes = 6;

/**
 * Plans a film for a request: its formats and their fields, theme, length and order. If no scene has room for a corrected use, such
 * as an author without a quotation, the words get their own scene.
 */
export function planFilm(request: FilmRequest): FilmPlan {
  const plan = planOnce(request);
  const corrections = request.corrections ?? [];
  const isLost = ({ start, end, use }: Correction) =>
    !['leave-out', 'follow', 'own-scene', 'show'].includes(use) &&
    plan.spans.some((span) => span.rule === null && span.state === 'left-out' && span.start < end && span.end > start);
  if (!corrections.some(isLost)) return plan;
  return planOnce({ ...request, corrections: corrections.map((one) => (isLost(one) ? { ...one, use: 'own-scene' } : one)) });
}

function planOnce(request: FilmRequest): FilmPlan {
  const { prompt, hints, answers, assets, seed, corrections = [], choices = [], order = [] } = request;
  const reading = readRequest(prompt, { corrections });
  const { instructions } = reading;
  const answered = answers.join('\n');
  const stated = hints.style ?? styleIn(answered) ?? instructions.style;
  const cover = chooseFormats(reading);
  const style = stated ?? impliedStyle(reading);
  const aspect = hints.aspect ?? aspectIn(answered) ?? instructions.aspect ?? '16:9';
  let scenes: readonly Planned[] = cover.choices.flatMap((choice) =>
    choice.scenes.map((props, index) => ({ choice, props, index, seconds: null })),
  );
  if (
    reading.brand !== null &&
    !JSON.stringify(scenes.map(({ props }) => props)).includes(JSON.stringify(reading.brand.text).slice(1, -1))
  )
    scenes = withBrand(scenes, reading);
  scenes = inOrder(withChoices(scenes, choices, reading), order, reading);
  const wanted = hints.durationSeconds ?? instructions.seconds;
  const isProse =
    reading.blocks.every(({ kind }) => kind === 'text') &&
    scenes.every(({ choice }) => choice.format === 'title' || choice.format === 'end-card');
  scenes = atMost(scenes, Math.min(maxScenes(wanted), isProse && wanted === null ? maxProseScenes : 15));
  if (scenes.length === 0) scenes = [titleScene(clip(reading.text, 80) || '…', 0)];
  const natural = scenes.map(({ choice, props }) => naturalSeconds(choice.format, props, style));
  const fitted = fitSeconds(natural, wanted, instructions.isLimit && hints.durationSeconds === null);
  const theme =
    request.theme ??
    themeOf(
      reading,
      scenes.map(({ choice }) => choice.format),
      answered,
      seed,
    );
  const film: FormatFilm = {
    version: 3,
    title: titleOf(
      reading,
      scenes.map(({ choice, props }) => formatOf(choice.format)?.outline(props).title ?? ''),
    ),
    style,
    theme,
    aspect,
    fps: 60,
    seed,
    language: reading.language,
    colors: dominantColors(theme, instructions.colors),
    music: soundOf(assets),
    scenes: scenes.map(({ choice, props, seconds }, index) => ({
      id: `scene-${index + 1}`,
      seconds: seconds ?? fitted[index] ?? minSceneSeconds,
      format: choice.format,
      props: withAssets(choice.format, props, assets) as FormatScene['props'],
    })),
  };
  const alternatives = Object.fromEntries(
    scenes.map(({ choice, index }, at) => [
      `scene-${at + 1}`,
      index > 0
        ? []
        : choice.others.flatMap(({ format, scenes: all }) => (all[0] === undefined ? [] : [{ format, props: all[0] }])),
    ]),
  );
  const { spans, positions } = seenSpans(reading, scenes);
  const unseen = unseenTexts(prompt, spans);
  return {
    film,
    reading,
    spans,
    positions,
    caveat: caveatOf(unseen, prompt.length > maxCharacters),
    notShown: distinct([...unseen, ...followedTexts(prompt, spans)], maxNotShownCharacters).slice(0, maxNotShown),
    alternatives,
    suggestsStyle: stated !== null,
  };
}

/** Returns the index of the scene that shows the word at a position of the request, or −1. */
function sceneAt(scenes: readonly Planned[], position: number, reading: Reading): number {
  const { spans } = seenSpans(reading, scenes);
  const span = spans.find(({ start, end, scene }) => scene !== null && position >= start && position < end);
  return (span?.scene ?? 0) - 1;
}

/** Gives scenes the formats and lengths that a person chose. A format that cannot show the words is ignored. */
function withChoices(scenes: readonly Planned[], choices: readonly SceneChoice[], reading: Reading): readonly Planned[] {
  let chosen = scenes;
  for (const { at, format, seconds } of choices) {
    const index = sceneAt(chosen, at, reading);
    const scene = chosen[index];
    if (scene === undefined) continue;
    const other = format === undefined || format === scene.choice.format ? null : inFormat(scene, format, reading.language);
    const length = seconds ?? scene.seconds;
    chosen = chosen.toSpliced(index, 1, ...(other ?? [scene]).map((each) => ({ ...each, seconds: length })));
  }
  return chosen;
}

function inFormat(scene: Planned, id: string, language: string): Planned[] | null {
  const { choice } = scene;
  const known = choice.scenes.length === 1 ? choice.others.find(({ format }) => format === id) : undefined;
  if (known !== undefined)
    return known.scenes.map((props, index) => ({
      choice: { ...known, others: [choice, ...choice.others] },
      props,
      index,
      seconds: null,
    }));
  const format = formatOf(id);
  if (format === null) return null;
  const { props } = convertScene(
    { id: 'scene-1', seconds: minSceneSeconds, format: choice.format, props: scene.props as FormatScene['props'] },
    format,
    language,
  );
  return props === null ? null : [{ ...scene, choice: { ...choice, format: id, scenes: [props] }, props }];
}

/** Puts scenes in the order of the positions. A scene without a position stays behind the one before it. */
function inOrder(scenes: readonly Planned[], order: readonly number[], reading: Reading): readonly Planned[] {
  const listed = [...new Set(order.map((at) => sceneAt(scenes, at, reading)).filter((index) => index >= 0))];
  if (listed.length === 0) return scenes;
  const groups = scenes.map((_, index) => (listed.includes(index) ? index : -1));
  for (const [index, group] of groups.entries()) if (group === -1) groups[index] = groups[index - 1] ?? -1;
  return [-1, ...listed].flatMap((group) => scenes.filter((_, index) => groups[index] === group));
}

/** Drops the last scenes until at most `most` are left, but keeps the end card. */
function atMost(scenes: readonly Planned[], most: number): readonly Planned[] {
  const kept = [...scenes];
  while (kept.length > most) {
    const dropped = kept.findLastIndex(({ choice }) => choice.format !== 'end-card');
    kept.splice(dropped === -1 ? kept.length - 1 : dropped, 1);
  }
  return kept;
}

/** Returns the words of the request that no scene shows, or `undefined` if there are none. */
export function unusedWords(prompt: string, film: Film): Unused | undefined {
  const scenes = film.scenes.flatMap((scene) => (isCode(scene) ? [] : [scene]));
  if (scenes.length === 0) return undefined;
  const known = shownWords(scenes.map(({ props }) => props));
  const isTold = scenes.some(({ format }) => format === 'icon-story' || format === 'shapes');
  const words = isTold
    ? []
    : readRequest(prompt)
        .marks.filter(
          ({ state, start, end }) => (state === 'shown' || state === 'question') && !known.has(prompt.slice(start, end)),
        )
        .map(({ start, end }) => prompt.slice(start, end).replace(/\s+/gu, ' '));
  if (words.length === 0) return undefined;
  const hints = { style: film.style, aspect: film.aspect, durationSeconds: null };
  const { film: planned, alternatives } = planFilm({ prompt: words.join('\n'), hints, answers: [], assets: [], seed: film.seed });
  const [first] = planned.scenes;
  const others = (alternatives[first?.id ?? ''] ?? []).map(({ format, props }) => ({
    format,
    props: props as FormatScene['props'],
  }));
  const suggestions = [...(first === undefined ? [] : [{ format: first.format, props: first.props }]), ...others];
  return {
    words,
    suggestions: suggestions.slice(0, maxSuggestions).map(({ format, props }) => {
      return { format, props, seconds: tenth(naturalSeconds(format, props, film.style)) };
    }),
  };
}

/** Rounds a time in seconds to tenths. */
export const tenth = (seconds: number) => Math.round(seconds * 10) / 10;

type Planned = PlannedScene & {
  readonly choice: Choice & { readonly others: readonly Choice[] };
  readonly index: number;
  readonly seconds: number | null;
};

function maxScenes(wanted: number | null): number {
  if (wanted === null) return 15;
  return Math.max(1, Math.min(wanted < 30 ? 7 : 15, Math.floor(wanted / minSceneSeconds)));
}

function goalSeconds(sum: number, wanted: number | null, isLimit: boolean): number {
  if (wanted === null) return Math.min(sum, maxSeconds);
  return isLimit ? Math.min(sum, wanted) : wanted;
}

/** Returns the time in seconds that a scene takes to read and watch. */
export const naturalSeconds = (format: string, props: unknown, style: Style): number =>
  Math.max(minSceneSeconds, (formatOf(format)?.seconds(props) ?? 3) * paces[style]);

/** Returns the scene lengths in seconds, rounded to tenths and scaled to the requested length, if any. */
export function fitSeconds(natural: readonly number[], wanted: number | null, isLimit: boolean): number[] {
  const sum = natural.reduce((total, each) => total + each, 0);
  const goal = goalSeconds(sum, wanted, isLimit);
  // Up to seven scenes are allowed under 30 s.
  const target = wanted === null && natural.length > 7 ? Math.max(30, goal) : goal;
  let free = target;
  let weight = sum;
  const fixed = natural.map(() => false);
  // Scenes that would become too short get the minimum length. The others share the remaining time.
  for (let changed = true; changed; ) {
    changed = false;
    for (const [index, each] of natural.entries())
      if (!fixed[index] && (each / weight) * free < minSceneSeconds) {
        fixed[index] = true;
        free -= minSceneSeconds;
        weight -= each;
        changed = true;
      }
  }
  const exact = natural.map((each, index) => (fixed[index] ? minSceneSeconds : (each / weight) * free));
  const rounded = exact.map((each) => Math.max(minSceneSeconds, Math.round(each * 10) / 10));
  const error = Math.round((target - rounded.reduce((total, each) => total + each, 0)) * 10) / 10;
  const longest = rounded.indexOf(Math.max(...rounded));
  if (wanted !== null && Math.abs(error) < 1)
    rounded[longest] = Math.max(minSceneSeconds, Math.round(((rounded[longest] ?? 0) + error) * 10) / 10);
  return rounded;
}

/** Adds the sender's brand name: above the first title, or as an opening title. */
function withBrand(scenes: readonly Planned[], reading: Reading): Planned[] {
  const brand = reading.brand?.text ?? '';
  const first = scenes[0];
  const props = first?.props as { kicker?: string | null } | undefined;
  if (
    first !== undefined &&
    (first.choice.format === 'title' || first.choice.format === 'event') &&
    props?.kicker === null &&
    brand.length <= 40
  )
    return [{ ...first, props: { ...props, kicker: brand } }, ...scenes.slice(1)];
  return [titleScene(clip(brand, 80), 1), ...scenes];
}

const titleProps = (text: string, subtitle: string | null = null) => {
  return { text, emphasis: [], kicker: null, subtitle, entrance: null, icons: [] };
};

function titleScene(text: string, score: number): Planned {
  const props = titleProps(text);
  const choice = { format: 'title', scenes: [props], score, from: 0, to: 0, start: 0, told: [], others: [] };
  return { choice, props, index: 0, seconds: null };
}

/** Returns the scene that shows a text in curly quotes word for word, or `null` if the text has another form or is too long. */
export function quotedScene(text: string, style: Style): FormatScene | null {
  const quoted = /^“([^“”]+)”$/u.exec(text.trim())?.[1];
  const [first, second = null, ...rest] = quoted === undefined ? [] : splitText(quoted, 80);
  if (first === undefined || rest.length > 0) return null;
  const props = titleProps(first, second);
  return { id: 'scene-1', format: 'title', seconds: naturalSeconds('title', props, style), props };
}

function impliedStyle(reading: Reading): Style {
  const scores = themeScores(reading.text);
  if ((scores.get('candy') ?? 0) > 0) return 'playful';
  return 'smooth';
}

const formatThemes: Readonly<Record<string, Theme>> = {
  code: 'terminal',
  terminal: 'terminal',
  'bar-chart': 'studio',
  'line-chart': 'studio',
  number: 'studio',
  comparison: 'studio',
  table: 'studio',
  features: 'studio',
  quote: 'paper',
  event: 'blush',
  steps: 'chalk',
  checklist: 'studio',
  chat: 'candy',
  countdown: 'neon',
  logo: 'luxe',
  'icon-story': 'candy',
  shapes: 'midnight',
  notification: 'midnight',
  mockup: 'studio',
};
const darkThemes: readonly Theme[] = ['midnight', 'terminal', 'neon', 'luxe', 'chalk'];

/** Returns whether the background or the accent of a theme has the same hue as a colour. */
const isTinted = (theme: Theme, color: string): boolean =>
  [themes[theme].bottom, themes[theme].accent].some((own) => isSameHue(color, own));

/** Returns the theme that the user names, otherwise the one that words and formats suggest most. The seed breaks ties. */
function themeOf(reading: Reading, used: readonly string[], answered: string, seed: number): Theme {
  if (reading.instructions.theme !== null) return reading.instructions.theme;
  const scores = themeScores(`${reading.text}\n${answered}`) as Map<Theme, number>;
  for (const format of new Set(used)) {
    const theme = formatThemes[format];
    if (theme !== undefined) scores.set(theme, (scores.get(theme) ?? 0) + (format === 'code' || format === 'terminal' ? 3 : 1));
  }
  const { dark, style, avoided } = reading.instructions;
  const isAllowed = (theme: Theme) =>
    (dark === null || darkThemes.includes(theme) === dark) && !avoided.some((color) => isTinted(theme, color));
  const ranked = [...scores.entries()].filter(([theme]) => isAllowed(theme)).sort(([, one], [, other]) => other - one);
  const most = ranked[0]?.[1] ?? 0;
  const ties = ranked
    .filter(([, score]) => score === most)
    .map(([theme]) => theme)
    .sort();
  const neutral = neutralThemes(dark, style);
  const calm = neutral.filter(isAllowed);
  const pool = [ties, calm, (Object.keys(themes) as Theme[]).filter(isAllowed)].find(({ length }) => length > 0) ?? neutral;
  return pool[Math.abs(Math.trunc(seed)) % pool.length] ?? 'studio';
}

/** Returns the themes that suit any content, for a brightness and a style. */
function neutralThemes(dark: boolean | null, style: Style | null): readonly Theme[] {
  if (dark === true) return ['midnight'];
  if (style === 'playful') return ['candy', 'bold'];
  if (style === 'cinematic') return ['midnight', 'luxe'];
  return ['paper', 'studio', 'midnight', 'bold'];
}

function titleOf(reading: Reading, outlines: readonly string[]): string {
  const heading = reading.blocks.find(
    (block): block is Extract<Block, { kind: 'text' }> => block.kind === 'text' && (block.role === 'title' || block.isHeading),
  );
  return clip(heading?.piece.text ?? reading.brand?.text ?? outlines[0] ?? reading.text, 60) || 'Film';
}

function caveatOf(leftovers: readonly string[], isCut: boolean): string | null {
  const cut = isCut ? `I read the first ${maxCharacters} characters.` : null;
  const texts = distinct(leftovers, 80);
  return texts.length === 0
    ? cut
    : `${cut === null ? '' : `${cut} `}Not used: ${texts
        .slice(0, 5)
        .map((text) => `“${text}”`)
        .join(', ')}${texts.length > 5 ? ` and ${texts.length - 5} more` : ''}.`;
}

/** Returns the different texts that contain a letter or a digit, each clipped to `max` characters. */
const distinct = (texts: readonly string[], max: number): string[] =>
  [...new Set(texts.map((text) => clip(text, max)))].filter((text) => /[\p{L}\p{N}]/u.test(text));

/** Places uploads in a film that was seen without them: images in empty fields of formats, and a sound as its music. */
export function withUploads(film: Film, assets: readonly FilmAsset[]): Film {
  return {
    ...film,
    music: film.music ?? soundOf(assets),
    scenes: film.scenes.map((scene) =>
      isCode(scene) ? scene : { ...scene, props: withAssets(scene.format, scene.props, assets) as FormatScene['props'] },
    ),
  };
}

const soundOf = (assets: readonly FilmAsset[]): string | null => assets.find(({ kind }) => kind === 'audio')?.path ?? null;

/** Adds uploaded images to the format's image field, if it is empty. */
function withAssets(format: string, props: unknown, assets: readonly FilmAsset[]): unknown {
  const images = assets.filter(({ kind }) => kind === 'image');
  if (images.length === 0 || typeof props !== 'object' || props === null) return props;
  const named = (pattern: RegExp) =>
    images.find(({ name }) => pattern.test(name)) ?? (images.length === 1 ? images[0] : undefined);
  const fields: Readonly<Record<string, readonly [string, RegExp]>> = {
    logo: ['asset', /logo|brand|mark/iu],
    'end-card': ['logo', /logo|brand|mark/iu],
    quote: ['portrait', /portrait|photo|face|head|foto/iu],
    mockup: ['screenshot', /screen|shot|app|site/iu],
    'social-post': ['avatar', /avatar|portrait|photo|logo/iu],
  };
  const field = fields[format];
  const asset = field === undefined ? undefined : named(field[1]);
  if (field === undefined || asset === undefined || (Reflect.get(props, field[0]) ?? null) !== null) return props;
  return { ...props, [field[0]]: asset.path };
}
