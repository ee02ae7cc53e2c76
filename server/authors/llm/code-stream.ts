import { parse } from 'partial-json';

/** Characters that are collected before a chunk is sent: each chunk is one durable event. */
const chunkCharacters = 600;
/** Of a long answer, parsed again when it has grown by this share: the work stays in proportion to its length. */
const growth = 0.05;

type Emit = (path: string, text: string, offset: number) => Promise<void>;

/**
 * Turns the growing JSON of `{ files: [{ path, content }] }` into chunks of text per file. A chunk carries
 * its offset in the file, so that a reader can put the text together and notice a gap.
 */
export class CodeStream {
  readonly #emit: Emit;
  readonly #sent = new Map<number, number>();
  #parsedAt = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Takes all JSON so far; parses it only when it has grown enough, so that long answers stay cheap. */
  async push(json: string): Promise<void> {
    if (json.length - this.#parsedAt < Math.max(chunkCharacters, this.#parsedAt * growth)) return;
    this.#parsedAt = json.length;
    await this.#send(filesOf(parse(json)), chunkCharacters);
  }

  /** Takes the complete JSON and sends what is left. */
  async finish(json: string): Promise<void> {
    await this.#send(filesOf(parse(json)), 1);
  }

  async #send(files: readonly { path: string; content: string }[], atLeast: number): Promise<void> {
    for (const [index, file] of files.entries()) {
      const offset = this.#sent.get(index) ?? 0;
      const isLast = index === files.length - 1;
      if (file.content.length - offset < (isLast ? atLeast : 1)) continue;
      await this.#emit(file.path, file.content.slice(offset), offset);
      this.#sent.set(index, file.content.length);
    }
  }
}

/** The files that are there so far; one whose path is still open (no content yet) does not count. */
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
