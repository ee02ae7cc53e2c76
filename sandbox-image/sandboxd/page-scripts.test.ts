import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const pageBytes = 65_536;

/** The part of the global that TypeScript declares only for pages. */
interface WebAssemblyApi {
  readonly Memory: new (options: { initial: number }) => { readonly buffer: ArrayBuffer };
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

/** Converts BGRX with the WebAssembly that pages use. */
async function toI420(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const memory = new WebAssembly.Memory({ initial: 2 + Math.ceil((pixels.length * 1.375) / pageBytes) });
  const code = await readFile(new URL('page/dist/i420.wasm', import.meta.url));
  const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
  const convert = instance.exports['convert'] as (from: number, to: number, width: number, height: number) => void;
  new Uint8Array(memory.buffer, pageBytes, pixels.length).set(pixels);
  const target = pageBytes + pixels.length;
  convert(pageBytes, target, width, height);
  return new Uint8Array(memory.buffer, target, (width * height * 3) / 2);
}

/** Converts in floating point by ITU-R BT.709, items 3.2 to 3.4, to limited range. */
function expectedI420(pixels: Uint8Array, width: number, height: number): number[] {
  const at = (x: number, y: number) => {
    const [b = 0, g = 0, r = 0] = pixels.subarray((y * width + x) * 4);
    const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    return { y: 16 + (luma * 219) / 255, u: ((b - luma) / 1.8556) * (224 / 255), v: ((r - luma) / 1.5748) * (224 / 255) };
  };
  const luma: number[] = [];
  const chroma: { u: number; v: number }[] = [];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) luma.push(at(x, y).y);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
      const mean = (part: 'u' | 'v') => 128 + four.reduce((sum, pixel) => sum + pixel[part], 0) / 4;
      chroma.push({ u: mean('u'), v: mean('v') });
    }
  }
  return [...luma, ...chroma.map(({ u }) => u), ...chroma.map(({ v }) => v)];
}

describe('the conversion of frames to I420', () => {
  it.each([
    ['white', [255, 255, 255], [235, 128, 128]],
    ['black', [0, 0, 0], [16, 128, 128]],
    ['red', [0, 0, 255], [63, 102, 240]],
    ['blue', [255, 0, 0], [32, 240, 118]],
  ])('converts %s', async (_name, bgr, [y, u, v]) => {
    const pixels = Uint8Array.from({ length: 16 * 2 * 4 }, (_, at) => bgr[at % 4] ?? 255);
    expect([...(await toI420(pixels, 16, 2))]).toEqual([
      ...Array.from({ length: 32 }, () => y),
      ...Array.from({ length: 8 }, () => u),
      ...Array.from({ length: 8 }, () => v),
    ]);
  });

  it('differs from the formula by rounding alone, at all even sizes from 16 pixels', async () => {
    const size = fc.record({ width: fc.integer({ min: 8, max: 60 }), height: fc.integer({ min: 1, max: 8 }) });
    const frames = size.chain(({ width, height }) =>
      fc.record({
        width: fc.constant(width * 2),
        height: fc.constant(height * 2),
        pixels: fc.uint8Array({ minLength: width * height * 16, maxLength: width * height * 16 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(frames, async ({ width, height, pixels }) => {
        const expected = expectedI420(pixels, width, height);
        const found = await toI420(pixels, width, height);
        expect(found.length).toBe(expected.length);
        for (const [at, value] of found.entries()) expect(Math.abs(value - (expected[at] ?? 0))).toBeLessThan(0.53);
      }),
      { numRuns: 60 },
    );
  });
});
