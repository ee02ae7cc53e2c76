import type { LayoutFinding } from '#contract/sandboxd.ts';
import type { LayoutSnapshot } from '../page/protocol.ts';
import type { Size } from './chromium.ts';
import type { PixelFrame } from './frame-analysis.ts';
import { type CandidateFinding, candidateFindings, shareInside, unchangedFindings } from './layout-findings.ts';
import type { Stage } from './stage.ts';

const maxFindings = 40;
const maxTexts = 400;
/** Findings are rechecked this much later (or earlier, at the film's end) to exclude moving elements. */
const recheckAfterSeconds = 0.1;
/** Number of timestamps to check before an element is reported as always outside the frame. */
const searchedTimes = 48;

type LayoutElement = { readonly selector: string; readonly text: string; readonly group: string };

export class LayoutCollector {
  readonly #size: Size;
  readonly #findings = new Map<string, { candidate: CandidateFinding; seconds: number[] }>();
  readonly #outside = new Map<number, LayoutElement & { seconds: number[] }>();
  readonly #inside = new Set<string | number>();

  readonly #texts = new Set<string>();

  get texts(): readonly string[] {
    return [...this.#texts].slice(0, maxTexts);
  }

  constructor(size: Size) {
    this.#size = size;
  }

  async inspect(stage: Stage, seconds: number, frame: PixelFrame): Promise<void> {
    const snapshot = await stage.layout();
    if (snapshot === null) return;
    this.#record(snapshot, seconds);
    const candidates = candidateFindings(snapshot, this.#size, frame);
    if (candidates.length === 0) return;
    const later = seconds + recheckAfterSeconds;
    await stage.seek(later <= stage.info.durationSeconds ? later : seconds - recheckAfterSeconds);
    const after = await stage.layout();
    if (after === null) return;
    for (const candidate of unchangedFindings(candidates, snapshot, after, this.#size)) {
      const key = `${candidate.kind} ${candidate.id} ${candidate.otherId}`;
      const known = this.#findings.get(key);
      this.#findings.set(key, { candidate: known?.candidate ?? candidate, seconds: [...(known?.seconds ?? []), seconds] });
    }
  }

  /** Returns all findings, after checking additional timestamps for elements that were never visible. */
  async finish(stage: Stage): Promise<LayoutFinding[]> {
    for (let index = 0; index < searchedTimes && this.#absent().length > 0; index++) {
      await stage.seek(((index + 0.5) / searchedTimes) * stage.info.durationSeconds);
      const snapshot = await stage.layout();
      if (snapshot === null) break;
      this.#record(snapshot, null);
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
    const found = [...this.#findings.values()].map(({ candidate: { id, otherId, ...rest }, seconds }) => ({ ...rest, seconds }));
    return [...found, ...absent].slice(0, maxFindings);
  }

  #record(snapshot: LayoutSnapshot, seconds: number | null): void {
    for (const { text } of snapshot.texts) if (this.#texts.size < maxTexts) this.#texts.add(text);
    const elements = [
      ...snapshot.texts.map((text) => ({ ...text, group: `text ${text.text}` })),
      ...snapshot.shapes.map((shape) => ({ ...shape, text: '' })),
    ];
    for (const { id, box, selector, text, group } of elements) {
      if (shareInside(box, this.#size) > 0) {
        this.#inside.add(id).add(group);
      } else if (seconds !== null) {
        const known = this.#outside.get(id);
        this.#outside.set(id, { selector, text, group, seconds: [...(known?.seconds ?? []), seconds] });
      }
    }
  }

  /** Excludes groups with visible members, such as a pattern or a scrolling text. */
  #absent(): (LayoutElement & { seconds: number[] })[] {
    return [...this.#outside]
      .filter(([id, { group }]) => !this.#inside.has(id) && !this.#inside.has(group))
      .map(([, element]) => element);
  }
}
