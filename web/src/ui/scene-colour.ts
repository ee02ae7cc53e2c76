const colours = 5;

/** The same colour for a scene wherever it is shown. Scenes count from 1. */
export function sceneColour(number: number): string {
  return `var(--scene-${((number - 1) % colours) + 1})`;
}
