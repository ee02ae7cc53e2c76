import { type Aspect, frameSize } from '#contract/render.ts';
import { type Film, type FormatScene, filmPath, filmSchema, roundSeconds, scenePath } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { iconsOf } from '../author/icons.ts';
import { paletteOf } from '../author/palette.ts';
import { outlineOfScene } from './document.ts';

/**
 * A film file generated from its document. Generated code is never parsed back: a file that differs from the generated one in
 * any byte was edited by hand.
 */

export interface PrintedFile {
  readonly path: string;
  readonly content: string;
}

const sceneHeader =
  '// Printed by Koda from src/film.json. Edit this file and the scene becomes code, which Koda keeps as it is.\n';
export const listPath = 'src/film.ts';
const lineWidth = 120;
const musicFadeSeconds = 1.5;

export function printFilm(film: Film): PrintedFile[] {
  return [
    { path: filmPath, content: `${JSON.stringify(filmSchema.parse(film), null, 2)}\n` },
    printTheme(film),
    printIcons(film),
    printList(film),
    ...film.scenes.flatMap((scene) => (isCode(scene) ? [] : [printScene(scene)])),
  ];
}

function printTheme(film: Film): PrintedFile {
  const palette = Object.entries(paletteOf(film)).map(([name, color]) => `    ${name}: ${quote(color)},`);
  const lines = [
    "import type { Theme } from './stage/film-definition.ts';",
    "import { paletteParameters } from './stage/scene-props.ts';",
    '',
    'export const theme: Theme = {',
    `  name: ${quote(film.theme)},`,
    `  style: ${quote(film.style)},`,
    `  seed: ${film.seed},`,
    `  language: ${quote(film.language)},`,
    '  palette: paletteParameters({',
    ...palette,
    '  }),',
    '};',
    '',
  ];
  return { path: 'src/theme.ts', content: lines.join('\n') };
}

function printIcons({ scenes }: Film): PrintedFile {
  const icons = iconsOf(scenes.map((scene) => (isCode(scene) ? null : scene.props)));
  const entries = Object.entries(icons).map(
    ([name, { viewBox, body }]) => `  ${quote(name)}: {\n    viewBox: ${quote(viewBox)},\n    body: ${quote(body)},\n  },\n`,
  );
  const content = `// Names with “lucide:”: Lucide. Copyright (c) Lucide Contributors. ISC License: https://github.com/lucide-icons/lucide
// Names with “fluent:”: Fluent Emoji, flat. Copyright (c) Microsoft Corporation. MIT License: https://github.com/microsoft/fluentui-emoji
export const icons: Readonly<Record<string, { readonly viewBox: string; readonly body: string }>> = {${
    entries.length === 0 ? '' : `\n${entries.join('')}`
  }};
`;
  return { path: 'src/icons.ts', content };
}

/**
 * Generates the film's list of scenes. `upTo` limits it to that many scenes, so that the preview plays while the others are
 * being written.
 */
