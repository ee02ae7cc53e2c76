import type { InspectReport } from '#contract/sandbox/answers.ts';
import type { Stage } from './stage.ts';

/** Minimum fraction of a body inside the frame for it to count as visible. */
const minInside = 0.2;
const minOpacity = 0.12;
const maxNames = 1_000;

export class CastCollector {
  readonly #maxCounts = new Map<string, { scene: string; name: string; most: number }>();
  #reportsCast = false;

  async inspect(stage: Stage): Promise<void> {
    const visibleBodies = await stage.cast();
    if (visibleBodies === null) return;
    this.#reportsCast = true;
    const now = new Map<string, number>();
    for (const { scene, name, inside, opacity } of visibleBodies) {
      const key = `${scene} ${name}`;
      const isSeen = inside >= minInside && opacity >= minOpacity;
      now.set(key, (now.get(key) ?? 0) + (isSeen ? 1 : 0));
      if (!this.#maxCounts.has(key) && this.#maxCounts.size < maxNames) this.#maxCounts.set(key, { scene, name, most: 0 });
    }
    for (const [key, count] of now) {
      const known = this.#maxCounts.get(key);
      if (known !== undefined) known.most = Math.max(known.most, count);
    }
  }

  /** Returns `null` if the page does not report its cast. */
  seen(texts: readonly string[]): InspectReport['seen'] {
    return this.#reportsCast ? { cast: [...this.#maxCounts.values()], texts: [...texts] } : null;
  }
}
