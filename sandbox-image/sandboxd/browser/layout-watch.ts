import type { LayoutFinding } from '../../../server/contract/sandboxd.ts';
import type { LayoutSnapshot } from '../page/protocol.ts';
import type { Size } from './chromium.ts';
import type { PixelFrame } from './frame-analysis.ts';
import { heldStill, type Suspicion, shareInside, suspicionsOf } from './layout-findings.ts';
import type { Stage } from './stage.ts';

const maxFindings = 40;
const maxTexts = 400;
/** What looks wrong is looked at again so much later (before, at the end): what has moved meanwhile is on its way. */
const againAfterSeconds = 0.1;
/** Moments looked at before something is reported as always outside. */
const searchedMoments = 48;

type Resident = { readonly selector: string; readonly text: string; readonly group: string };

/** Collects what is wrong with the layout of a film, moment by moment. */
export class LayoutWatch {
  readonly #size: Size;
  readonly #findings = new Map<string, { suspicion: Suspicion; seconds: number[] }>();
  readonly #outside = new Map<number, Resident & { seconds: number[] }>();
  /** Ids, texts and kinds of what was seen in the frame at some moment. */
  readonly #inside = new Set<string | number>();

  readonly #texts = new Set<string>();

  /** Every text that was there at some moment. */
  get texts(): readonly string[] {
    return [...this.#texts].slice(0, maxTexts);
  }

  constructor(size: Size) {
    this.#size = size;
  }

  /** Looks at the moment that the stage is set to; may leave the stage at another one. */
  async look(stage: Stage, seconds: number, picture: PixelFrame): Promise<void> {
    const snapshot = await stage.layout();
    if (snapshot === null) return;
    this.#place(snapshot, seconds);
    const suspicions = suspicionsOf(snapshot, this.#size, picture);
    if (suspicions.length === 0) return;
    const later = seconds + againAfterSeconds;
    await stage.seek(later <= stage.info.durationSeconds ? later : seconds - againAfterSeconds);
    const after = await stage.layout();
    if (after === null) return;
    for (const suspicion of heldStill(suspicions, snapshot, after, this.#size)) {
      const key = `${suspicion.kind} ${suspicion.id} ${suspicion.otherId}`;
      const known = this.#findings.get(key);
      this.#findings.set(key, { suspicion: known?.suspicion ?? suspicion, seconds: [...(known?.seconds ?? []), seconds] });
    }
  }

  /** All that was found. Looks at more moments when something was never seen in the frame. */
  async finish(stage: Stage): Promise<LayoutFinding[]> {
    for (let index = 0; index < searchedMoments && this.#absent().length > 0; index++) {
      await stage.seek(((index + 0.5) / searchedMoments) * stage.info.durationSeconds);
      const snapshot = await stage.layout();
      if (snapshot === null) break;
      this.#place(snapshot, null);
    }
    const absent = this.#absent().map(
      ({ selector, text, seconds }): LayoutFinding => ({
        kind: 'outside_frame',
        selector,
        text,
        otherText: null,
        amount: 1,
        seconds,
      }),
    );
    const found = [...this.#findings.values()].map(({ suspicion: { id, otherId, ...rest }, seconds }) => ({ ...rest, seconds }));
    return [...found, ...absent].slice(0, maxFindings);
  }

  /** Notes what is in the frame, and what is wholly outside at a moment that was asked for. */
  #place(snapshot: LayoutSnapshot, seconds: number | null): void {
    for (const { text } of snapshot.texts) if (this.#texts.size < maxTexts) this.#texts.add(text);
    const residents = [
      ...snapshot.texts.map((text) => ({ ...text, group: `text ${text.text}` })),
      ...snapshot.shapes.map((shape) => ({ ...shape, text: '' })),
    ];
    for (const { id, box, selector, text, group } of residents) {
      if (shareInside(box, this.#size) > 0) {
        this.#inside.add(id).add(group);
      } else if (seconds !== null) {
        const known = this.#outside.get(id);
        this.#outside.set(id, { selector, text, group, seconds: [...(known?.seconds ?? []), seconds] });
      }
    }
  }

  /** What was outside whenever it was looked at, unless it is one of many of which others are inside (a pattern, a band of text). */
  #absent(): (Resident & { seconds: number[] })[] {
    return [...this.#outside]
      .filter(([id, { group }]) => !this.#inside.has(id) && !this.#inside.has(group))
      .map(([, resident]) => resident);
  }
}
