import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, isSummary, lastStateText, messagesOf, stateMessage, summaryFor, withBoundThinking } from './context.ts';
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
        name: 'file_view',
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

describe('images of frames', () => {
  const use = (id: string, name: string): Entry => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] });
  const sheet = (id: string): Entry => ({
    role: 'user',
    content: [
      { type: 'tool_result', toolUseId: id, content: '{}', isError: false, images: [{ mediaType: 'image/jpeg', base64: id }] },
    ],
  });
  const conversation = (...names: string[]) => names.flatMap((name, index) => [use(`${index}`, name), sheet(`${index}`)]);
  const imagesIn = (messages: readonly ModelMessage[]) =>
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? (block.images ?? []).map(({ base64 }) => base64) : [])),
    );

  it('46.3: sends only the newest two, and all images of files', () => {
    const entries = conversation('file_view', 'check_animation', 'generate_code', 'update_todo', 'sandbox_screenshot');
    expect(imagesIn(messagesOf(entries))).toEqual(['0', '3', '4']);
    expect(messagesOf(conversation('check_animation', 'update_todo'))).toEqual(conversation('check_animation', 'update_todo'));
  });

  it('46.3: a new image changes a request only from the image that it replaces', () => {
    const entries = conversation('check_animation', 'generate_code', 'update_todo', 'sandbox_screenshot', 'check_animation');
    const before = messagesOf(entries.slice(0, -2));
    const after = messagesOf(entries);
    const firstChange = before.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(after[index]));
    // Result 2 loses its image; results 0 and 1 lost theirs earlier and stay the same.
    expect(firstChange).toBe(5);
  });

  it('46.3: drops the thinking that is bound to an image that is left out, and keeps the newest', () => {
    const thought = (words: string): Entry => ({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: words, signature: 's' }],
    });
    const entries = [0, 1, 2].flatMap((index) => [thought(`before ${index}`), use(`${index}`, 'update_todo'), sheet(`${index}`)]);
    const kept = JSON.stringify(messagesOf([...entries, thought('after')]));
    expect([...kept.matchAll(/"thinking":"(\w+ ?\d?)"/g)].map(([, words]) => words)).toEqual(['before 0', 'after']);
  });
});

it('46.3: drops the thinking of phases with other tools, and keeps all else', () => {
  const thought = (words: string): ModelMessage => ({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: words, signature: 's' },
      { type: 'text', text: words },
    ],
  });
  const messages = [stateMessage('phase: plan'), thought('a'), stateMessage('phase: executing'), thought('b')];
  const kept = withBoundThinking(messages, (phase) => phase === 'executing');
  expect(kept[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'a' }] });
  expect([kept[0], kept[2], kept[3]]).toEqual([messages[0], messages[2], messages[3]]);
  expect(withBoundThinking(messages, () => true)).toEqual(messages);
});
