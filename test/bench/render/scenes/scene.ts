/**
 * Exports of every benchmark scene. Scenes are framework-free: each contender wraps `mount` and `draw` in its own
 * composition, so that all draw the same pixels with the same code.
 */
export interface Scene {
  /**
   * Builds the scene in `root`, which is 1920×1080 CSS pixels, and resolves when fonts and images are loaded. `assetUrl`
   * returns the address of a file in the benchmark's assets folder.
   */
  mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void>;
  /** Draws this timestamp synchronously. The image depends on the seconds alone. */
  draw(seconds: number): void;
}
