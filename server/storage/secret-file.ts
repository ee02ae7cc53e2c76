import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { isMissing, sync } from './durable-file.ts';

/**
 * Settings with a secret in them, as JSON in a file of its own that the server's user alone can read. They are not in the
 * database, so that no copy of that holds them, and in no back-up (`backup/archive-paths.ts` has the list of what is).
 */
export class SecretFile<Schema extends z.ZodType> {
  readonly #path: string;
  readonly #schema: Schema;

  constructor(path: string, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** Null when there is none. Rejects when it is damaged, in words that hold nothing of its content. */
  async read(): Promise<z.output<Schema> | null> {
    await rm(this.#draft, { force: true });
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    const parsed = this.#schema.safeParse(jsonOrNull(text));
    if (parsed.success) return parsed.data;
    throw new Error(`${this.#path} is damaged. Delete it, or save the settings anew.`);
  }

  /** Durable when it returns; whatever dies meanwhile, the file holds the one or the other. */
  async write(value: z.output<Schema>): Promise<void> {
    try {
      const handle = await open(this.#draft, 'w', 0o600);
      try {
        // An earlier draft may have let others in.
        await handle.chmod(0o600);
        await handle.writeFile(`${JSON.stringify(value)}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(this.#draft, this.#path);
    } catch (error) {
      await rm(this.#draft, { force: true });
      throw error;
    }
    await sync(dirname(this.#path));
  }

  get #draft(): string {
    return `${this.#path}.new`;
  }
}

/** The words of a parser would repeat what it read. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
