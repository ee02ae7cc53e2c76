import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '../contract/ids.ts';
import { namesIn } from '../storage/durable-file.ts';

/**
 * Which socket folders are whose: instances may share the place, and a folder says nothing of itself (a sandbox writes
 * to it). A claim is there before the folder and goes after it, so that a crash leaves none that nobody removes.
 */
export class SocketClaims {
  readonly #root: string;

  constructor(socketsDir: string, instance: string) {
    this.#root = join(socketsDir, '.claims', instance);
  }

  async add(sandboxId: string, projectId: string): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    await writeFile(this.#path(sandboxId), projectIdSchema.parse(projectId), { mode: 0o600 });
  }

  async remove(sandboxId: string): Promise<void> {
    await rm(this.#path(sandboxId), { force: true });
  }

  /** Sandboxes of this instance that have or had a folder. */
  async list(): Promise<{ sandboxId: string; projectId: string }[]> {
    const claims: { sandboxId: string; projectId: string }[] = [];
    for (const sandboxId of await namesIn(this.#root)) {
      if (!sandboxIdSchema.safeParse(sandboxId).success) continue;
      const owner = projectIdSchema.safeParse(await this.#read(sandboxId));
      // Cut off while it was written: then there is no folder yet.
      if (owner.success) claims.push({ sandboxId, projectId: owner.data });
      else await this.remove(sandboxId);
    }
    return claims;
  }

  async #read(sandboxId: string): Promise<string | null> {
    try {
      return await readFile(this.#path(sandboxId), 'utf8');
    } catch (error) {
      // Removed since it was listed.
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  #path(sandboxId: string): string {
    return join(this.#root, sandboxIdSchema.parse(sandboxId));
  }
}
