import jpeg from 'jpeg-js';
import type { PixelFrame } from './frame-analysis.ts';
import { drawLabel, labelHeight } from './time-label.ts';

/** Vision models downscale larger images. */
const maxSheetPx = 1280;
const quality = 72;
const gapPx = 4;
const gapGrey = 128;

export class ContactSheet {
  readonly #columns: number;
  readonly #rows: number;
  readonly #cell: { readonly width: number; readonly height: number };
  readonly #pixels: Buffer;
  #used = 0;

  constructor(count: number, frame: { readonly width: number; readonly height: number }) {
    const grids = Array.from({ length: count }, (_, index) => index + 1).map((columns) => {
      const rows = Math.ceil(count / columns);
      const available = (cells: number) => (maxSheetPx - gapPx * (cells - 1)) / cells;
      const scale = Math.min(1, available(columns) / frame.width, (available(rows) - labelHeight) / frame.height);
      return { columns, rows, scale, waste: columns * rows - count };
    });
    const [best] = grids.toSorted((one, other) => other.scale - one.scale || one.waste - other.waste);
    this.#columns = best?.columns ?? 1;
    this.#rows = best?.rows ?? 1;
    const scale = best?.scale ?? 1;
    this.#cell = { width: Math.max(1, Math.floor(frame.width * scale)), height: Math.max(1, Math.floor(frame.height * scale)) };
    this.#pixels = Buffer.alloc(this.#width * this.#height * 4, gapGrey);
  }

  get #width(): number {
    return this.#columns * (this.#cell.width + gapPx) - gapPx;
  }

  get #height(): number {
    return this.#rows * (this.#cell.height + labelHeight + gapPx) - gapPx;
  }

  /** Adds the frame at a time, with the time below it: a label on the frame would hide what is there. */
  add(frame: PixelFrame, seconds: number): void {
    const column = this.#used % this.#columns;
    const row = Math.floor(this.#used / this.#columns);
    this.#used += 1;
    const { width, height } = this.#cell;
    const columns = Array.from({ length: width }, (_, x) => span(x, width, frame.width));
    const [left, top] = [column * (width + gapPx), row * (height + labelHeight + gapPx)];
    for (let y = 0; y < height; y++) {
      const [fromY, toY] = span(y, height, frame.height);
      let at = ((top + y) * this.#width + left) * 4;
      for (const [fromX, toX] of columns) {
        average(frame, { fromX, toX, fromY, toY }, this.#pixels, at);
        at += 4;
      }
    }
    const sheet = { rgba: this.#pixels, width: this.#width, height: this.#height };
    drawLabel(sheet, `${seconds.toFixed(2)} s`, { left, top: top + height, width });
  }

  toJpeg(): Buffer | null {
    if (this.#used === 0) return null;
    return jpeg.encode({ data: this.#pixels, width: this.#width, height: this.#height }, quality).data;
  }
}

/** Returns the source pixel range [from, to) of one of `count` cells. */
function span(index: number, count: number, pixels: number): [number, number] {
  const from = Math.floor((index * pixels) / count);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * pixels) / count))];
}

function average(
  { rgba, width }: PixelFrame,
  { fromX, toX, fromY, toY }: Readonly<Record<'fromX' | 'toX' | 'fromY' | 'toY', number>>,
  target: Uint8Array,
  targetAt: number,
): void {
  const count = (toX - fromX) * (toY - fromY);
  for (let channel = 0; channel < 3; channel++) {
    let sum = 0;
    for (let y = fromY; y < toY; y++) {
      for (let x = fromX; x < toX; x++) sum += rgba[(y * width + x) * 4 + channel] ?? 0;
    }
    target[targetAt + channel] = sum / count;
  }
  target[targetAt + 3] = 255;
}
