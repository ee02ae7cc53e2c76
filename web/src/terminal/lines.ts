/** The longest honest line holds 64 KB of output, as base64 in JSON. */
const maxLineCharacters = 1024 * 1024;

/** The lines of a stream of text, as they come; one without an end is left out. Cancels the stream when it is left early. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, void> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let turn = await reader.read(); !turn.done; turn = await reader.read()) {
      const lines = (rest + decoder.decode(turn.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLineCharacters) throw new Error('The server sent a line without an end.');
      yield* lines;
    }
  } finally {
    // Of a stream that has ended or failed, this does nothing.
    await reader.cancel().catch(() => undefined);
  }
}
