import type { z } from 'zod';
import type { Film } from '#contract/film.ts';
import { isCode, roundSeconds } from '#contract/film-outline.ts';
import { formatOf } from './catalogue.ts';
import type { ExpectedText } from './check/expected-texts.ts';
import { hexColor, icon, image } from './define-format.ts';

const hiddenFields = new Set(['language']);

/** Returns the texts that the film's format scenes show, with their scenes. */
export function textsOf({ scenes }: Film): ExpectedText[] {
  let startSeconds = 0;
  return scenes.flatMap((scene, index) => {
    const span = { number: index + 1, startSeconds, durationSeconds: scene.seconds };
    startSeconds = roundSeconds(startSeconds + scene.seconds);
    const format = isCode(scene) ? null : formatOf(scene.format);
    if (isCode(scene) || format === null) return [];
    return textsIn(format.props, scene.props).map((text) => ({ scene: span, text }));
  });
}

/** Returns the strings whose schema allows any text, which excludes the names of icons, files and colours. */
function textsIn(schema: z.core.$ZodType, value: unknown): string[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object': {
      const fields = value as Readonly<Record<string, unknown>>;
      return Object.entries(def.shape).flatMap(([name, inner]) => (hiddenFields.has(name) ? [] : textsIn(inner, fields[name])));
    }
    case 'array':
      return (value as readonly unknown[]).flatMap((item) => textsIn(def.element, item));
    case 'nullable':
    case 'optional':
    case 'default':
      return value === null || value === undefined ? [] : textsIn(def.innerType, value);
    case 'string':
      return [icon, image, hexColor].some((name) => name.safeParse(value).success) ? [] : [String(value)];
    default:
      return [];
  }
}
