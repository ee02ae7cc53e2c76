import type { ThemeName } from '#kinds/film/contract/film.ts';

/** Scenes in the render benchmark. Each is a framework-free module `scenes/<name>.ts`, or a film that each renderer has as its own. */
export interface SceneEntry {
  readonly name: string;
  /** Short description of the scene. */
  readonly nature: string;
  /** Whether the scene uses WebGL, whose speed depends on the driver. */
  readonly webgl: boolean;
  /** Whether the scene needs the images among the assets. */
  readonly pictures: boolean;
  /** How the film is written for each renderer (`films/`). Without it, all renderers load the same module. */
  readonly film?: { readonly from: 'format'; readonly theme: ThemeName } | { readonly from: 'example' };
}

/** Formats whose example is a scene, each in another theme. Koda renders its own page. */
const formats = [
  { name: 'title', theme: 'midnight' },
  { name: 'bar-chart', theme: 'news' },
  { name: 'checklist', theme: 'studio' },
  { name: 'quote', theme: 'blush' },
  { name: 'table', theme: 'forest' },
  { name: 'number', theme: 'bold' },
] as const;

/** Examples that the peers publish. */
const examples = [
  { name: 'remotion-hello', nature: 'Remotion’s template “Hello World”' },
  { name: 'warm-grain', nature: 'the graphics of HyperFrames’ template “Warm Grain”' },
];

export const scenes: readonly SceneEntry[] = [
  { name: 'text-and-vector', nature: 'letters, SVG paths and polygons', webgl: false, pictures: false },
  { name: 'dom-cards', nature: '48 turning cards with gradients and shadows', webgl: false, pictures: false },
  { name: 'css-animations', nature: '62 CSS keyframe animations', webgl: false, pictures: false },
  { name: 'three-light', nature: '3D: a lit ball, 50 cubes, shadows', webgl: true, pictures: false },
  { name: 'three-heavy', nature: '3D: 400 bodies, physical material, two shadow maps', webgl: true, pictures: false },
  { name: 'images', nature: 'large images that pan and fade, a clip frame by frame', webgl: false, pictures: true },
  { name: 'static-heavy', nature: 'a slide that is unchanged in 40 % of its frames', webgl: false, pictures: false },
  { name: 'mixed', nature: 'a WebGL canvas with text and panels over it', webgl: true, pictures: false },
  ...formats.map(({ name, theme }) => ({
    ...{ name, nature: `a film of Koda’s format of that name, theme ${theme}`, webgl: false, pictures: false },
    film: { from: 'format', theme } as const,
  })),
  ...examples.map((example) => ({ ...example, webgl: false, pictures: false, film: { from: 'example' } as const })),
];

/** Films with holds, and the same films without them. Some are used only by the checks. */
export const holds: readonly { readonly still: SceneEntry; readonly moving: SceneEntry }[] = [
  {
    still: sceneOf('static-heavy'),
    moving: { name: 'always-moving', nature: 'the slide of static-heavy without holds', webgl: false, pictures: false },
  },
  {
    still: { name: 'three-held', nature: 'the world of three-light with holds', webgl: true, pictures: false },
    moving: sceneOf('three-light'),
  },
];

/** Throws Error with the list of names if no scene has that name. */
export function sceneNamed(name: string): SceneEntry {
  const all = [...scenes, ...holds.flatMap(({ still, moving }) => [still, moving])];
  const found = all.find((scene) => scene.name === name);
  if (found) return found;
  throw new Error(`There is no scene "${name}". Choose one of: ${scenes.map((scene) => scene.name).join(', ')}.`);
}

function sceneOf(name: string): SceneEntry {
  const found = scenes.find((scene) => scene.name === name);
  if (!found) throw new Error(`The benchmark has no scene "${name}".`);
  return found;
}
