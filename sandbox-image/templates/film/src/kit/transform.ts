/**
 * Returns a CSS transform for animated text. Chromium keeps subpixel layout only for pure translations, and after a switch
 * the result depends on earlier frames. The scale is therefore never exactly 1 (off by 0.02 pixels over a word), so that each
 * frame is independent.
 */
export function transform({ x = '0', y = '0', scale = 1 }: { x?: string; y?: string; scale?: number }): string {
  return `translate(${x}, ${y}) scale(${scale * 1.0001})`;
}
