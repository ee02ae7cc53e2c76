import type { ModelChunk } from '../model.ts';
import { withoutSecrets } from './secrets.ts';

/** Shorter ones are placeholders that local servers are given (“none”, “ollama”): taking those out would garble answers. */
const minSecretCharacters = 12;

/**
 * The same answer without the secrets that it may repeat, also where one comes in pieces: what a service knows of the key is
 * told to nobody, whatever it writes. Only what may be the beginning of a secret is held back until the next piece.
 */
export async function* screened(chunks: AsyncIterable<ModelChunk>, secrets: readonly string[]): AsyncGenerator<ModelChunk> {
  const known = secrets.filter((secret) => secret.length >= minSecretCharacters);
  if (known.length === 0) {
    yield* chunks;
    return;
  }
  const held = new Map<string, Piece>();
  for await (const chunk of chunks) {
    const piece = pieceOf(chunk);
    if (piece === null) {
      // What is held is said before whatever comes after it.
      for (const rest of held.values()) yield chunkOf(rest);
      held.clear();
      yield chunk;
      continue;
    }
    for (const [key, rest] of held) {
      if (key === piece.key) continue;
      yield chunkOf(rest);
      held.delete(key);
    }
    const text = withoutSecrets(`${held.get(piece.key)?.text ?? ''}${piece.text}`, known);
    const keptFrom = text.length - heldBack(text, known);
    if (keptFrom > 0) yield chunkOf({ ...piece, text: text.slice(0, keptFrom) });
    if (keptFrom < text.length) held.set(piece.key, { ...piece, text: text.slice(keptFrom) });
    else held.delete(piece.key);
  }
  for (const rest of held.values()) yield chunkOf(rest);
}

/** Text of one of the streams that an answer has. */
interface Piece {
  readonly key: string;
  readonly text: string;
  readonly like: Extract<ModelChunk, { type: 'text' | 'thinking' | 'tool_input' }>;
}

function pieceOf(chunk: ModelChunk): Piece | null {
  if (chunk.type === 'text' || chunk.type === 'thinking') return { key: chunk.type, text: chunk.text, like: chunk };
  return chunk.type === 'tool_input' ? { key: chunk.id, text: chunk.json, like: chunk } : null;
}

function chunkOf({ like, text }: Piece): ModelChunk {
  return like.type === 'tool_input' ? { ...like, json: text } : { ...like, text };
}

/** How many characters at the end of a text may be the beginning of a secret. */
function heldBack(text: string, secrets: readonly string[]): number {
  let longest = 0;
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length > longest; length--) {
      if (secret.startsWith(text.slice(-length))) longest = length;
    }
  }
  return longest;
}
