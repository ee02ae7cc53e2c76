/**
 * What every scene of the benchmark exports. A scene knows no framework: each contender puts `mount` and
 * `draw` behind its own idea of a composition, so that all of them draw the same pixels by the same code.
 */
export interface Scene {
  /**
   * Builds the scene in `root`, which is 1920×1080 CSS pixels, and resolves when fonts and pictures are
   * there. `assetUrl` gives the address of a file of the benchmark's assets folder.
   */
  mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void>;
  /** Draws exactly this moment, synchronously; a function of the seconds alone. */
  draw(seconds: number): void;
}
