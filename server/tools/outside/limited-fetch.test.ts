import { describe, expect, it } from 'vitest';
import { limitedFetch } from './limited-fetch.ts';

const megabyte = 1024 * 1024;

/** Returns how many bytes of a body pass, and why the rest does not. */
async function read(chunks: Iterable<string>, type = 'text/event-stream') {
  const failures: string[] = [];
  const body = ReadableStream.from([...chunks].map((chunk) => Buffer.from(chunk)));
  const fetch = limitedFetch(
    async () => new Response(body, { headers: { 'content-type': type } }),
    ({ message }) => failures.push(message),
  );
  let bytes = 0;
  try {
    for await (const chunk of (await fetch('http://a.example/')).body ?? []) bytes += chunk.byteLength;
  } catch {
    // The failure says why.
  }
  return { bytes, failures };
}

describe('limitedFetch', () => {
  it.each(['\n', '\r\n', '\r'])('L2: counts each event of a stream by itself, with %j as the end of a line', async (end) => {
    const event = `data: ${'x'.repeat(megabyte)}${end}${end}`;
    expect(await read(Array(20).fill(event))).toMatchObject({ failures: [] });
    const { bytes, failures } = await read([...Array(20).fill(`data: ${'x'.repeat(megabyte)}${end}`), end]);
    expect(failures).toEqual(['it sent a message of more than 8 MB']);
    expect(bytes).toBeLessThanOrEqual(8 * megabyte);
  });

  it('L2: counts a body that is no stream as one message, whatever its lines', async () => {
    const { failures } = await read(Array(20).fill(`${'x'.repeat(megabyte)}\n\n`), 'application/json');
    expect(failures).toEqual(['it sent a message of more than 8 MB']);
  });

  it('H6: refuses a message of too many values before it is parsed, but not a long text', async () => {
    const many = `data: [${'{},'.repeat(300_000)}{}]\n\n`;
    expect(await read([many])).toMatchObject({ failures: ['it sent a message of more than 250000 values'] });
    expect(await read([`data: ["\\"${'{},['.repeat(300_000)}"]\n\n`])).toMatchObject({ failures: [] });
    expect(await read([`: "\n${many}`])).toMatchObject({ failures: [expect.stringContaining('values')] });
  });
});
