import { z } from 'zod';
import type { Film, FormatScene } from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { themeLooks } from '#kinds/film/contract/themes.ts';
import { naturalSeconds, tenth } from '../author/plan-film.ts';
import { formats } from './catalogue.ts';
import type { Format } from './define-format.ts';
import { notation, shortSignatureOf } from './signature.ts';

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

/** Returns the natural length in seconds of each format scene, by scene id. */
export function naturalLengths({ scenes, style }: Film): Record<string, number> {
  const pairs = scenes.flatMap((scene) =>
    isCode(scene) ? [] : [[scene.id, tenth(naturalSeconds(scene.format, scene.props, style))] as const],
  );
  return Object.fromEntries(pairs);
}

/** Returns the first clause of a format's use, without the number of entries, which the signature has. */
function shortUse(use: string): string {
  const clause = use.split(/[:.]/u, 1)[0] ?? '';
  const counted = clause.replace(/^(?:One|Two) to \w+ /u, '');
  return `${counted[0]?.toUpperCase()}${counted.slice(1)}`;
}

let catalogue: string | null = null;

/** Describes all formats and themes in one text for a language model: a line each, with the fields that a scene may have. */
export function formatCatalogue(): string {
  catalogue ??= [
    notation,
    'Formats:',
    ...(formats as readonly Format[]).map(({ id, use, props }) => `${id}: ${shortUse(use)}. ${shortSignatureOf(props)}`),
    'Themes:',
    ...Object.entries(themeLooks).map(([theme, look]) => `${theme}: ${look}`),
  ].join('\n');
  return catalogue;
}
