import { Mutex } from 'async-mutex';

/** One mutex per key, kept only while it is in use. */
export class KeyedLock {
  readonly #mutexes = new Map<string, Mutex>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(key) ?? new Mutex();
    this.#mutexes.set(key, mutex);
    try {
      return await mutex.runExclusive(task);
    } finally {
      if (!mutex.isLocked() && this.#mutexes.get(key) === mutex) this.#mutexes.delete(key);
    }
  }
}
