import type { CanvasImage, ImageFormat, Stage } from '../browser/stage.ts';
import type { FrameFormat } from './formats.ts';

/** Number of different images that must match. Detects a canvas that lags behind its page. */
const requiredMatches = 3;
/** Number of comparisons after which an unverifiable page is no longer compared. */
const maxComparisons = 40;
const maxForms = 8;

/**
 * Verifies that a canvas image can replace a page capture. A form is verified once several different images were
 * byte-identical. A single mismatch disables the fast path permanently.
 */
export class CanvasVerifier {
  readonly #matches = new Map<string, Buffer[]>();
  #comparisons = 0;
  #rejected = false;

  get isOpen(): boolean {
    return !this.#rejected;
  }

  isVerified({ form }: CanvasImage): boolean {
    return !this.#rejected && (this.#matches.get(form)?.length ?? 0) >= requiredMatches;
  }

  compare(canvas: CanvasImage, page: Buffer): void {
    const known = this.#matches.get(canvas.form) ?? [];
    if (!known.some((image) => image.equals(page))) known.push(page);
    this.#matches.set(canvas.form, known);
    this.#comparisons++;
    const isUnverifiable = this.#comparisons >= maxComparisons || this.#matches.size > maxForms;
    if (!canvas.image.equals(page) || (isUnverifiable && !this.isVerified(canvas))) this.#rejected = true;
  }
}

export type CapturableStage = Pick<Stage, 'seek' | 'capture' | 'captureCanvas' | 'captureDirect' | 'draw' | 'setDirect'>;

/** Number of frames that skip probing after a redraw that changed nothing. */
const probePause = 30;

/**
 * Captures frames in sequence, and reuses the last one while nothing changes. A draw costs a thirtieth of a capture, but is
 * wasted if something has changed. It is therefore tried only after two identical captures.
 */
export class FrameCapturer {
  readonly #stage: CapturableStage;
  #last: { readonly format: FrameFormat; readonly image: Buffer } | null = null;
  #isUnchanged = false;
  #pause = 0;
  #reused = 0;
  readonly #canvas = new CanvasVerifier();

  constructor(stage: CapturableStage) {
    this.#stage = stage;
  }

  get reused(): number {
    return this.#reused;
  }

  /** Returns the frame at that timestamp. Returns the same Buffer if no pixel has changed. */
  async capture(seconds: number, format: FrameFormat): Promise<Buffer> {
    if (this.#last?.format !== format) {
      this.#last = null;
      this.#isUnchanged = false;
    }
    await this.#stage.setDirect(format === 'i420');
    const { drewCanvas } = await this.#stage.seek(seconds);
    const image = format === 'i420' ? await this.#captureDirect() : await this.#capturePage(format, drewCanvas);
    this.#last = { format, image };
    return image;
  }

  async #captureDirect(): Promise<Buffer> {
    const image = await this.#stage.captureDirect();
    const last = this.#last?.image ?? null;
    if (last !== null && (image === null || last.equals(image))) {
      this.#reused++;
      return last;
    }
    if (image === null) throw new Error('The page reports no change before its first frame.');
    return image;
  }

  async #capturePage(format: ImageFormat, drewCanvas: boolean): Promise<Buffer> {
    const last = this.#last?.image ?? null;
    // A redrawn canvas always counts as a change.
    const probed = this.#isUnchanged && !drewCanvas;
    if (probed && last !== null && !(await this.#stage.draw())) {
      this.#reused++;
      return last;
    }
    const image = await this.#take(format);
    const same = last?.equals(image) ?? false;
    if (probed && same) this.#pause = probePause;
    else if (this.#pause > 0) this.#pause--;
    this.#isUnchanged = same && this.#pause === 0;
    // Chromium reports damage for the first draw after every capture; this call consumes it.
    if (this.#isUnchanged) await this.#stage.draw();
    return image;
  }

  /** Captures only the canvas if it is verified. */
  async #take(format: ImageFormat): Promise<Buffer> {
    const canvas = format === 'jpeg' && this.#canvas.isOpen ? await this.#stage.captureCanvas() : null;
    if (canvas && this.#canvas.isVerified(canvas)) return canvas.image;
    const page = await this.#stage.capture(format);
    if (canvas) this.#canvas.compare(canvas, page);
    return page;
  }
}
