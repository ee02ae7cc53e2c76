import type { Aspect, Film, FormatScene, Style } from '#contract/film.ts';
import { themes } from '#contract/themes.ts';
import { formatOf } from './catalogue.ts';
import type { Choice } from './choose.ts';
import { chooseFormats } from './choose.ts';
import { isSameHue } from './colors.ts';
import { dominantColors } from './palette.ts';
import { aspectIn, avoidedColors, styleIn, themeScores } from './read/directions.ts';
import { clip, splitText } from './read/fill.ts';
import { instructionTexts, leftoversOf } from './read/leftovers.ts';
import { maxCharacters, readRequest } from './read/read.ts';
import type { Block, Reading, Theme } from './read/reading.ts';

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
  /** The user's answers to questions in this run, oldest first. */
  readonly answers: readonly string[];
  readonly assets: readonly FilmAsset[];
  readonly seed: number;
}

/** A film that consists of format scenes only. */
export type FormatFilm = Omit<Film, 'scenes'> & { readonly scenes: FormatScene[] };

export interface FilmPlan {
  readonly film: FormatFilm;
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
/** Maximum number of consecutive title scenes, because viewers stop reading after that. */
const maxProseScenes = 6;

/** Plans a film for a request: its formats and their fields, theme, length and order. */
export function planFilm({ prompt, hints, answers, assets, seed }: FilmRequest): FilmPlan {
  const reading = readRequest(prompt);
  const { instructions } = reading;
  const answered = answers.join('\n');
  const stated = hints.style ?? styleIn(answered) ?? instructions.style;
  const cover = chooseFormats(reading);
  const style = stated ?? impliedStyle(reading);
  const aspect = hints.aspect ?? aspectIn(answered) ?? instructions.aspect ?? '16:9';
  let scenes = cover.choices.flatMap((choice) => choice.scenes.map((props, index) => ({ choice, props, index })));
  if (
    reading.brand !== null &&
    !JSON.stringify(scenes.map(({ props }) => props)).includes(JSON.stringify(reading.brand.text).slice(1, -1))
  )
    scenes = withBrand(scenes, reading);
  const wanted = hints.durationSeconds ?? instructions.seconds;
  const isProse =
    reading.blocks.every(({ kind }) => kind === 'text') &&
    scenes.every(({ choice }) => choice.format === 'title' || choice.format === 'end-card');
  const most = Math.min(maxScenes(wanted), isProse && wanted === null ? maxProseScenes : 15);
  while (scenes.length > most) {
    const dropped = scenes.findLastIndex(({ choice }) => choice.format !== 'end-card');
    scenes.splice(dropped === -1 ? scenes.length - 1 : dropped, 1);
  }
  if (scenes.length === 0) scenes = [titleScene(clip(reading.text, 80) || '…', 0)];
  const natural = scenes.map(({ choice, props }) => naturalSeconds(choice.format, props, style));
  const seconds = fitSeconds(natural, wanted, instructions.isLimit && hints.durationSeconds === null);
  const theme = themeOf(
    reading,
    scenes.map(({ choice }) => choice.format),
    `${answered}`,
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
    music: assets.find(({ kind }) => kind === 'audio')?.path ?? null,
    scenes: scenes.map(({ choice, props }, index) => ({
      id: `scene-${index + 1}`,
      seconds: seconds[index] ?? minSceneSeconds,
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
  const leftovers = [
    ...reading.unmet.map(({ start, end }) => reading.text.slice(start, end).replace(/\s+/gu, ' ').trim()),
    ...leftoversOf(
      reading,
      scenes.map(({ props }) => props),
      scenes.flatMap(({ choice }) => choice.told),
    ),
  ];
  return {
    film,
    caveat: caveatOf(leftovers, prompt.length > maxCharacters),
    notShown: distinct([...leftovers, ...instructionTexts(reading)], maxNotShownCharacters).slice(0, maxNotShown),
    alternatives,
    suggestsStyle: stated !== null,
  };
}

type Planned = { choice: Choice & { readonly others: readonly Choice[] }; props: unknown; index: number };

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
  return { choice, props, index: 0 };
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
  const { dark, style } = reading.instructions;
  const avoided = avoidedColors(reading.directions.map(({ start, end }) => reading.text.slice(start, end)).join('\n'));
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

/** Adds uploaded images to the format's image field. */
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
  return field === undefined || asset === undefined ? props : { ...props, [field[0]]: asset.path };
}
