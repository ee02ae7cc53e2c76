/**
 * Returns where the first fragment of a fragmented MP4 ends, in bytes, so that its first frame can be decoded. Returns `null`
 * if the fragment is incomplete. Boxes follow ISO 14496-12: four bytes of length, four letters, content; a fragment is `moof`
 * and the `mdat` after it.
 */
export function firstFragmentEnd(bytes: Buffer): number | null {
  let fragmented = false;
  for (let at = 0; at + 8 <= bytes.length; ) {
    const sizeBytes = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (sizeBytes < 8) throw new Error(`The box "${name}" at byte ${at} has no length that can be used: ${sizeBytes}.`);
    at += sizeBytes;
    if (name === 'moof') fragmented = true;
    if (name === 'mdat' && fragmented) return at <= bytes.length ? at : null;
  }
  return null;
}
