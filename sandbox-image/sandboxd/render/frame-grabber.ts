import type { CanvasImage, ImageFormat, Stage } from '../browser/stage.ts';

/** Different pictures that have to agree, so that a canvas that lags behind its page by a frame is found. */
const proofsNeeded = 3;
/** Comparisons, and forms, after which a page that stands still or never settles is not tried any more. */
const maxComparisons = 40;
const maxForms = 8;

/**
 * Whether the pictures of a canvas may stand for those of its page: only in a form in which several, all different,
 * were the very same bytes. One that was not ends the trust for good.
 */
export class CanvasTrust {
  readonly #proofs = new Map<string, Buffer[]>();
  #comparisons = 0;
  #lost = false;

  /** False: there is no use in asking for the canvas any more. */
  get isOpen(): boolean {
    return !this.#lost;
  }

  trusts({ form }: CanvasImage): boolean {
    return !this.#lost && (this.#proofs.get(form)?.length ?? 0) >= proofsNeeded;
  }

  /** Compares what the canvas gave with the picture of the page at the same moment. */
  compare(canvas: CanvasImage, page: Buffer): void {
    const known = this.#proofs.get(canvas.form) ?? [];
    if (!known.some((picture) => picture.equals(page))) known.push(page);
    this.#proofs.set(canvas.form, known);
    this.#comparisons++;
    const hopeless = this.#comparisons >= maxComparisons || this.#proofs.size > maxForms;
    if (!canvas.picture.equals(page) || (hopeless && !this.trusts(canvas))) this.#lost = true;
  }
}

/** What the grabber needs of a stage. */
export type GrabbedStage = Pick<Stage, 'seek' | 'capture' | 'captureCanvas' | 'draw'>;

/** Frames for which a page that redraws without changing anything is not probed again. */
const probePause = 30;

/**
 * Takes the picture of one moment after another, and spares the work where nothing changes: drawing
 * without a picture costs a thirtieth of taking one, but a little on top when something did change. So it
 * is only tried after two pictures came out the same, which is how a still part of a film begins.
 */
export class FrameGrabber {
  readonly #stage: GrabbedStage;
  readonly #picture: ImageFormat;
  #last: Buffer | null = null;
  #still = false;
  #pause = 0;
  #reused = 0;
  readonly #canvas = new CanvasTrust();

  constructor(stage: GrabbedStage, picture: ImageFormat) {
    this.#stage = stage;
    this.#picture = picture;
  }

  /** How many frames were sent again instead of being pictured. */
  get reused(): number {
    return this.#reused;
  }

  /** The picture of that moment. The same Buffer again when not a pixel of the page changed. */
  async grab(seconds: number): Promise<Buffer> {
    const { drewCanvas } = await this.#stage.seek(seconds);
    // Drawing upon a canvas is a change, whatever it shows.
    const probed = this.#still && this.#last !== null && !drewCanvas;
    if (probed && this.#last && !(await this.#stage.draw())) {
      this.#reused++;
      return this.#last;
    }
    const frame = await this.#take();
    const same = this.#last?.equals(frame) ?? false;
    if (probed && same) this.#pause = probePause;
    else if (this.#pause > 0) this.#pause--;
    this.#still = same && this.#pause === 0;
    this.#last = frame;
    // After a picture Chromium calls the next drawing a change, whatever it shows; that one is spent here.
    if (this.#still) await this.#stage.draw();
    return frame;
  }

  /** From the canvas alone where that is known to be the same picture. */
  async #take(): Promise<Buffer> {
    const canvas = this.#picture === 'jpeg' && this.#canvas.isOpen ? await this.#stage.captureCanvas() : null;
    if (canvas && this.#canvas.trusts(canvas)) return canvas.picture;
    const page = await this.#stage.capture(this.#picture);
    if (canvas) this.#canvas.compare(canvas, page);
    return page;
  }
}
