import { type Render, type RenderSettings, renderFiles } from '../../../server/contract/render.ts';
import { texts } from '../texts.ts';

/**
 * `Final 1920×1080, 60 fps, mp4` or `Frame 90, 1920×1080, png`: enough to tell renders apart, by ear too. A part of the
 * film is named.
 */
export function renderLabel({ settings }: Pick<Render, 'settings'>): string {
  const { width, height, fps, format, range } = settings;
  if (renderFiles[format].still) return `${partLabel(range, true)}, ${width}×${height}, ${format}`;
  const part = range === null ? '' : `, ${partLabel(range, false)}`;
  return `${madeFor(settings)} ${width}×${height}, ${fps} fps, ${format}${part}`;
}

/** What it was made for: a platform, or the kind. */
export function madeFor({ preset, kind }: Pick<RenderSettings, 'preset' | 'kind'>): string {
  return preset ? texts.renders.presets[preset].label : texts.renders.kinds[kind];
}

/** `Whole film`, `scene 2`, `frames 10–19`, `Frame 90`. */
export function partLabel(range: RenderSettings['range'], still: boolean): string {
  if (range === null) return texts.renders.wholeFilm;
  if ('scene' in range) return texts.renders.sceneOf(range.scene);
  return still ? texts.renders.frameOf(range.fromFrame) : texts.renders.frameRange(range.fromFrame, range.toFrame - 1);
}
