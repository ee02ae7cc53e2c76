import type { CanvasImage, ImageFormat, Stage } from '../browser/stage.ts';

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

export type CapturableStage = Pick<Stage, 'seek' | 'capture' | 'captureCanvas' | 'draw'>;

/** Number of frames that skip probing after a redraw that changed nothing. */
const probePause = 30;

/**
 * Captures frames in sequence, and reuses the last one while nothing changes. A draw costs a thirtieth of a capture, but is
 * wasted if something has changed. It is therefore tried only after two identical captures.
 */
export class FrameCapturer {
  readonly #stage: CapturableStage;
  readonly #imageFormat: ImageFormat;
  #last: Buffer | null = null;
  #isUnchanged = false;
  #pause = 0;
  #reused = 0;
  readonly #canvas = new CanvasVerifier();

  constructor(stage: CapturableStage, imageFormat: ImageFormat) {
    this.#stage = stage;
    this.#imageFormat = imageFormat;
  }

  get reused(): number {
    return this.#reused;
  }

  /** Returns the frame at that timestamp. Returns the same Buffer if no pixel has changed. */
  async capture(seconds: number): Promise<Buffer> {
    const { drewCanvas } = await this.#stage.seek(seconds);
    // A redrawn canvas always counts as a change.
    const probed = this.#isUnchanged && this.#last !== null && !drewCanvas;
    if (probed && this.#last && !(await this.#stage.draw())) {
      this.#reused++;
      return this.#last;
    }
    const frame = await this.#take();
    const same = this.#last?.equals(frame) ?? false;
    if (probed && same) this.#pause = probePause;
    else if (this.#pause > 0) this.#pause--;
    this.#isUnchanged = same && this.#pause === 0;
    this.#last = frame;
    // Chromium reports damage for the first draw after every capture; this call consumes it.
    if (this.#isUnchanged) await this.#stage.draw();
    return frame;
  }

  /** Captures only the canvas if it is verified. */
  async #take(): Promise<Buffer> {
    const canvas = this.#imageFormat === 'jpeg' && this.#canvas.isOpen ? await this.#stage.captureCanvas() : null;
    if (canvas && this.#canvas.isVerified(canvas)) return canvas.image;
    const page = await this.#stage.capture(this.#imageFormat);
    if (canvas) this.#canvas.compare(canvas, page);
    return page;
  }
}
