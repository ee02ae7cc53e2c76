import { expect, it } from 'vitest';
import { linesOf } from './shells-api.ts';

const streamOf = (chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    pull: (controller) => controller.close(),
  });

async function read(body: ReadableStream<Uint8Array> | null): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(body)) lines.push(line);
  return lines;
}

it('yields whole lines, however the bytes are split', async () => {
  const bytes = new TextEncoder().encode('{"a":"日本"}\n{"b":2}\n\n{"c"');
  const whole = ['{"a":"日本"}', '{"b":2}', ''];
  expect(await read(streamOf([bytes]))).toEqual(whole);
  expect(await read(streamOf([...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(whole);
  expect(await read(null)).toEqual([]);
});

it('a reader that stops early closes the stream', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('one\ntwo\n')),
    cancel() {
      cancelled = true;
    },
  });
  for await (const line of linesOf(body)) {
    expect(line).toBe('one');
    break;
  }
  expect(cancelled).toBe(true);
});

it('rejects a line that never ends', async () => {
  const block = new Uint8Array(700_000).fill(120);
  await expect(read(streamOf([block, block]))).rejects.toThrow('too long');
});
