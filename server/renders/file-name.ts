import { type RenderSettings, renderFiles } from '../contract/render.ts';

/**
 * What a file is called when it is saved: `Ball 1920x1080 60fps.mp4`, `Ball scene-2 1080x1920 30fps.mp4`,
 * `Ball frame 90 1920x1080.png`. Renders of one project that differ in what a person sees have different names.
 */
export function downloadName(projectName: string, settings: RenderSettings): string {
  const { kind, format, width, height, fps, range, transparent } = settings;
  const { name, still } = renderFiles[format];
  const words = [
    projectName,
    ...(kind === 'preview' ? ['preview'] : []),
    ...partWords(range, still),
    `${width}x${height}`,
    ...(still ? [] : [`${fps}fps`]),
    ...(transparent ? ['transparent'] : []),
    ...(format === 'png-sequence' ? ['frames'] : []),
  ];
  return `${words.join(' ')}${name.slice(name.lastIndexOf('.'))}`;
}

function partWords(range: RenderSettings['range'], still: boolean): string[] {
  if (range === null) return [];
  if ('scene' in range) return [range.scene];
  return [still ? `frame ${range.fromFrame}` : `frames ${range.fromFrame}-${range.toFrame - 1}`];
}
