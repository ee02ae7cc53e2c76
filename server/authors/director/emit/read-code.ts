import { aspectSchema, type FilmParameter, filmParameterSchema, paletteSchema, styleSchema } from '../../../contract/film.ts';
import { frameOf } from './frame.ts';

/**
 * What can be read of a film's code without running it: literals where the template has them. Hostile code may have
 * written the files, so each text is read up to a limit and in linear time, and what comes out passes the film's schema.
 */

const maxCharacters = 100_000;
const maxScenes = 15;
/** Each may be read to the file's end. */
const maxDeclarations = 20;

type Tokens = readonly string[];
export type FilmCode = ReturnType<typeof filmCodeIn>;
export type ListedScene = FilmCode['scenes'][number];

/** The film that `src/film.ts` lists: null for what is no literal there, without scenes when it cannot be read. */
export function filmCodeIn(text: string) {
  const tokens = tokensOf(text);
  const film = constantIn(tokens, 'film');
  const listed = partsOf(film.get('scenes')).map(fieldsOf);
  const tracks = partsOf(film.get('audio')).map(fieldsOf);
  const [width, height, fps] = ['width', 'height', 'fps'].map((name) => numberOf(film.get(name)));
  const music = textOf(tracks[0]?.get('src'));
  const scenes = listed.slice(0, maxScenes).flatMap((fields) => {
    const id = textOf(fields.get('id'));
    if (id === null || !/^[a-z][a-z0-9-]{0,60}$/.test(id)) return [];
    const ground = fieldsOf(fields.get('background'));
    const [top, bottom] = [colorOf(ground.get('top')), colorOf(ground.get('bottom'))];
    const [startSeconds, durationSeconds] = [numberOf(fields.get('startSeconds')), numberOf(fields.get('durationSeconds'))];
    const isTheme = [...ground.values()].flat().join('') === 'theme.palette.backgroundToptheme.palette.backgroundBottom';
    return [
      {
        id,
        title: textOf(fields.get('title')),
        startSeconds,
        durationSeconds,
        /** Null = the theme's. */
        background: top === null || bottom === null ? null : { top, bottom },
        isStill: fields.get('still')?.join('') === 'true',
        isPlain:
          startSeconds !== null &&
          durationSeconds !== null &&
          (isTheme || (top !== null && bottom !== null)) &&
          tokens.some((one) => one.slice(1, -1) === `./scenes/${id}.tsx`),
      },
    ];
  });
  const unique = scenes.filter(({ id }, index) => scenes.findIndex((other) => other.id === id) === index);
  return {
    title: textOf(film.get('title')),
    durationSeconds: numberOf(film.get('durationSeconds')),
    fps: ([30, 60] as const).find((rate) => rate === fps) ?? null,
    aspect:
      aspectSchema.options.find((aspect) => frameOf(aspect).pixels.width === width && frameOf(aspect).pixels.height === height) ??
      null,
    music: music !== null && /^\/assets\/[^/]{1,200}$/.test(music) ? music : null,
    scenes: unique,
    /** True when it says nothing but what stands here, so that the director can write it anew. */
    isWhole:
      unique.length > 0 &&
      unique.length === listed.length &&
      unique.every(({ isPlain }) => isPlain) &&
      (!film.has('audio') || (tracks.length === 1 && music !== null)),
  };
}

/** Style, seed and colours of `src/theme.ts`; null for what is no literal there. */
export function themeIn(text: string) {
  const theme = constantIn(tokensOf(text), 'theme');
  const seed = numberOf(theme.get('seed'));
  const colors = [...fieldsOf(theme.get('palette'))].map(([name, color]) => [name, colorOf(color)]);
  return {
    style: styleSchema.safeParse(textOf(theme.get('style'))).data ?? null,
    seed: Number.isSafeInteger(seed) ? seed : null,
    palette: paletteSchema.safeParse(Object.fromEntries(colors)).data ?? null,
  };
}

/** What a scene's file calls it. */
export function titleIn(text: string): string | null {
  return textOf(tokensOf(/^export const title = .*$/m.exec(text.slice(0, maxCharacters))?.[0] ?? '').slice(4, 5));
}

