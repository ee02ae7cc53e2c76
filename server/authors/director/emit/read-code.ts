import {
  type Aspect,
  aspectSchema,
  type FilmParameter,
  filmParameterSchema,
  type Palette,
  paletteSchema,
  type Style,
  styleSchema,
} from '../../../contract/film.ts';
import { frameOf } from './frame.ts';

/**
 * What can be read of a film's code without running it: literals where the template has them. Hostile code may have
 * written the files, so each text is read up to a limit and in linear time, and what comes out passes the film's schema.
 */

const maxCharacters = 100_000;
const maxScenes = 15;
/** Each may be read to the file's end. */
const maxDeclarations = 20;
const hexColor = /^#[0-9a-f]{6}$/i;

/** A scene as `src/film.ts` lists it; null where no literal stands. */
export interface ListedScene {
  readonly id: string;
  readonly title: string | null;
  readonly startSeconds: number | null;
  readonly durationSeconds: number | null;
  /** Null = the theme's. */
  readonly background: { readonly top: string; readonly bottom: string } | null;
  readonly isStill: boolean;
}

export interface FilmCode {
  readonly title: string | null;
  readonly durationSeconds: number | null;
  readonly fps: 30 | 60 | null;
  readonly aspect: Aspect | null;
  readonly music: string | null;
  readonly scenes: readonly ListedScene[];
  /** True when it says nothing but what stands here, so that the director can write it anew. */
  readonly isWhole: boolean;
}

/** The film that `src/film.ts` lists; without scenes when it cannot be read. */
export function filmCodeIn(text: string): FilmCode {
  const code = withoutComments(text);
  const film = fieldsAt(code, endOf(code, /\bfilm\b[^=\n]{0,80}=\s*\{/));
  const listed = partsAt(film.get('scenes') ?? '', 0).map((part) => fieldsAt(part, part.indexOf('{')));
  const tracks = partsAt(film.get('audio') ?? '', 0).map((part) => fieldsAt(part, part.indexOf('{')));
  const [width, height, fps, music] = [film.get('width'), film.get('height'), film.get('fps'), tracks[0]?.get('src')].map(
    literal,
  );
  const ids = new Set<string>();
  const scenes = listed.slice(0, maxScenes).flatMap((fields): ListedScene[] => {
    const [id, title] = [textOf(fields.get('id')), textOf(fields.get('title'))];
    if (id === null || !/^[a-z][a-z0-9-]{0,60}$/.test(id) || ids.has(id)) return [];
    ids.add(id);
    return [
      {
        id,
        title,
        startSeconds: numberOf(fields.get('startSeconds')),
        durationSeconds: numberOf(fields.get('durationSeconds')),
        background: groundOf(fields.get('background')),
        isStill: literal(fields.get('still')) === true,
      },
    ];
  });
  const isPlain = ({ id, startSeconds, durationSeconds, background }: ListedScene, index: number) =>
    startSeconds !== null &&
    durationSeconds !== null &&
    (background !== null ||
      /theme\.palette\.backgroundTop\b[^}]*theme\.palette\.backgroundBottom\b/.test(listed[index]?.get('background') ?? '')) &&
    // As the director imports it.
    code.includes(`'./scenes/${id}.tsx'`);
  return {
    title: textOf(film.get('title')),
    durationSeconds: numberOf(film.get('durationSeconds')),
    fps: fps === 30 || fps === 60 ? fps : null,
    aspect:
      aspectSchema.options.find(
        (aspect) => frameOf(aspect).pixels.width * Number(height) === frameOf(aspect).pixels.height * Number(width),
      ) ?? null,
    music: typeof music === 'string' && /^\/assets\/[^/]{1,200}$/.test(music) ? music : null,
    scenes,
    isWhole:
      scenes.length > 0 &&
      scenes.length === listed.length &&
      scenes.every(isPlain) &&
      (!film.has('audio') || (typeof music === 'string' && tracks.length === 1)),
  };
}

