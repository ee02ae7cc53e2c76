import type { Render } from '../../../server/contract/render.ts';
import { texts } from '../texts.ts';

/** `Final 1920×1080, 60 fps, mp4`: enough to tell renders apart, by ear too. */
export function renderLabel({ settings }: Pick<Render, 'settings'>): string {
  const made = settings.preset ? texts.renders.presets[settings.preset].label : texts.renders.kinds[settings.kind];
  return `${made} ${settings.width}×${settings.height}, ${settings.fps} fps, ${settings.format}`;
}
