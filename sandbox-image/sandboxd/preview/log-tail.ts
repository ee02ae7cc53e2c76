import { stripVTControlCharacters } from 'node:util';

const keptCharacters = 16 * 1024;

/** The end of a program's output: enough to see why it failed, never more. */
export class LogTail {
  #text = '';

  /** Takes in a stream until it ends. */
  async follow(stream: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.add(decoder.decode(chunk, { stream: true }));
  }

  add(text: string): void {
    this.#text = (this.#text + text).slice(-keptCharacters);
  }

  clear(): void {
    this.#text = '';
  }

  /** Without colours and cursor movements. */
  text(): string {
    return stripVTControlCharacters(this.#text);
  }
}