/** Style, seed and colours of `src/theme.ts`; null for what is no literal there. */
export function themeIn(text: string): { style: Style | null; seed: number | null; palette: Palette | null } {
  const code = withoutComments(text);
  const theme = fieldsAt(code, endOf(code, /\btheme\b[^=\n]{0,80}=\s*\{/));
  const seed = numberOf(theme.get('seed'));
  const colors = [...fieldsAt(theme.get('palette') ?? '', 0)].map(([name, color]) => [name, textOf(color)?.toLowerCase()]);
  return {
    style: styleSchema.safeParse(literal(theme.get('style'))).data ?? null,
    seed: Number.isSafeInteger(seed) ? seed : null,
    palette: paletteSchema.safeParse(Object.fromEntries(colors)).data ?? null,
  };
}

/** What a scene's file calls it. */
export function titleIn(text: string): string | null {
  return textOf(/^export const title = (.{2,200}?);?$/m.exec(text.slice(0, maxCharacters))?.[1]);
}

/** The parameters that a file declares; `scene` is the one that it belongs to, null = none. */
export function parametersIn(text: string, scene: string | null): FilmParameter[] {
  const code = withoutComments(text);
  return [...code.matchAll(/\bdeclareParameters\(/g)].slice(0, maxDeclarations).flatMap(({ index, 0: call }) => {
    const [shape = '', options = ''] = partsAt(code, index + call.length - 1);
    const isOfScene = fieldsAt(options, options.indexOf('{')).has('scene');
    return [...fieldsAt(shape, shape.indexOf('{'))].flatMap(([name, expression]) => {
      const description = textOf(argumentOf(expression, '.describe('));
      const value = literal(argumentOf(expression, '.default(') ?? argumentOf(expression, 'color('));
      const parameter = { name, scene: isOfScene ? scene : null, default: value, description: description ?? '' };
      return filmParameterSchema.safeParse(parameter).data ?? [];
    });
  });
}

/** Where the first match ends, less its last character; -1 = there is none. */
function endOf(code: string, pattern: RegExp): number {
  const match = pattern.exec(code);
  return match === null ? -1 : match.index + match[0].length - 1;
}

function groundOf(code: string | undefined): ListedScene['background'] {
  const fields = fieldsAt(code ?? '', 0);
  const [top, bottom] = [textOf(fields.get('top')), textOf(fields.get('bottom'))];
  if (top === null || bottom === null || !hexColor.test(top) || !hexColor.test(bottom)) return null;
  return { top: top.toLowerCase(), bottom: bottom.toLowerCase() };
}

/** Where the string that begins there ends. One in single or double quotes ends with its line at the latest. */
function stringEnd(code: string, start: number): number {
  const quote = code.charAt(start);
  for (let at = start + 1; at < code.length; at += 1) {
    const sign = code.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === quote || (sign === '\n' && quote !== '`')) return at + 1;
  }
  return code.length;
}

const isQuote = (sign: string) => sign === "'" || sign === '"' || sign === '`';

function withoutComments(text: string): string {
  const code = text.slice(0, maxCharacters);
  let kept = '';
  let from = 0;
  for (let at = 0; at < code.length; at += 1) {
    const isLine = code.startsWith('//', at);
    if (isQuote(code.charAt(at))) at = stringEnd(code, at) - 1;
    else if (isLine || code.startsWith('/*', at)) {
      kept += code.slice(from, at);
      const end = code.indexOf(isLine ? '\n' : '*/', at + 2);
      from = end < 0 ? code.length : end + (isLine ? 0 : 2);
      at = from - 1;
    }
  }
  return kept + code.slice(from);
}

/** The entries of the literal, or the arguments of the call, whose bracket is there; none when it is no bracket. */
function partsAt(code: string, open: number): string[] {
  const parts: string[] = [];
  if (!'([{'.includes(code.charAt(open) || '?')) return parts;
  let depth = 0;
  let from = open + 1;
  for (let at = from; at < code.length; at += 1) {
    const sign = code.charAt(at);
    if (isQuote(sign)) at = stringEnd(code, at) - 1;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign) && depth > 0) depth -= 1;
    else if (depth === 0 && ',)]}'.includes(sign)) {
      const part = code.slice(from, at).trim();
      if (part !== '') parts.push(part);
      from = at + 1;
      if (sign !== ',') return parts;
    }
  }
  return parts;
}

/** Name and code of each property of the object literal whose brace is there. */
function fieldsAt(code: string, open: number): Map<string, string> {
  return new Map(
    partsAt(code, open).flatMap((part): [string, string][] => {
      const name = /^['"]?([A-Za-z_]\w{0,80})['"]?\s{0,10}:/.exec(part);
      return name?.[1] === undefined ? [] : [[name[1], part.slice(name[0].length).trim()]];
    }),
  );
}

/** The first argument of the call in a chain such as `z.int().default(3).describe('…')`. */
function argumentOf(chain: string, call: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < chain.length; at += 1) {
    const sign = chain.charAt(at);
    if (depth === 0 && chain.startsWith(call, at)) return partsAt(chain, at + call.length - 1)[0];
    if (isQuote(sign)) at = stringEnd(chain, at) - 1;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return undefined;
}

const textOf = (code: string | undefined): string | null => {
  const value = literal(code);
  return typeof value === 'string' ? value : null;
};
const numberOf = (code: string | undefined): number | null => {
  const value = literal(code);
  return typeof value === 'number' ? value : null;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** The string, number or boolean that the code is; null for anything else. */
function literal(code = ''): string | number | boolean | null {
  if (code === 'true' || code === 'false') return code === 'true';
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(code)) return Number(code);
  if (!isQuote(code.charAt(0)) || stringEnd(code, 0) !== code.length || code.length < 2) return null;
  if (code.startsWith('`') && code.includes('${')) return null;
  return code
    .slice(1, -1)
    .replace(/\\(u[0-9a-f]{4}|[\s\S])/gi, (_, sign: string) =>
      sign.length > 1 ? String.fromCharCode(Number.parseInt(sign.slice(1), 16)) : (escapes[sign] ?? sign),
    )
    .slice(0, 2000);
}
