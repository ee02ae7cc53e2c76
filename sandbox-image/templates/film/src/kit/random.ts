/** Returns a pseudo-random number from 0 to 1 that depends only on the arguments (integer hash by Wellons). */
export function hash(index: number, seed: number, salt = 0): number {
  let x = (Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed + 0x7f4a7c15, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35)) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
}

export function between(low: number, high: number, index: number, seed: number, salt: number): number {
  return low + (high - low) * hash(index, seed, salt);
}
