/**
 * Converts BGRX pixels to I420 in BT.709 with limited range: 8 bits, a plane of luma, then two planes of chroma at half the
 * width and height. Rows of the source follow each other without a gap. Width and height must be even.
 *
 * Y  =  16 + 219/255 · ( 0.2126 R + 0.7152 G + 0.0722 B)
 * Cb = 128 + 224/255 · (−0.1146 R − 0.3854 G + 0.5000 B)
 * Cr = 128 + 224/255 · ( 0.5000 R − 0.4542 G − 0.0458 B)
 *
 * Coefficients are scaled by 2^15 and come from ITU-R BT.709, item 3. Chroma is the mean of four pixels.
 */

const yB: i16 = 2032;
const yG: i16 = 20127;
const yR: i16 = 5983;
const uB: i16 = 14392;
const uG: i16 = -11094;
const uR: i16 = -3298;
const vB: i16 = -1320;
const vG: i16 = -13072;
const vR: i16 = 14392;

function luma4(pixels: v128): v128 {
  const coefficients = i16x8(yB, yG, yR, 0, yB, yG, yR, 0);
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pixels), coefficients);
  const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pixels), coefficients);
  const sum = i32x4.add(v128.shuffle<i32>(low, high, 0, 2, 4, 6), v128.shuffle<i32>(low, high, 1, 3, 5, 7));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat((16 << 15) + (1 << 14))), 15);
}

function luma16(from: usize, to: usize): void {
  const left = i16x8.narrow_i32x4_s(luma4(v128.load(from)), luma4(v128.load(from, 16)));
  const right = i16x8.narrow_i32x4_s(luma4(v128.load(from, 32)), luma4(v128.load(from, 48)));
  v128.store(to, i8x16.narrow_i16x8_u(left, right));
}

/** Returns the sums of two squares of four pixels: B, G, R, X, B, G, R, X. */
function squares(above: v128, below: v128): v128 {
  const left = i16x8.add(i16x8.extend_low_i8x16_u(above), i16x8.extend_low_i8x16_u(below));
  const right = i16x8.add(i16x8.extend_high_i8x16_u(above), i16x8.extend_high_i8x16_u(below));
  return i16x8.add(v128.shuffle<i64>(left, right, 0, 2), v128.shuffle<i64>(left, right, 1, 3));
}

function chroma4(one: v128, other: v128, coefficients: v128): v128 {
  const low = i32x4.dot_i16x8_s(one, coefficients);
  const high = i32x4.dot_i16x8_s(other, coefficients);
  const sum = i32x4.add(v128.shuffle<i32>(low, high, 0, 2, 4, 6), v128.shuffle<i32>(low, high, 1, 3, 5, 7));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat((128 << 17) + (1 << 16))), 17);
}

function chroma8(above: usize, below: usize, u: usize, v: usize): void {
  const blue = i16x8(uB, uG, uR, 0, uB, uG, uR, 0);
  const red = i16x8(vB, vG, vR, 0, vB, vG, vR, 0);
  const a = squares(v128.load(above), v128.load(below));
  const b = squares(v128.load(above, 16), v128.load(below, 16));
  const c = squares(v128.load(above, 32), v128.load(below, 32));
  const d = squares(v128.load(above, 48), v128.load(below, 48));
  const us = i16x8.narrow_i32x4_s(chroma4(a, b, blue), chroma4(c, d, blue));
  const vs = i16x8.narrow_i32x4_s(chroma4(a, b, red), chroma4(c, d, red));
  v128.store64_lane(u, i8x16.narrow_i16x8_u(us, us), 0);
  v128.store64_lane(v, i8x16.narrow_i16x8_u(vs, vs), 0);
}

/** Converts a frame from `from` to `to`, both offsets in the memory. */
export function convert(from: usize, to: usize, width: u32, height: u32): void {
  const uPlane = to + width * height;
  const vPlane = uPlane + (width >> 1) * (height >> 1);
  for (let y: u32 = 0; y < height; y += 2) {
    const above = from + y * width * 4;
    const below = above + width * 4;
    const luma = to + y * width;
    const chroma = (y >> 1) * (width >> 1);
    for (let step: u32 = 0; step < width; step += 16) {
      // The last step overlaps the one before it unless the width is a multiple of 16.
      const x = min(step, width - 16);
      luma16(above + x * 4, luma + x);
      luma16(below + x * 4, luma + width + x);
      chroma8(above + x * 4, below + x * 4, uPlane + chroma + (x >> 1), vPlane + chroma + (x >> 1));
    }
  }
}
