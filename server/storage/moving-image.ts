import type { UploadExtension } from '#contract/uploads.ts';

/** Returns whether an image shows more than one picture. A damaged file counts as still. */
export function isMoving(bytes: Uint8Array, extension: UploadExtension): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (extension) {
    case 'gif':
      return hasSecondGifImage(data);
    case 'png':
      return apngFrames(data) > 1;
    case 'webp':
      // Bit 1 of the flags of the extended format: https://developers.google.com/speed/webp/docs/riff_container
      return data.toString('latin1', 12, 16) === 'VP8X' && ((data[20] ?? 0) & 2) !== 0;
    case 'svg':
      return /<(?:\w+:)?(?:animate|animateTransform|animateMotion|set)[\s/>]|@keyframes\b/.test(data.toString('utf8'));
    default:
      return false;
  }
}

/** Walks the blocks of https://www.w3.org/Graphics/GIF/spec-gif89a.txt. */
function hasSecondGifImage(data: Buffer): boolean {
  const tableBytes = (flags = 0) => ((flags & 0x80) !== 0 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(data[10]);
  let images = 0;
  while (at < data.length) {
    const kind = data[at];
    if (kind === 0x2c) {
      images++;
      if (images > 1) return true;
      at += 11 + tableBytes(data[at + 9]);
    } else if (kind === 0x21) at += 2;
    else return false;
    for (let length = data[at] ?? 0; length > 0; length = data[at] ?? 0) at += 1 + length;
    at++;
  }
  return false;
}

/** The chunk acTL comes before the first picture: https://www.w3.org/TR/png-3/#acTL-chunk */
function apngFrames(data: Buffer): number {
  for (let at = 8; at + 12 <= data.length; ) {
    const kind = data.toString('latin1', at + 4, at + 8);
    if (kind === 'acTL') return data.readUInt32BE(at + 8);
    if (kind === 'IDAT') return 1;
    at += 12 + data.readUInt32BE(at);
  }
  return 1;
}
