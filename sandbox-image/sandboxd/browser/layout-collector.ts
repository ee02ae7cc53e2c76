import type { LayoutFinding } from '#contract/sandbox/answers.ts';
import type { LayoutSnapshot } from '../page/protocol.ts';
import type { Size } from './chromium.ts';
import {
  change,
  changedShare,
  decodeFrame,
  drawnContrast,
  edgeShare,
  type LumaFrame,
  type PixelFrame,
  showsColour,
} from './frame-analysis.ts';
import { type CandidateFinding, candidateFindings, isFaint, shareInside, unchangedFindings } from './layout-findings.ts';
import type { Stage } from './stage.ts';

const maxFindings = 40;
const maxTexts = 400;
/** Findings are rechecked this much later (or earlier, at the film's end) to exclude moving elements. */
const recheckAfterSeconds = 0.1;
/** Number of timestamps to check before an element is reported as always outside the frame. */
const searchedTimes = 48;
/** Time within which a scene shows something, so that no cut leaves the frame empty. */
const entranceSeconds = { first: 0.5, other: 0.3 };
/** Two lines of small type have more edges. */
const minEdgeShare = 0.0001;
/** Mean difference in luma that counts as motion, and the time within which it may be too slow to be measured. */
const minChange = 0.02;
const slowSeconds = 0.3;
/** Two drawings of the same frame differ in fewer pixels, if at all. */
const maxUnstableShare = 0.0001;
/** A short underline in the accent covers more. */
const minAccentShare = 0.0004;

/** What the inspected frames of a scene show. */
interface SceneFrames {
  readonly first: LumaFrame;
  readonly seconds: number[];
  moves: boolean;
  empty: boolean;
}

const isLong = (seconds: readonly number[]) => Math.max(...seconds) - Math.min(...seconds) >= slowSeconds;

/** What is cut further may have no glyph in the frame. */
const maxMaskedCut = 0.9;
const mayBeMasked = ({ kind, amount }: CandidateFinding) =>
  kind === 'text_contrast' || (kind === 'text_beyond_frame' && amount < maxMaskedCut);

type LayoutElement = { readonly selector: string; readonly text: string; readonly group: string };

export class LayoutCollector {
  readonly #size: Size;
  readonly #findings = new Map<string, { candidate: CandidateFinding; seconds: number[] }>();
  readonly #outside = new Map<number, LayoutElement & { seconds: number[] }>();
  readonly #inside = new Set<string | number>();

  readonly #scenes = new Map<string, SceneFrames>();
  readonly #texts = new Set<string>();
  readonly #accent: string | null;
  /** Whether a frame has shown the accent; `null` if that cannot be told. */
  #accentSeen: boolean | null = null;

  get texts(): readonly string[] {
    return [...this.#texts].slice(0, maxTexts);
  }

  constructor(size: Size, accent: string | null) {
    this.#size = size;
    this.#accent = accent;
  }

  async inspect(stage: Stage, seconds: number, frame: PixelFrame & LumaFrame): Promise<void> {
    this.#recordScene(stage, seconds, frame);
    if (this.#accent !== null && this.#accentSeen !== true) this.#accentSeen = showsColour(frame, this.#accent, minAccentShare);
    const snapshot = await stage.layout();
    if (snapshot === null) return;
    this.#record(snapshot, seconds);
    const candidates = await this.#confirmDrawn(stage, candidateFindings(snapshot, this.#size, frame), { snapshot, frame });
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

  /** Looks at the drawn glyphs of faint and cut texts, because text behind a mask has none, whatever its colour and place. */
  async #confirmDrawn(
    stage: Stage,
    candidates: readonly CandidateFinding[],
    { snapshot, frame }: { readonly snapshot: LayoutSnapshot; readonly frame: PixelFrame },
  ): Promise<readonly CandidateFinding[]> {
    if (!candidates.some(mayBeMasked)) return candidates;
    const marked = decodeFrame(await stage.captureMarkedGlyphs());
    return candidates.flatMap((candidate) => {
      const text = snapshot.texts.find(({ id }) => id === candidate.id);
      if (!mayBeMasked(candidate) || text === undefined) return [candidate];
      const amount = drawnContrast(text, frame, marked);
      if (candidate.kind === 'text_beyond_frame') return amount === null ? [] : [candidate];
      return amount !== null && isFaint(text, amount, this.#size) ? [{ ...candidate, amount }] : [];
    });
  }

  #recordScene(stage: Stage, seconds: number, frame: LumaFrame): void {
    const scene = stage.info.scenes.findLast(
      ({ startSeconds, durationSeconds }) => seconds >= startSeconds && seconds <= startSeconds + durationSeconds,
    );
    if (scene === undefined) return;
    const known = this.#scenes.get(scene.id);
    const empty = (known?.empty ?? true) && edgeShare(frame) < minEdgeShare;
    const moves = known !== undefined && (known.moves || change(known.first, frame) >= minChange);
    this.#scenes.set(scene.id, { first: known?.first ?? frame, seconds: [...(known?.seconds ?? []), seconds], moves, empty });
  }

  /** Looks for inspected scenes that are or start empty, that do not move, and whose frames differ if they are drawn again. */
  async #sceneFindings(stage: Stage): Promise<LayoutFinding[]> {
    const found: LayoutFinding[] = [];
    const drawAt = async (seconds: number) => {
      await stage.seek(seconds);
      return decodeFrame(await stage.capture('png'));
    };
    for (const { id, startSeconds, durationSeconds } of stage.info.scenes) {
      const frames = this.#scenes.get(id);
      const entered = startSeconds + (startSeconds === 0 ? entranceSeconds.first : entranceSeconds.other);
      if (frames === undefined || entered >= startSeconds + durationSeconds) continue;
      const about = { selector: id, text: '', otherText: null };
      const start = await drawAt(entered);
      const amount = edgeShare(start);
      if (amount < minEdgeShare)
        found.push({ kind: 'scene_empty', ...about, amount, seconds: [entered, ...(frames.empty ? frames.seconds : [])] });
      else if (!frames.moves && change(start, frames.first) < minChange && isLong([entered, ...frames.seconds]))
        found.push({ kind: 'scene_still', ...about, amount: 0, seconds: [entered, ...frames.seconds] });
      const at = frames.seconds[0] ?? entered;
      const unstable = changedShare(frames.first, await drawAt(at));
      if (unstable > maxUnstableShare) found.push({ kind: 'scene_unstable', ...about, amount: unstable, seconds: [at] });
    }
    return found;
  }

  /** Returns all findings, after checking additional timestamps for elements that were never visible. */
  async finish(stage: Stage): Promise<LayoutFinding[]> {
    const ofScenes = await this.#sceneFindings(stage);
    const unused: LayoutFinding[] =
      this.#accent === null || this.#accentSeen !== false
        ? []
        : [{ kind: 'accent_unused', selector: '', text: this.#accent, otherText: null, amount: 0, seconds: [] }];
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
    return [...ofScenes, ...unused, ...found, ...absent].slice(0, maxFindings);
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
