import { writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { errnoOf, ProtocolError } from '../http.ts';

/** Input that a program does not take is kept for it up to this size. */
const maxPendingBytes = 256 * 1024;
const retryMs = 20;

/**
 * Keys on their way into a terminal. The library's own `write` waits, and with it the whole daemon, when the program does
 * not read; this one writes what the terminal takes, and the rest later.
 */
export class TerminalInput {
  readonly #fd: number;
  readonly #socket: ReadStream;
  #pending = Buffer.alloc(0);
  #timer: NodeJS.Timeout | null = null;

  /** Takes the library's terminal, whose types tell neither its file nor its stream. */
  constructor(pty: object) {
    const [fd, socket]: unknown[] = [Reflect.get(pty, 'fd'), Reflect.get(pty, '_socket')];
    if (typeof fd !== 'number' || !(socket instanceof ReadStream)) throw new Error('The terminal library is not as expected.');
    this.#fd = fd;
    this.#socket = socket;
  }

  /** Throws LIMIT_EXCEEDED when too much waits already. */
  write(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    if (this.#pending.length + bytes.length > maxPendingBytes) {
      throw new ProtocolError('LIMIT_EXCEEDED', 422, 'The program in the session does not read its input; nothing was sent.');
    }
    this.#pending = Buffer.concat([this.#pending, bytes]);
    this.#flush();
  }

  /** Drops what was not taken. */
  close(): void {
    this.#pending = Buffer.alloc(0);
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    if (this.#timer) return;
    // After the stream has closed the number may belong to another file.
    while (this.#pending.length > 0 && !this.#socket.destroyed) {
      try {
        // The library made it non-blocking.
        this.#pending = this.#pending.subarray(writeSync(this.#fd, this.#pending));
      } catch (error) {
        // The program has ended, which is told elsewhere.
        if (errnoOf(error) === 'EAGAIN') this.#flushLater();
        else this.close();
        return;
      }
    }
  }

  #flushLater(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, retryMs);
  }
}
