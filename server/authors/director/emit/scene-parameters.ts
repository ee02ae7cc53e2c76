import type { FilmText, Subject } from '../../../contract/film.ts';
import { identifier, indent, number, quote } from './code.ts';

/** What a scene's code can be told from outside, so that one film makes many videos. */
export interface SceneParameter {
  readonly name: string;
  /** Its type, default and description, as the code declares them. */
  readonly code: string;
  /** What the declaration is made with. */
  readonly maker: 'z' | 'color';
}

const maxCharacters = 500;

const words = (name: string, value: string, description: string): SceneParameter => ({
  name,
  maker: 'z',
  code: `z.string().max(${maxCharacters}).default(${quote(value)}).describe(${quote(description)})`,
});
const figure = (name: string, value: number, description: string): SceneParameter => ({
  name,
  maker: 'z',
  code: `z.number().default(${number(value)}).describe(${quote(description)})`,
});

/** How code reads a parameter. */
export function readCode({ name }: SceneParameter): string {
  return `parameters.${name}`;
}

export function textParameter({ id, text, role }: FilmText): SceneParameter {
  return words(identifier(id), text, role.charAt(0).toUpperCase() + role.slice(1));
}

export function colorParameter({ id, color }: Subject): SceneParameter {
  const code = `color(${quote(color)}).describe(${quote(`Colour of ${id}`)})`;
  return { name: `${identifier(id)}Color`, maker: 'color', code };
}

type Bars = Extract<Subject, { kind: 'bars' }>;

/** Label and value of each bar. */
export function barParameters({ id, bars }: Bars): { label: SceneParameter; value: SceneParameter }[] {
  return bars.map(({ label, value }, index) => ({
    label: words(`${identifier(id)}Label${index + 1}`, label, `Label of bar ${index + 1}`),
    value: figure(`${identifier(id)}Value${index + 1}`, value, `Value of bar ${index + 1}`),
  }));
}

/** The number that a counter arrives at. */
export function counterParameter({ id, to }: Extract<Subject, { kind: 'counter' }>): SceneParameter {
  return figure(`${identifier(id)}To`, to, `The number that ${id} arrives at`);
}

/** Those of which code reads the value. */
export function parametersIn(code: string, parameters: readonly SceneParameter[]): SceneParameter[] {
  const read = new Set([...code.matchAll(/\bparameters\.(\w+)/gu)].map(([, name]) => name));
  return parameters.filter(({ name }) => read.has(name));
}

export function declarationCode(parameters: readonly SceneParameter[]): string {
  const lines = parameters.map(({ name, code }) => `${name}: ${code},`);
  return `const parameters = declareParameters(\n  {\n${indent(lines.join('\n'), 4)}\n  },\n  { scene: sceneId },\n);`;
}
