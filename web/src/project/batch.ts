import type { Message } from '../../../server/contract/project.ts';
import type { LiveFile } from './live-file.ts';

/**
 * What events that are applied together have copied already. A copy that nobody has seen yet is changed in place: else
 * each of thousands of events would copy thousands of files or messages.
 */
export class Batch {
  #files: Record<string, LiveFile> | null = null;
  #messages: Message[] | null = null;
  #messageIds: Set<string> = new Set();

  /** The files with this one among them. */
  withFile(files: Readonly<Record<string, LiveFile>>, file: LiveFile): Readonly<Record<string, LiveFile>> {
    // Without a prototype: a path may have any name.
    this.#files = files === this.#files ? this.#files : Object.assign(Object.create(null) as Record<string, LiveFile>, files);
    this.#files[file.path] = file;
    return this.#files;
  }

  /** The messages with this one at the end. */
  withMessage(messages: Message[], message: Message): Message[] {
    if (messages !== this.#messages) {
      this.#messages = [...messages];
      this.#messageIds = new Set(messages.map(({ id }) => id));
    }
    // Hardly ever: each is told of once.
    if (this.#messageIds.has(message.id)) this.#messages = this.#messages.filter(({ id }) => id !== message.id);
    this.#messages.push(message);
    this.#messageIds.add(message.id);
    return this.#messages;
  }
}
