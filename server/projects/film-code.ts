import type { FilmParameter, FilmScene, Palette } from '../contract/film.ts';
import { paletteSchema, type Style, styleSchema } from '../contract/film.ts';

/**
 * What can be read of a film's code without running it: literals where the template has them. Hostile code may have
 * written the files, so each text is read once, up to a limit, and what comes out is checked by the film's schema.
 */

const maxCharacters = 100_000;
const maxParameters = 200;

/** A scene as `src/film.ts` lists it; null where no literal stands. */
export interface ListedScene {
  readonly id: string;
  readonly startSeconds: number | null;
  readonly durationSeconds: number | null;
  readonly background: FilmScene['background'];
}

export interface ListedFilm {
  readonly durationSeconds: number | null;
  readonly music: string | null;
  readonly scenes: readonly ListedScene[];
}

const secondsIn = (code: string, name: string): number | null => {
  const literal = new RegExp(`\\b${name}:\\s*(\\d{1,4}(?:\\.\\d{1,9})?)\\s*[,}\\n]`).exec(code)?.[1];
  return literal === undefined ? null : Number(literal);
};

/** The scenes and sounds of `src/film.ts`. */
export function listedIn(text: string): ListedFilm {
  const code = text.slice(0, maxCharacters);
  const starts = [...code.matchAll(/\bid:\s*['"]([a-z][a-z0-9-]{0,60})['"]/g)];
  const head = code.slice(0, starts[0]?.index ?? code.length);
  return {
    durationSeconds: secondsIn(head, 'durationSeconds'),
    music: /\bsrc:\s*['"](\/assets\/[^/'"]{1,200})['"]/.exec(code)?.[1] ?? null,
    scenes: starts.slice(0, 15).map(({ index, 1: id = '' }, at) => {
      const scene = code.slice(index, starts[at + 1]?.index ?? code.length);
      const ground = /\bbackground:\s*\{\s*top:\s*['"](#[0-9a-f]{6})['"],\s*bottom:\s*['"](#[0-9a-f]{6})['"]/i.exec(scene);
      const [top, bottom] = [ground?.[1]?.toLowerCase(), ground?.[2]?.toLowerCase()];
      return {
        id,
        startSeconds: secondsIn(scene, 'startSeconds'),
        durationSeconds: secondsIn(scene, 'durationSeconds'),
        background: top === undefined || bottom === undefined ? null : { top, bottom },
      };
    }),
  };
}

/** Style, seed and colours of `src/theme.ts`; null for what is no literal there. */
export function themeIn(text: string): { style: Style | null; seed: number | null; palette: Palette | null } {
  const code = text.slice(0, maxCharacters);
  const style = styleSchema.safeParse(/\bstyle:\s*['"](\w{1,20})['"]/.exec(code)?.[1]);
  const seed = /\bseed:\s*(\d{1,10})\b/.exec(code)?.[1];
  const colors = [...code.matchAll(/\b(\w{1,20}):\s*['"](#[0-9a-f]{6})['"]/gi)].map(([, name = '', color = '']) => [
    name,
    color.toLowerCase(),
  ]);
  const palette = paletteSchema.safeParse(Object.fromEntries(colors));
  return {
    style: style.success ? style.data : null,
    seed: seed === undefined ? null : Number(seed),
    palette: palette.success ? palette.data : null,
  };
}

/** The parameters that a file declares (`declareParameters`). */
export function parametersIn(text: string, scene: string | null): FilmParameter[] {
  const code = text.slice(0, maxCharacters);
  const start =
    code.indexOf('declareParameters({') < 0 ? code.search(/declareParameters\(\s*\{/) : code.indexOf('declareParameters({');
  if (start < 0) return [];
  return entriesFrom(code, code.indexOf('{', start) + 1)
    .slice(0, maxParameters)
    .flatMap((entry) => {
      const [, name, expression = ''] =
        /^\s*(?:\/\/[^\n]*\n\s*|\/\*\*[^*]*\*\/\s*)*([A-Za-z]\w{0,63}):([\s\S]*)$/.exec(entry) ?? [];
      if (name === undefined) return [];
      const value = /\.default\(\s*/.exec(expression) ?? /^\s*color\(\s*/.exec(expression);
      const words = /\.describe\(\s*/.exec(expression);
      const literalAfter = (match: RegExpExecArray | null) =>
        match === null ? null : literalIn(expression.slice(match.index + match[0].length));
      const description = literalAfter(words);
      return [
        {
          name,
          scene,
          default: literalAfter(value),
          description: typeof description === 'string' ? description.slice(0, 2000) : '',
        },
      ];
    });
}

/** The entries of an object literal that begins there, as text; strings and brackets within are passed over. */
function entriesFrom(code: string, start: number): string[] {
  const entries: string[] = [];
  let depth = 0;
  let quote: string | null = null;
  let from = start;
  for (let at = start; at < code.length; at += 1) {
    const sign = code.charAt(at);
    if (quote !== null) {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = null;
    } else if (sign === "'" || sign === '"' || sign === '`') quote = sign;
    else if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    else if (depth > 0 && (sign === ')' || sign === ']' || sign === '}')) depth -= 1;
    else if (depth === 0 && (sign === ',' || sign === '}')) {
      entries.push(code.slice(from, at));
      from = at + 1;
      if (sign === '}') return entries;
    }
  }
  return entries;
}

/** The string, number or boolean that a text begins with; null for anything else. */
function literalIn(text: string): string | number | boolean | null {
  const plain = /^(?:true|false|-?\d{1,15}(?:\.\d{1,15})?)\b/.exec(text)?.[0];
  if (plain !== undefined) return plain === 'true' ? true : plain === 'false' ? false : Number(plain);
  const quoted = /^'((?:[^'\\\n]|\\.)*)'/.exec(text) ?? /^"((?:[^"\\\n]|\\.)*)"/.exec(text);
  if (quoted === null) return null;
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  const value = (quoted[1] ?? '').replace(/\\(u[0-9a-f]{4}|.)/gi, (_, sign: string) =>
    sign.length > 1 ? String.fromCharCode(Number.parseInt(sign.slice(1), 16)) : (escapes[sign] ?? sign),
  );
  return value.slice(0, 2000);
}
