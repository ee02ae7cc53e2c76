import type { z } from 'zod';
import type { InspectReport } from '#contract/sandbox/answers.ts';
import { type Film, roundSeconds } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { quotesOf } from '../author/read/sentences.ts';
import { formatOf } from '../formats/catalogue.ts';
import { hexColor, icon, image } from '../formats/define-format.ts';
import { countryCode } from '../formats/map.ts';

export interface ExpectedText {
  readonly scene: { readonly number: number; readonly startSeconds: number; readonly durationSeconds: number };
  readonly text: string;
}

/** Time within which texts leave before a scene's end, and its largest share of a short scene. */
const edgeSeconds = 0.7;
const edgeShare = 0.15;
/** Maximum number of reported differences, because several often have one cause. */
const maxDifferences = 5;

/**
 * Returns a sentence for each expected text that was not visible at any captured timestamp. Skips scenes with no frame
 * captured after their entrance.
 */
export function unseenTexts(
  expected: readonly ExpectedText[],
  { frames, seen }: Pick<InspectReport, 'frames' | 'seen'>,
): string[] {
  if (seen === null) return [];
  return expected
    .filter(({ scene: { startSeconds, durationSeconds } }) =>
      frames.some(
        ({ seconds }) =>
          seconds >= startSeconds + durationSeconds * 0.6 &&
          seconds <= startSeconds + durationSeconds - Math.min(edgeSeconds, edgeShare * durationSeconds),
      ),
    )
    .filter(({ text }) => !isVisible(text, seen.texts))
    .slice(0, maxDifferences)
    .map(({ scene, text }) => `Scene ${scene.number} should show “${text}”, but the film does not.`);
}

/** Leaves out the commas at the ends of words: a title has none at the end of a line. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[,;](?=\s|$)/gu, '')
    .replace(/[\s\u200b]+/gu, '')
    .toLowerCase();

function isVisible(text: string, texts: readonly string[]): boolean {
  const expectedLetters = lettersOf(text).slice(0, 60);
  const all = texts.map(lettersOf);
  const isIn = (seen: string) => seen.includes(expectedLetters);
  return all.some(isIn) || isIn(all.join('')) || isComposed(lettersOf(text), all);
}

/** Decimal separator of a price. Prices with raised cents are drawn without it. */
const centSign = /(?<=\d)[.,](?=\d\d(?!\d))/y;

/** Returns whether a text consists of pieces, as it does if its words or letters are drawn one by one. Each is seen only once. */
function isComposed(text: string, pieces: readonly string[]): boolean {
  const isReached = [true];
  for (let end = 1; end <= text.length; end++) {
    centSign.lastIndex = end - 1;
    isReached[end] =
      (isReached[end - 1] && centSign.test(text)) ||
      pieces.some((piece) => piece !== '' && text.endsWith(piece, end) && isReached[end - piece.length]);
  }
  return isReached[text.length] === true;
}

const hiddenFields = new Set(['language']);
/** Lists of which only the first and the last text surely have room. */
const axisFields = new Set(['labels', 'periods']);

/** Returns the texts that the film's scenes show: the fields of formats, and what the plan quotes of a scene in code. */
export function textsOf({ scenes }: Film): ExpectedText[] {
  let startSeconds = 0;
  return scenes.flatMap((scene, index) => {
    const span = { number: index + 1, startSeconds, durationSeconds: scene.seconds };
    startSeconds = roundSeconds(startSeconds + scene.seconds);
    const format = isCode(scene) ? null : formatOf(scene.format);
    if (isCode(scene))
      return quotesOf(scene.description, 0, scene.description.length).map(({ piece }) => ({ scene: span, text: piece.text }));
    if (format === null) return [];
    return textsIn(format.props, scene.props).map((text) => ({ scene: span, text }));
  });
}

/** Returns the strings whose schema allows any text, which excludes the names of icons, files and colours, and the codes of countries. */
function textsIn(schema: z.core.$ZodType, value: unknown): string[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object': {
      const fields = value as Readonly<Record<string, unknown>>;
      return Object.entries(def.shape).flatMap(([name, inner]) => {
        if (hiddenFields.has(name)) return [];
        const texts = textsIn(inner, fields[name]);
        return axisFields.has(name) ? [...texts.slice(0, 1), ...texts.slice(1).slice(-1)] : texts;
      });
    }
    case 'array':
      return (value as readonly unknown[]).flatMap((item) => textsIn(def.element, item));
    case 'nullable':
    case 'optional':
    case 'default':
      return value === null || value === undefined ? [] : textsIn(def.innerType, value);
    case 'string':
      return schema === countryCode || [icon, image, hexColor].some((name) => name.safeParse(value).success)
        ? []
        : [String(value)];
    default:
      return [];
  }
}
