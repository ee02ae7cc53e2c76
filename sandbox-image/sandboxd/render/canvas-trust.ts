import type { CanvasPicture } from '../browser/stage.ts';

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

  trusts({ form }: CanvasPicture): boolean {
    return !this.#lost && (this.#proofs.get(form)?.length ?? 0) >= proofsNeeded;
  }

  /** Compares what the canvas gave with the picture of the page at the same moment. */
  compare(canvas: CanvasPicture, page: Buffer): void {
    const known = this.#proofs.get(canvas.form) ?? [];
    if (!known.some((picture) => picture.equals(page))) known.push(page);
    this.#proofs.set(canvas.form, known);
    this.#comparisons++;
    const hopeless = this.#comparisons >= maxComparisons || this.#proofs.size > maxForms;
    if (!canvas.picture.equals(page) || (hopeless && !this.trusts(canvas))) this.#lost = true;
  }
}
