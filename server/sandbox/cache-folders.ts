import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectIdSchema } from '../contract/ids.ts';
import { namesIn } from '../storage/durable-file.ts';

/** The caches of projects whose sandboxes are no containers: one folder each, which outlives the sandboxes'. */
export class CacheFolders {
  readonly #root: string;

  /** `root` holds nothing else. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Path of a project's cache, which is made when it is not there. */
  async make(projectId: string): Promise<string> {
    const folder = this.#folder(projectId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Ids of the projects that have a cache. */
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
