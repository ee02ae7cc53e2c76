/**
 * A CSS transform for what moves. Chromium keeps fractions of a pixel of the layout when a transform is a
 * pure translation and drops them when it is not, and after a change from one to the other it depends on the
 * frames before which of both it does. A scale that is never exactly 1 (by 0.02 pixels over the width of a
 * word) keeps every frame independent of the others.
 */
export function transform({ x = '0', y = '0', scale = 1 }: { x?: string; y?: string; scale?: number }): string {
  return `translate(${x}, ${y}) scale(${scale * 1.0001})`;
}
