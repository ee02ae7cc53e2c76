/** A tar archive ends with two empty blocks of 512 bytes. */
const endMarkerBytes = 1024;

/** Passes an archive through. Throws an Error if it is truncated, because it would look like a smaller project. */
export async function* checkArchiveEnd(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let tail: Uint8Array = Buffer.alloc(0);
  for await (const chunk of tar) {
    tail =
      chunk.byteLength >= endMarkerBytes
        ? chunk.subarray(-endMarkerBytes)
        : Buffer.concat([tail, chunk]).subarray(-endMarkerBytes);
    yield chunk;
  }
  if (tail.byteLength === endMarkerBytes && tail.every((byte) => byte === 0)) return;
  throw new Error('The archive of project files is incomplete. Try again.');
}