export function printList(film: Film, upTo = film.scenes.length): PrintedFile {
  const frame = frameOf(film.aspect);
  const durationSeconds = roundSeconds(film.scenes.reduce((sum, { seconds }) => sum + seconds, 0));
  let startSeconds = 0;
  const listed = film.scenes.slice(0, upTo).map((scene, index) => {
    const start = startSeconds;
    startSeconds = roundSeconds(startSeconds + scene.seconds);
    const name = `scene${index + 1}`;
    const fields = [
      `id: ${quote(scene.id)},`,
      `title: ${quote(outlineOfScene(scene).title)},`,
      `startSeconds: ${start},`,
      `durationSeconds: ${roundSeconds(scene.seconds)},`,
    ];
    // A code scene exports a World, an Overlay or both, which only its file determines.
    const parts = isCode(scene)
      ? [`...${name},`, ...fields, 'background: { top: theme.palette.backgroundTop, bottom: theme.palette.backgroundBottom },']
      : [...fields, `Overlay: ${name}.Overlay,`];
    return { path: `./scenes/${scene.id}.tsx`, name, parts };
  });
  const imports = listed.map(({ path, name }) => `import * as ${name} from ${quote(path)};\n`);
  const scenes = listed.map(({ parts }) => `    {\n${parts.map((part) => `      ${part}\n`).join('')}    },\n`);
  const fade = roundSeconds(Math.min(musicFadeSeconds, durationSeconds / 3));
  const audio =
    film.music === null ? '' : `  audio: [{ src: ${quote(film.music)}, startSeconds: 0, fadeOutSeconds: ${fade} }],\n`;
  const content = `${imports.join('')}import type { FilmDefinition } from './stage/film-definition.ts';
import { theme } from './theme.ts';

export const film: FilmDefinition = {
  title: ${quote(film.title)},
  durationSeconds: ${durationSeconds},
  fps: ${film.fps},
  width: ${frame.pixels.width},
  height: ${frame.pixels.height},
  view: { width: ${frame.width}, height: ${frame.height}, groundY: ${frame.groundY} },
  theme,
  scenes: [
${scenes.join('')}  ],
${audio}};
`;
  return { path: listPath, content };
}

export function printScene({ id, format, props }: FormatScene): PrintedFile {
  const component = `${format.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}Format`;
  const call = `const props = sceneProps(${quote(id)}, `;
  const content = `${sceneHeader}import { ${component} } from '../formats/${format}.tsx';
import { FormatScene } from '../formats/format-scene.tsx';
import { sceneProps } from '../stage/scene-props.ts';

${call}${literal(props, call.length + 2, 0)});

export function Overlay() {
  return (
    <FormatScene id="${id}">
      <${component} {...props} />
    </FormatScene>
  );
}
`;
  return { path: scenePath(id), content };
}

/** Prints JSON as a TypeScript literal that starts at `column`, on one line if it fits. */
function literal(value: unknown, column: number, indent: number): string {
  if (typeof value === 'string') return value.includes('\n') ? lines(value) : quote(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = ' '.repeat(indent + 2);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = (at: (key: string) => number, inside: number) =>
    Array.isArray(value)
      ? value.map((item) => literal(item, at(''), inside))
      : Object.entries(value).map(([key, item]) => `${propertyName(key)}: ${literal(item, at(key), inside)}`);
  const flat = parts(() => Number.NEGATIVE_INFINITY, indent).join(', ');
  const inline = Array.isArray(value) || flat === '' ? `${open}${flat}${close}` : `${open} ${flat} ${close}`;
  if (column + inline.length <= lineWidth && !inline.includes('\n')) return inline;
  const rows = parts((key) => indent + 4 + key.length, indent + 2).map((part) => `${inner}${part},\n`);
  return `${open}\n${rows.join('')}${' '.repeat(indent)}${close}`;
}

/** Quotes `__proto__` in brackets, because a plain key would set the prototype. */
function propertyName(key: string): string {
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : quote(key);
}

/** Prints multi-line text as a template literal if that preserves it exactly. */
function lines(text: string): string {
  if (/[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029]/u.test(text)) return quote(text);
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&')}\``;
}

/** Prints any string as a literal with single quotes. `JSON.stringify` escapes control characters and lone surrogates. */
function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

export interface Frame {
  readonly pixels: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
  readonly groundY: number;
}

const views: Readonly<Record<Aspect, Omit<Frame, 'pixels'>>> = {
  '16:9': { width: 16, height: 9, groundY: -2.79 },
  '1:1': { width: 10.5, height: 10.5, groundY: -2.94 },
  '4:5': { width: 9.6, height: 12, groundY: -3 },
  '9:16': { width: 8, height: 14.22, groundY: -3.413 },
};

export function frameOf(aspect: Aspect): Frame {
  return { ...views[aspect], pixels: frameSize(aspect, '1080p') };
}
