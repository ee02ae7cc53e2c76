import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, isSummary, lastStateText, messagesOf, stateMessage, summaryFor } from './context.ts';
import type { ContentBlock, ModelMessage } from './models/model.ts';
import { tokensOf, tokensOfText } from './tokens.ts';

const text = (role: 'user' | 'assistant', words: string): ModelMessage => ({ role, content: [{ type: 'text', text: words }] });

/** One turn: thinking, text and calls, their results, and a user message or project state. */
const turn = fc
  .record({
    thinking: fc.option(fc.string({ maxLength: 80 })),
    words: fc.option(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' })),
    results: fc.array(fc.nat({ max: 30_000 }), { minLength: 1, maxLength: 4 }),
    input: fc.nat({ max: 8_000 }),
    hasImage: fc.boolean(),
    said: fc.option(fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' })),
    isError: fc.boolean(),
  })
  .map(({ thinking, words, results, input, hasImage, said, isError }) => (index: number): ModelMessage[] => {
    const ids = results.map((_, at) => `call_${index}_${at}`);
    const assistant: ContentBlock[] = [
      ...(thinking === null ? [] : [{ type: 'thinking' as const, thinking, signature: 's' }]),
      ...(words === null ? [] : [{ type: 'text' as const, text: words }]),
      ...ids.map((id) => ({
        type: 'tool_use' as const,
        id,
        name: 'sandbox_write_file',
        input: { path: id, content: 'x'.repeat(input) },
      })),
    ];
    const answers = results.map(
      (length, at): ModelMessage => ({
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: ids[at] ?? '',
            content: 'r'.repeat(length),
            isError,
            ...(hasImage ? { images: [{ mediaType: 'image/png' as const, base64: 'A' }] } : {}),
          },
        ],
      }),
    );
    return [
      { role: 'assistant', content: assistant },
      ...answers,
      ...(said === null ? [] : [text('user', `The user says: ${said} #${index}`)]),
      stateMessage(`phase: executing ${index}`),
    ];
  });
const transcripts = fc
  .array(turn, { minLength: 1, maxLength: 40 })
  .map((turns): ModelMessage[] => [text('user', 'make a film'), ...turns.flatMap((make, index) => make(index))]);
const budget = fc.integer({ min: 8_000, max: 60_000 });

const textsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
const callsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));

/** Adds entries one by one, as a run does, and creates a summary whenever one is due. */
function played(transcript: readonly ModelMessage[], tokens: number): Entry[] {
  const entries: Entry[] = [];
  for (const [index, message] of transcript.entries()) {
    entries.push(message);
    const next = transcript[index + 1];
    // Requests are made only before the model's turns.
    if (next !== undefined && next.role !== 'assistant') continue;
    const summary = summaryFor(entries, { tokens });
    if (summary !== null) entries.push(summary);
  }
  return entries;
}

describe('the context of a model', () => {
  it('A11: fits any transcript into the budget', () => {
    let summaries = 0;
    fc.assert(
      fc.property(transcripts, budget, (transcript, tokens) => {
        const entries = played(transcript, tokens);
        summaries += entries.filter(isSummary).length;
        expect(tokensOf(messagesOf(entries))).toBeLessThanOrEqual(tokens);
      }),
      { numRuns: 60 },
    );
    // Ensures that the property was tested.
    expect(summaries).toBeGreaterThan(60);
  });

  it('A11: keeps all user messages and the last ten messages unchanged', () => {
    fc.assert(
      fc.property(transcripts, budget, (transcript, tokens) => {
        const sent = messagesOf(played(transcript, tokens));
        const all = textsOf(sent).join('\n');
        for (const words of textsOf(transcript.filter(({ role }) => role === 'user'))) {
          if (!words.startsWith('<state>')) expect(all).toContain(words);
        }
        const last = transcript.slice(-10);
        expect(textsOf(sent).slice(-textsOf(last).length)).toEqual(textsOf(last));
        expect(callsOf(sent).slice(-callsOf(last).length || undefined)).toEqual(expect.arrayContaining(callsOf(last)));
      }),
      { numRuns: 60 },
    );
  });

  it('A11: sends each call directly followed by its result', () => {
    fc.assert(
      fc.property(transcripts, budget, (transcript, tokens) => {
        const open = new Set<string>();
        const blocks = messagesOf(played(transcript, tokens)).flatMap(({ role, content }) => [
          { type: role } as const,
          ...content,
        ]);
        for (const block of blocks) {
          if (block.type === 'assistant') expect([...open]).toEqual([]);
          if (block.type === 'tool_use') open.add(block.id);
          if (block.type === 'tool_result') expect(open.delete(block.toolUseId)).toBe(true);
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('A11: only grows at its end between two summaries, and thinking never follows a beginning that has changed', () => {
    fc.assert(
      fc.property(transcripts, budget, (transcript, tokens) => {
        const entries = played(transcript, tokens);
        for (let length = 1; length < entries.length; length++) {
          const [before, after] = [messagesOf(entries.slice(0, length)), messagesOf(entries.slice(0, length + 1))];
          if (isSummary(entries[length])) {
            const kinds = after.flatMap(({ content }) => content.map(({ type }) => type));
            expect(kinds).not.toContain('thinking');
          } else expect(after.slice(0, -1)).toEqual(before);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('A11: sends a short transcript unchanged', () => {
    const transcript = [text('user', 'a'), text('assistant', 'b')];
    expect(summaryFor(transcript, { tokens: 1000 })).toBeNull();
    expect(messagesOf(transcript)).toEqual(transcript);
  });

  it('A11: throws if the protected part exceeds the budget', () => {
    expect(() => summaryFor([text('user', 'x'.repeat(100_000))], { tokens: 8_000 })).toThrow(/KODA_MODEL_CONTEXT_TOKENS/);
    expect(() => summaryFor([text('user', 'x')], { tokens: -3_000 })).toThrow(
      /Configure its server for a context of at least \d+ tokens/,
    );
  });

  it('A11: includes the state in a summary that replaces its message', () => {
    const entries: Entry[] = [text('user', 'a'), stateMessage('phase: idle')];
    expect(lastStateText(entries)).toContain('phase: idle');
    const long = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0 ? text('assistant', 'y'.repeat(2_000)) : text('user', 'go on'),
    );
    const summary = summaryFor([...entries, ...long], { tokens: 12_000 });
    expect(summary).not.toBeNull();
    expect(lastStateText([...entries, ...long, ...(summary === null ? [] : [summary])])).toContain('phase: idle');
  });

  it('counts rather too many tokens than too few', () => {
    expect(tokensOfText('The quick brown fox jumps over the lazy dog.')).toBeGreaterThanOrEqual(10);
    expect(tokensOfText('素早い茶色の狐')).toBeGreaterThanOrEqual(7);
  });
});
