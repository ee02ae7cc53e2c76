import { z } from 'zod';
import type { Palette } from './film-definition.ts';
import { holdReady, loadImage } from './loading.ts';
import { color, declareParameters } from './parameters.ts';
import { SceneEdits } from './scene-edits.ts';

/** Fields with a fixed set of values, or with names of drawings. The document determines these, not a render. */
export const choiceFields: ReadonlySet<string> = new Set([
  ...([
    'act',
    'frame',
    'gauge',
    'entrance',
    'icon',
    'icons',
    'language',
    'material',
    'motion',
    'place',
    'shape',
    'side',
    'winner',
  ] as const),
  ...(['asset', 'avatar', 'logo', 'portrait', 'screenshot'] as const),
]);

const maxTextCharacters = 280;

const images = new Map<string, Promise<HTMLImageElement>>();

/** Loads an uploaded image before the first frame, because a format may show it only later in the scene. */
function preload(value: unknown): void {
  if (typeof value !== 'string' || !/^\/assets\/[^/]+$/.test(value) || images.has(value)) return;
  images.set(value, holdReady(loadImage(value)));
}

/** Returns `scene1Items1Text` for `text` in the first of `items` in `scene-1`. */
function parameterName(sceneId: string, path: readonly (string | number)[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? String(part + 1) : part.charAt(0).toUpperCase() + part.slice(1)));
  return `${sceneId.replace(/-(.)/g, (_, next: string) => next.toUpperCase())}${parts.join('')}`.slice(0, 64);
}

/**
 * Returns the fields for a scene's format. Every text, number and colour in them is a parameter that a render can set, so
 * that one film can produce many videos. By default, a field has the value given here.
 */
export function sceneProps<const Props extends object>(sceneId: string, props: Props): Props {
  edits.loaded(sceneId, props);
  return withParameters(props, sceneId, []) as Props;
}

const edits = new SceneEdits((sceneId, props) => withParameters(props, sceneId, []) as Readonly<Record<string, unknown>>);

const editSchema = z.object({ sceneId: z.string(), props: z.record(z.string(), z.json()).nullable() });

/**
 * Draws a scene with the message's props, in the live preview only; `null` restores those in its file. Ignores malformed
 * messages.
 */
export function editScene(message: unknown): void {
  const parsed = editSchema.safeParse(message);
  if (parsed.success) edits.replace(parsed.data.sceneId, parsed.data.props);
}

/** Returns the props of a scene that the user is editing, or `null` if those in its file apply. */
export const editedProps = (sceneId: string) => edits.of(sceneId);

function withParameters(value: unknown, sceneId: string, path: readonly (string | number)[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withParameters(item, sceneId, [...path, index]));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([field, item]) => {
        preload(item);
        return [field, choiceFields.has(field) ? item : withParameters(item, sceneId, [...path, field])];
      }),
    );
  const type = typeOf(value);
  if (type === null) return value;
  const name = parameterName(sceneId, path);
  // People count from 1.
  const field = path.map((part) => (typeof part === 'number' ? part + 1 : part)).join(' ');
  const described = type.describe(`${field} of ${sceneId}`);
  return declareParameters({ [name]: described }, { scene: sceneId })[name];
}

function typeOf(value: unknown) {
  if (typeof value === 'number') return z.number().default(value);
  if (typeof value !== 'string') return null;
  return /^#[0-9a-f]{6}$/.test(value) ? color(value) : z.string().max(Math.max(maxTextCharacters, value.length)).default(value);
}

/** Returns the film's five colours, each as a parameter. */
export function paletteParameters(palette: Palette): Palette {
  return declareParameters({
    backgroundTop: color(palette.backgroundTop).describe('The ground at the top'),
    backgroundBottom: color(palette.backgroundBottom).describe('The ground at the bottom'),
    ink: color(palette.ink).describe('The colour of text'),
    accent: color(palette.accent).describe('The colour of what stands out'),
    helper: color(palette.helper).describe('The second colour'),
  });
}
