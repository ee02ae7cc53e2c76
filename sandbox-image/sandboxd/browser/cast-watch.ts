import type { InspectReport } from '../../../server/contract/sandboxd.ts';
import type { Stage } from './stage.ts';

/** Less of a body is no sight of it. */
const leastInside = 0.2;
const leastOpacity = 0.12;
/** More names than this no film has. */
const maxNames = 1_000;

/** Collects who of the cast was seen, moment by moment. */
export class CastWatch {
  readonly #most = new Map<string, { scene: string; name: string; most: number }>();
  #tells = false;

  /** Looks at the moment that the stage is set to. */
  async look(stage: Stage): Promise<void> {
    const sightings = await stage.cast();
    if (sightings === null) return;
    this.#tells = true;
    const now = new Map<string, number>();
    for (const { scene, name, inside, opacity } of sightings) {
      const key = `${scene} ${name}`;
      const isSeen = inside >= leastInside && opacity >= leastOpacity;
      now.set(key, (now.get(key) ?? 0) + (isSeen ? 1 : 0));
      if (!this.#most.has(key) && this.#most.size < maxNames) this.#most.set(key, { scene, name, most: 0 });
    }
    for (const [key, count] of now) {
      const known = this.#most.get(key);
      if (known !== undefined) known.most = Math.max(known.most, count);
    }
  }

  /** Null when the page says nothing of its cast. */
  seen(texts: readonly string[]): InspectReport['seen'] {
    return this.#tells ? { cast: [...this.#most.values()], texts: [...texts] } : null;
  }
}
