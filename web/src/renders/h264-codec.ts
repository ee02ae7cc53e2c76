const marker = [0x61, 0x76, 0x63, 0x43];

/**
 * What a browser has to be told of an H.264 film in an MP4 before it takes its bytes (`avc1.42c01e`: profile,
 * constraints and level, RFC 6381), from the `avcC` box in its head (ISO 14496-15). Null while that is not there.
 */
export function h264Codec(head: Uint8Array): string | null {
  const at = head.findIndex((_, index) => marker.every((byte, offset) => head[index + offset] === byte));
  if (at === -1 || head.length < at + 8) return null;
  const [profile, constraints, level] = head.subarray(at + 5, at + 8);
  return `avc1.${[profile, constraints, level].map((byte) => (byte ?? 0).toString(16).padStart(2, '0')).join('')}`;
}
