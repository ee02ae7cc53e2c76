import { isDeepStrictEqual } from 'node:util';
import { formatSeconds } from '#contract/display.ts';
import { type Film, type FilmScene, roundSeconds } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { colorsNamed } from '../../../lib/culori.ts';
import { clip } from '../author/read/fill.ts';
import colorWords from '../author/words/colors.json' with { type: 'json' };
import { textsOf } from '../check/expected-texts.ts';
import { formatOf } from '../formats/catalogue.ts';
import { outlineOfScene } from './document.ts';

const maxTextCharacters = 60;
const quoted = (text: string) => `“${clip(text.replace(/\s+/gu, ' ').trim(), maxTextCharacters)}”`;

/**
 * Returns the differences between two films as short sentences, such as “Length becomes 12 s”. Empty only if the films are equal.
 * Scenes are numbered as in the first film, which is the one that the user sees.
 */
export function changesBetween(before: Film, after: Film): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const changes = [...lookChanges(before, after), ...lengthChanges(before, after), ...sceneChanges(before, after)];
  return changes.length > 0 ? changes : ['Details that the film does not show change'];
}

const colorRoles = [
  ['ground', 'Background'],
  ['ink', 'Text'],
  ['accent', 'Accent colour'],
  ['helper', 'Second colour'],
] as const;

function lookChanges(before: Film, after: Film): string[] {
  const values = (film: Film) => [
    ['Title', quoted(film.title)],
    ['Style', film.style],
    ['Theme', film.theme],
    ['Frame', film.aspect],
    ['Frame rate', `${film.fps} fps`],
    ['Language', film.language],
    ...colorRoles.map(([role, name]) => [name, colorName(film.colors[role])]),
    ['Music', film.music === null ? 'none' : film.music.replace('/assets/', '')],
  ];
  const old = values(before);
  return values(after).flatMap(([name, value], at) => (value === old[at]?.[1] ? [] : [`${name} becomes ${value}`]));
}

/** Returns the English name that the colour's words have, or the colour itself. */
function colorName(hex: string | undefined): string {
  if (hex === undefined) return 'the theme’s';
  const words = (colorWords as Readonly<Record<string, string>>)[hex] ?? '';
  return words.split('|').find((word) => word.replaceAll(' ', '') in colorsNamed) ?? hex;
}

const secondsOf = ({ scenes }: Film) => roundSeconds(scenes.reduce((sum, { seconds }) => sum + seconds, 0));

function lengthChanges(before: Film, after: Film): string[] {
  const total = secondsOf(after);
  const isOther = total !== secondsOf(before);
  const timed = keptScenes(before, after).flatMap(({ was, now: { seconds } }) =>
    was.seconds === seconds ? [] : [`Scene ${before.scenes.indexOf(was) + 1} lasts ${formatSeconds(seconds)}`],
  );
  // If the whole film has another length, those of its scenes follow.
  const isWhole = isOther && (timed.length > 1 || before.scenes.length === 1);
  return [...(isOther ? [`Length becomes ${formatSeconds(total)}`] : []), ...(isWhole ? [] : timed)];
}

function sceneChanges(before: Film, after: Film): string[] {
  const named = (scene: FilmScene, { scenes }: Film) =>
    `Scene ${scenes.indexOf(scene) + 1}, ${quoted(outlineOfScene(scene).title)},`;
  const kept = keptScenes(before, after);
  const isRemoved = (scene: FilmScene) => !kept.some(({ was }) => was === scene);
  const isNew = (scene: FilmScene) => !kept.some(({ now }) => now === scene);
  return [
    ...before.scenes.filter(isRemoved).map((scene) => `${named(scene, before)} is left out`),
    ...after.scenes.filter(isNew).map((scene) => `${named(scene, after)} is new`),
    ...movedScenes(kept, after).map(({ was, now }) => `${named(was, before)} moves to place ${after.scenes.indexOf(now) + 1}`),
    ...kept.flatMap(({ was, now }) => {
      const where = before.scenes.length === 1 ? '' : `Scene ${before.scenes.indexOf(was) + 1}: `;
      return changesInScene(before, was, now).map((change) => `${where}${change}`);
    }),
  ];
}

interface KeptScene {
  readonly was: FilmScene;
  readonly now: FilmScene;
}

