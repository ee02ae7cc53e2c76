/** What a CGI program says before the content that it prints (RFC 3875). */
export interface CgiHead {
  readonly status: number;
  readonly contentType: string;
}

/** More than this is no head. */
const maxHeadBytes = 16 * 1024;

/** The head of an answer, and the bytes that came with it but belong to the content. Throws an Error when there is none. */
export async function readCgiHead(source: AsyncIterator<Uint8Array>): Promise<{ head: CgiHead; rest: Uint8Array }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n');
    if (end !== -1) return { head: parseHead(bytes.toString('latin1', 0, end)), rest: bytes.subarray(end + 4) };
    if (bytes.length > maxHeadBytes) throw new Error('git http-backend printed no head');
    const next = await source.next();
    if (next.done === true) throw new Error('git http-backend ended before it had printed its head');
    bytes = Buffer.concat([bytes, next.value]);
  }
}

function parseHead(text: string): CgiHead {
  const fields = new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number((fields.get('status') ?? '200').slice(0, 3));
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`git http-backend printed the status ${status}`);
  return { status, contentType: fields.get('content-type') ?? 'application/octet-stream' };
}
