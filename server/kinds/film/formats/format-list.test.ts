import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { themeNames } from '#kinds/film/contract/film.ts';
import { tokensOfText } from '../../../llm/tokens.ts';
import { formats } from './catalogue.ts';
import { formatCatalogue } from './format-list.ts';

interface Field {
  readonly description?: string;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
}

/** Returns every field of a schema with its path. */
function fieldsIn({ anyOf = [], items, properties = {} }: Field, path: string): (readonly [string, Field])[] {
  const inner = [...anyOf, ...(items === undefined ? [] : [items])];
  return [
    ...inner.flatMap((one) => fieldsIn(one, path)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      [`${path}.${name}`, field] as const,
      ...fieldsIn(field, `${path}.${name}`),
    ]),
  ];
}

describe('what a language model learns about the formats', () => {
  it('A4: is a meaning for every field, in at most twelve words', () => {
    for (const { id, props } of formats)
      for (const [path, { description = '' }] of fieldsIn(z.toJSONSchema(props) as Field, id)) {
        expect(description, path).not.toBe('');
        expect(description.split(' ').length, path).toBeLessThanOrEqual(12);
      }
  });

  it('A4: is one line for each format and theme, in at most 4,000 tokens', () => {
    const lines = formatCatalogue().split('\n');
    const named = (names: readonly string[]) => names.map((name) => lines.filter((line) => line.startsWith(`${name}: `)).length);
    expect(named(formats.map(({ id }) => id).filter((id) => id !== 'terminal'))).toEqual(formats.slice(1).map(() => 1));
    expect(named(themeNames.filter((name) => name !== 'terminal'))).toEqual(themeNames.slice(1).map(() => 1));
    expect(named(['terminal'])).toEqual([2]);
    expect(tokensOfText(formatCatalogue())).toBeLessThanOrEqual(4000);
    const number = lines.find((line) => line.startsWith('number: '));
    expect(number).toContain('numbers:1-6 of {value:num');
    expect(number).toContain('gauge?:none|bar|ring|dots (of the first number');
    expect(number).toContain('of?:num (full gauge; null is 100 %)');
  });
});
