import { z } from 'zod';
import type { Film, FormatScene } from '#contract/film.ts';
import { isCode } from '#contract/film-outline.ts';
import type { FormatInfo, Unused } from '#contract/format-list.ts';
import { formats } from './catalogue.ts';
import { chooseFormats } from './choose.ts';
import type { Format } from './define-format.ts';
import { naturalSeconds, planFilm } from './plan-film.ts';
import { leftoversOf } from './read/leftovers.ts';
import { readRequest } from './read/read.ts';

let described: FormatInfo[] | null = null;

export function describeFormats(): FormatInfo[] {
  described ??= (formats as readonly Format[]).map(({ id, title, use, avoid, purposes, props, example, seconds }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(props);
    const shown = example as FormatScene['props'];
    return {
      id,
      title,
      use,
      avoid,
      purposes: [...purposes],
      schema,
      example: shown,
      seconds: tenth(seconds(example)),
    };
  });
  return described;
}

const tenth = (seconds: number) => Math.round(seconds * 10) / 10;

/** Returns the natural length in seconds of each format scene, by scene id. */
export function naturalLengths({ scenes, style }: Film): Record<string, number> {
  const pairs = scenes.flatMap((scene) =>
    isCode(scene) ? [] : [[scene.id, tenth(naturalSeconds(scene.format, scene.props, style))] as const],
  );
  return Object.fromEntries(pairs);
}

const maxSuggestions = 2;

/** Returns the words of the request that no scene shows, or `null` if there are none. */
export function unusedWords(prompt: string, film: Film): Unused | null {
  const scenes = film.scenes.flatMap((scene) => (isCode(scene) ? [] : [scene]));
  if (scenes.length === 0) return null;
  const reading = readRequest(prompt);
  const told = chooseFormats(reading).choices.flatMap((choice) =>
    scenes.some(({ format }) => format === choice.format) ? choice.told : [],
  );
  const words = leftoversOf(
    reading,
    scenes.map(({ props }) => props),
    told,
  );
  if (words.length === 0) return null;
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
