import type { PictureFormat, Stage } from '../browser/stage.ts';
import { CanvasTrust } from './canvas-trust.ts';

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
  readonly #picture: PictureFormat;
  #last: Buffer | null = null;
  #still = false;
  #pause = 0;
  #reused = 0;
  readonly #canvas = new CanvasTrust();

  constructor(stage: GrabbedStage, picture: PictureFormat) {
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