/** The parameters that a file declares; `scene` is the one that it belongs to, null = none. */
export function parametersIn(text: string, scene: string | null): FilmParameter[] {
  const tokens = tokensOf(text);
  const calls = tokens.flatMap((token, at) => (token === 'declareParameters' && tokens[at + 1] === '(' ? [at + 1] : []));
  return calls.slice(0, maxDeclarations).flatMap((call) => {
    const [shape, options] = partsOf(tokens.slice(call));
    return [...fieldsOf(shape)].flatMap(([name, chain]) => {
      const value = literalOf(argumentOf(chain, 'default') ?? argumentOf(chain, 'color'));
      const description = textOf(argumentOf(chain, 'describe')) ?? '';
      const parameter = { name, scene: fieldsOf(options).has('scene') ? scene : null, default: value, description };
      return filmParameterSchema.safeParse(parameter).data ?? [];
    });
  });
}

const comment = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/;
const string = /'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|`(?:[^`\\]|\\[\s\S])*`?/;
const token = new RegExp(`${comment.source}|${string.source}|[\\w$]+(?:\\.\\d+)?|\\S`, 'g');

/** Words, numbers, strings and single signs; without comments. A string that never ends is one token. */
function tokensOf(text: string): Tokens {
  const tokens: Tokens = text.slice(0, maxCharacters).match(token) ?? [];
  return tokens.filter((one) => !/^\/[/*]/.test(one));
}

/** The parts, between commas, of the literal or the call that the tokens begin with; none when it is neither. */
function partsOf(tokens: Tokens = []): Tokens[] {
  const parts: string[][] = [];
  let part: string[] = [];
  let depth = 0;
  for (const one of '([{'.includes(tokens[0] ?? '?') ? tokens.slice(1) : []) {
    if ('([{'.includes(one)) depth += 1;
    if (')]}'.includes(one)) depth -= 1;
    if (depth >= 0 && (depth > 0 || one !== ',')) part.push(one);
    else {
      if (part.length > 0) parts.push(part);
      part = [];
    }
    if (depth < 0) return parts;
  }
  return parts;
}

/** Name and value of each property of the object literal that the tokens begin with. */
function fieldsOf(tokens: Tokens | undefined): ReadonlyMap<string, Tokens> {
  const named = partsOf(tokens).filter((part) => part[1] === ':');
  return new Map(named.map(([name = '', , ...value]) => [name.replaceAll(/['"]/g, ''), value]));
}

/** The fields of `const name = {`, with or without a type. */
function constantIn(tokens: Tokens, name: string): ReadonlyMap<string, Tokens> {
  const open = tokens.findIndex(
    (one, at) => one === '{' && tokens[at - 1] === '=' && tokens.slice(Math.max(0, at - 5), at).includes(name),
  );
  return fieldsOf(open < 0 ? [] : tokens.slice(open));
}

/** The first argument of a call in a chain such as `z.int().default(3).describe('…')`. */
function argumentOf(chain: Tokens, call: string): Tokens | undefined {
  let depth = 0;
  for (const [at, one] of chain.entries()) {
    if (depth === 0 && one === call && chain[at + 1] === '(') return partsOf(chain.slice(at + 1))[0];
    if ('([{'.includes(one)) depth += 1;
    if (')]}'.includes(one)) depth -= 1;
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** The string, number or boolean that the tokens are; null for anything else. */
function literalOf(tokens: Tokens = []): string | number | boolean | null {
  const code = tokens.join('');
  if (code === 'true' || code === 'false') return code === 'true';
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(code)) return Number(code);
  const isString = tokens.length === 1 && code.length > 1 && /^(['"`]).*\1$/s.test(code) && !/^`.*\$\{/s.test(code);
  if (!isString) return null;
  const text = code
    .slice(1, -1)
    .replace(/\\(u[0-9a-f]{4}|[\s\S])/gi, (_, sign: string) =>
      sign.length > 1 ? String.fromCharCode(Number.parseInt(sign.slice(1), 16)) : (escapes[sign] ?? sign),
    );
  return text.slice(0, 2000);
}

function textOf(tokens: Tokens | undefined): string | null {
  const value = literalOf(tokens);
  return typeof value === 'string' ? value : null;
}

function numberOf(tokens: Tokens | undefined): number | null {
  const value = literalOf(tokens);
  return typeof value === 'number' ? value : null;
}

function colorOf(tokens: Tokens | undefined): string | null {
  const value = textOf(tokens)?.toLowerCase() ?? '';
  return /^#[0-9a-f]{6}$/.test(value) ? value : null;
}
