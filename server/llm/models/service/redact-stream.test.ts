import { describe, expect, it } from 'vitest';
import type { ModelChunk } from '../model.ts';
import { redactStream } from './redact-stream.ts';

const secret = 'sk-canary-0123456789';

async function said(chunks: readonly ModelChunk[], secrets: readonly string[] = [secret]): Promise<ModelChunk[]> {
  async function* source(): AsyncGenerator<ModelChunk> {
    yield* chunks;
  }
  const told: ModelChunk[] = [];
  for await (const chunk of redactStream(source(), secrets)) told.push(chunk);
  return told;
}
const text = (piece: string): ModelChunk => ({ type: 'text', text: piece });
const input = (id: string, json: string): ModelChunk => ({ type: 'tool_input', id, json });
const whole = (chunks: readonly ModelChunk[]) =>
  chunks
    .map((chunk) => {
      if ('text' in chunk) return chunk.text;
      return 'json' in chunk ? chunk.json : `<${chunk.type}>`;
    })
    .join('');

describe('secrets in model responses', () => {
  it('V6: are redacted across chunk boundaries', async () => {
    const sentence = `The key is ${secret}, again ${secret}.`;
    for (let size = 1; size <= sentence.length; size++) {
      const pieces = Array.from({ length: Math.ceil(sentence.length / size) }, (_, at) =>
        text(sentence.slice(at * size, (at + 1) * size)),
      );
      expect(whole(await said(pieces)), `pieces of ${size}`).toBe('The key is [removed], again [removed].');
    }
  });

  it('V6: are redacted in thinking and in each call’s input', async () => {
    const half = secret.length / 2;
    const chunks: ModelChunk[] = [
      { type: 'thinking', text: secret },
      { type: 'thinking_end', signature: 'x' },
      { type: 'tool_start', id: 'a', name: 't' },
      input('a', `{"x":"${secret.slice(0, half)}`),
      input('a', `${secret.slice(half)}"}`),
      { type: 'tool_end', id: 'a' },
    ];
    expect(whole(await said(chunks))).toBe('[removed]<thinking_end><tool_start>{"x":"[removed]"}<tool_end>');
  });

  it('V6: are the only text removed, and nothing is held back at the end', async () => {
    const chunks: ModelChunk[] = [
      text('ends with sk-'),
      { type: 'tool_start', id: 'a', name: 't' },
      input('a', '{"k":"sk-can'),
      input('b', '{}'),
    ];
    expect(await said(chunks)).toEqual([
      text('ends with '),
      text('sk-'),
      { type: 'tool_start', id: 'a', name: 't' },
      input('a', '{"k":"'),
      input('a', 'sk-can'),
      input('b', '{}'),
    ]);
    expect(whole(await said([text('one'), text('two s')]))).toBe('onetwo s');
  });

  it('X2: placeholder keys of local servers are not redacted', async () => {
    expect(whole(await said([text('ollama runs here')], ['ollama']))).toBe('ollama runs here');
  });
});
