import type { Film, FormatScene } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { formatOf } from '../../formats/catalogue.ts';
import type { FilmAsset } from '../plan-film.ts';

export interface State {
  film: Film;
  readonly assets: readonly FilmAsset[];
}

/** The changed film, or `null` with the reason why the change is impossible. */
export interface Changed {
  readonly film: Film | null;
  readonly note: string;
}

/** Parses and applies one type of change. Returns `null` if the clause requests something else. */
export type Change = (state: State, clause: string) => Changed | null;

export type Props = Record<string, unknown>;

const ordinals: readonly RegExp[] = [
  /\b(?:first|1st|erste[nrsm]?|premi(?:er|ère)|primer[ao]?)\b/iu,
  /\b(?:second|2nd|zweite[nrsm]?|deuxième|seconde?|segund[ao])\b/iu,
  /\b(?:third|3rd|dritte[nrsm]?|troisième|tercer[ao]?)\b/iu,
  /\b(?:fourth|4th|vierte[nrsm]?|quatrième|cuart[ao])\b/iu,
  /\b(?:fifth|5th|fünfte[nrsm]?|cinquième|quint[ao])\b/iu,
  /\b(?:sixth|6th|sechste[nrsm]?|sixième|sext[ao])\b/iu,
];
const lastWord = /\b(?:last|final|letzte[nrsm]?|derni(?:er|ère)|últim[ao])\b/iu;

/**
 * Returns the index that “second”, “3rd” or “last” refers to among `count` items, or `null` if there is no ordinal or it is
 * out of range.
 */
export function ordinalIn(text: string, count: number): number | null {
  if (lastWord.test(text)) return count - 1;
  const index = ordinals.findIndex((pattern) => pattern.test(text));
  return index >= 0 && index < count ? index : null;
}

/** Returns the indexes of the scenes mentioned by number or ordinal. */
export function sceneNumbersIn(text: string, count: number): number[] {
  const named =
    /(?:scenes?|szenen?|scènes?|escenas?|slides?)\s*(\d{1,2})(?:\s*(?:and|und|et|y|with|mit|,|to|before|after|vor|nach)\s*(?:(?:scene|szene|scène|escena)\s*)?(\d{1,2}))?/iu.exec(
      text,
    );
  const numbers = named === null ? [] : [named[1], named[2]].flatMap((raw) => (raw === undefined ? [] : [Number(raw) - 1]));
  const ordinal = numbers.length === 0 ? ordinalIn(text, count) : null;
  return (ordinal === null ? numbers : [ordinal]).filter((index) => index >= 0 && index < count);
}

/** Returns a copy of the film with one scene's props replaced, or `null` if the new props do not fit the format. */
export function withProps(film: Film, index: number, props: Props, format?: string): Film | null {
  const scene = film.scenes[index];
  if (scene === undefined || isCode(scene)) return null;
  const id = format ?? scene.format;
  const parsed = formatOf(id)?.props.safeParse(props);
  if (parsed?.success !== true) return null;
  const { title: _, ...rest } = scene;
  const changed: FormatScene = { ...rest, format: id, props: parsed.data as FormatScene['props'] };
  return { ...film, scenes: film.scenes.map((each, at) => (at === index ? changed : each)) };
}

/** Returns the format scenes that the clause mentions by number, with their indexes, or all if it mentions none. */
export function scenesFor(film: Film, clause: string): { scene: FormatScene; index: number }[] {
  const named = /scene|szene|scène|escena|slide/iu.test(clause) ? sceneNumbersIn(clause, film.scenes.length) : [];
  return film.scenes.flatMap((scene, index) =>
    isCode(scene) || (named.length > 0 && !named.includes(index)) ? [] : [{ scene, index }],
  );
}
