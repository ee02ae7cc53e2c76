import { imageSize } from 'image-size';
import type { Image } from './tool.ts';

/** What clients and their models accept of a picture. `bytes` become 5 MB as base64. */
export const pictureLimits = { side: 2_000, bytes: 3_750_000 } as const;

export const leftOut = `[picture left out: it is damaged, or has more than ${pictureLimits.side} pixels per side or 5 MB]`;

/** Returns whether a result may contain a picture. */
export function isPicture({ base64 }: Image): boolean {
  if (base64.length > (pictureLimits.bytes * 4) / 3) return false;
  try {
    const { width, height } = imageSize(Buffer.from(base64, 'base64'));
    return Math.max(width, height) <= pictureLimits.side;
  } catch {
    // A damaged image, which clients refuse too.
    return false;
  }
}
