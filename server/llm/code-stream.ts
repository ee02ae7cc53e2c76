import { parse } from 'partial-json';

const chunkCharacters = 600;
/** Growth after which a long response is parsed again, so that the total work stays proportional to its length. */
const growth = 0.05;

type Emit = (path: string, text: string, offset: number) => Promise<void>;

/**
 * Splits the growing JSON of `{ files: [{ path, content }] }` into chunks of text per file. A chunk has its offset in the file,
 * so that a reader can join chunks and detect gaps.
 */
export class CodeStream {
  readonly #emit: Emit;
  readonly #sent = new Map<number, number>();
  #parsedAt = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Accepts all JSON received so far. Parses it again only after enough growth. */
  async push(json: string): Promise<void> {
    if (json.length - this.#parsedAt < Math.max(chunkCharacters, this.#parsedAt * growth)) return;
    this.#parsedAt = json.length;
    await this.#send(filesOf(parse(json)), chunkCharacters);
  }

  /** Accepts the complete JSON and sends the rest. */
  async finish(json: string): Promise<void> {
    await this.#send(filesOf(parse(json)), 1);
  }

  async #send(files: readonly { path: string; content: string }[], minCharacters: number): Promise<void> {
    for (const [index, file] of files.entries()) {
      const offset = this.#sent.get(index) ?? 0;
      const isLast = index === files.length - 1;
      if (file.content.length - offset < (isLast ? minCharacters : 1)) continue;
      await this.#emit(file.path, file.content.slice(offset), offset);
      this.#sent.set(index, file.content.length);
    }
  }
}

/** Returns the files received so far, except one whose path is incomplete (it has no content yet). */
function filesOf(value: unknown): { path: string; content: string }[] {
  if (typeof value !== 'object' || value === null || !('files' in value) || !Array.isArray(value.files)) return [];
  return value.files.filter(
    (file): file is { path: string; content: string } =>
      typeof file === 'object' &&
      file !== null &&
      'path' in file &&
      typeof file.path === 'string' &&
      'content' in file &&
      typeof file.content === 'string',
  );
}
