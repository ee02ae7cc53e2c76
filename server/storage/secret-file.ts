import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { isMissing, sync } from './durable-file.ts';

/** Private JSON file for settings with secrets, which stay out of the database and backups (`archive-paths.ts`). */
export class SecretFile<Schema extends z.ZodType> {
  readonly #path: string;
  readonly #schema: Schema;

  constructor(path: string, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** Returns `null` if the file does not exist. Rejects if it is damaged, with an error that reveals none of its content. */
  async read(): Promise<z.output<Schema> | null> {
    await rm(this.#tempPath, { force: true });
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    const parsed = this.#schema.safeParse(jsonOrNull(text));
    if (parsed.success) return parsed.data;
    throw new Error(`${this.#path} is damaged. Delete it, or save the settings again.`);
  }

  async write(value: z.output<Schema>): Promise<void> {
    try {
      const handle = await open(this.#tempPath, 'w', 0o600);
      try {
        // Other users may be able to read an existing temp file.
        await handle.chmod(0o600);
        await handle.writeFile(`${JSON.stringify(value)}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(this.#tempPath, this.#path);
    } catch (error) {
      await rm(this.#tempPath, { force: true });
      throw error;
    }
    await sync(dirname(this.#path));
  }

  get #tempPath(): string {
    return `${this.#path}.new`;
  }
}

/** Parses JSON, because a parser's own error message would repeat the content. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
