import type { ModelChunk } from '../model.ts';
import { redactSecrets } from './secrets.ts';

/** Shorter keys are placeholders for local servers (“none”, “ollama”). Redacting those would garble responses. */
const minSecretCharacters = 12;

/**
 * Redacts secrets from a response, even if they are split across chunks, because a service may repeat the key. Holds back
 * only text that may be the start of a secret.
 */
export async function* redactStream(chunks: AsyncIterable<ModelChunk>, secrets: readonly string[]): AsyncGenerator<ModelChunk> {
  const known = secrets.filter((secret) => secret.length >= minSecretCharacters);
  if (known.length === 0) {
    yield* chunks;
    return;
  }
  const held = new Map<string, Piece>();
  for await (const chunk of chunks) {
    const piece = pieceOf(chunk);
    if (piece === null) {
      // Held text is emitted before anything that comes after it.
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
    const text = redactSecrets(`${held.get(piece.key)?.text ?? ''}${piece.text}`, known);
    const keptFrom = text.length - heldBack(text, known);
    if (keptFrom > 0) yield chunkOf({ ...piece, text: text.slice(0, keptFrom) });
    if (keptFrom < text.length) held.set(piece.key, { ...piece, text: text.slice(keptFrom) });
    else held.delete(piece.key);
  }
  for (const rest of held.values()) yield chunkOf(rest);
}

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

/** Returns the number of trailing characters that may be the start of a secret. */
function heldBack(text: string, secrets: readonly string[]): number {
  let longest = 0;
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length > longest; length--) {
      if (secret.startsWith(text.slice(-length))) longest = length;
    }
  }
  return longest;
}