/** Returns the scenes that both films have. A new scene may have the id of one that was removed. */
function keptScenes(before: Film, after: Film): KeptScene[] {
  return before.scenes.flatMap((was) => {
    const now = after.scenes.find(({ id }) => id === was.id);
    if (now === undefined) return [];
    const isOtherFormat = !isCode(was) && !isCode(now) && was.format !== now.format;
    const old = new Set(shownIn(before, was));
    return isOtherFormat && !shownIn(after, now).some((text) => old.has(text)) ? [] : [{ was, now }];
  });
}

/** Returns the fewest scenes that have to move to give the new order. */
function movedScenes(kept: readonly KeptScene[], after: Film): KeptScene[] {
  // For each scene, the longest run of scenes up to it that are still in the same order.
  const runs: KeptScene[][] = [];
  for (const scene of kept) {
    const place = after.scenes.indexOf(scene.now);
    const earlier = runs.filter((run) => run.slice(-1).every(({ now }) => after.scenes.indexOf(now) < place));
    runs.push([...longest(earlier), scene]);
  }
  const staying = new Set(longest(runs));
  return kept.filter((scene) => !staying.has(scene));
}

const longest = (runs: readonly KeptScene[][]): KeptScene[] =>
  runs.reduce((best, run) => (run.length > best.length ? run : best), []);

function changesInScene(film: Film, before: FilmScene, after: FilmScene): string[] {
  const bare = ({ seconds: _, ...rest }: FilmScene) => rest;
  if (isDeepStrictEqual(bare(before), bare(after))) return [];
  if (isCode(before) || isCode(after)) return ['its description changes'];
  const changes: string[] = [];
  if (before.title !== after.title && after.title !== undefined) changes.push(`its name becomes ${quoted(after.title)}`);
  if (before.format !== after.format) changes.push(`is shown as “${formatOf(after.format)?.title ?? after.format}”`);
  const texts = textChanges(shownIn(film, before), shownIn(film, after));
  changes.push(...texts);
  if (before.format === after.format) changes.push(...stressChanges(before.props, after.props, texts.length > 0));
  return changes.length > 0 ? changes : ['its details change'];
}

/** Returns the texts and numbers that a scene shows, in order. */
function shownIn(film: Film, scene: FilmScene): string[] {
  if (isCode(scene)) return [];
  const { emphasis: _, ...props } = scene.props;
  const texts = textsOf({ ...film, scenes: [{ ...scene, props: { emphasis: [], ...props } }] });
  return [...texts.map(({ text }) => text), ...valuesIn(props)];
}

function valuesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'number') return key === 'value' ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((each) => valuesIn(each, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => valuesIn(each, name));
}

function textChanges(before: readonly string[], after: readonly string[]): string[] {
  const without = (texts: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return texts.filter((text) => {
      const at = left.indexOf(text);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const [removed, added] = [without(before, after), without(after, before)];
  if (removed.length === added.length && removed.length > 0)
    return removed.map((text, at) => `${quoted(text)} becomes ${quoted(added[at] ?? '')}`);
  if (removed.length === 0 && added.length === 0) return isDeepStrictEqual(before, after) ? [] : ['the order changes'];
  return [...removed.map((text) => `${quoted(text)} is left out`), ...added.map((text) => `${quoted(text)} is new`)];
}

type Props = Readonly<Record<string, unknown>>;

/** Says what is highlighted or emphasised now, and which images are shown. */
function stressChanges(before: Props, after: Props, hasNewTexts: boolean): string[] {
  const changes: string[] = [];
  const stressed = after['emphasis'];
  if (!isDeepStrictEqual(before['emphasis'], stressed) && Array.isArray(stressed)) {
    if (stressed.length > 0) changes.push(`${stressed.map((text) => quoted(String(text))).join(' and ')} is emphasised`);
    else if (!hasNewTexts) changes.push('nothing is emphasised');
  }
  const entry = highlighted(after);
  if (!isDeepStrictEqual(highlighted(before), entry))
    changes.push(entry === null ? 'nothing is highlighted' : `${quoted(Object.values(entry).find(isText) ?? '')} is highlighted`);
  for (const value of Object.values(after))
    if (typeof value === 'string' && value.startsWith('/assets/') && !Object.values(before).includes(value))
      changes.push(`shows ${value.replace('/assets/', '')}`);
  return changes;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the entry that a scene highlights, or `null`. */
function highlighted(props: Props): Props | null {
  const at = props['highlight'];
  const entries = Object.values(props).find(Array.isArray);
  return typeof at === 'number' && entries !== undefined ? ((entries[at] as Props | undefined) ?? null) : null;
}
