import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectIdSchema } from '#contract/ids.ts';
import { namesIn } from '../storage/durable-file.ts';

/** Project caches for sandboxes without containers, one folder per project. They outlive the sandboxes. */
export class CacheFolders {
  readonly #root: string;

  /** `root` must contain nothing else. */
  constructor(root: string) {
    this.#root = root;
  }

  async make(projectId: string): Promise<string> {
    const folder = this.#folder(projectId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  async list(): Promise<string[]> {
    return (await namesIn(this.#root)).filter((name) => projectIdSchema.safeParse(name).success);
  }

  async remove(projectId: string): Promise<void> {
    await rm(this.#folder(projectId), { recursive: true, force: true, maxRetries: 5 });
  }

  #folder(projectId: string): string {
    return join(this.#root, projectIdSchema.parse(projectId));
  }
}
