import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { diskProblem, Problem } from './problem.ts';

export const maxFileBytes = 10 * 1024 * 1024;

/** Returns the type of a picture by its first bytes, or `null` for other files. */
function pictureType(content: Uint8Array): string | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 12));
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return null;
}

/** The pictures of an app in `data/files`, each under the SHA-256 of its content. */
export class FileFolder {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = path.join(root, 'data/files');
  }

  /** Stores a picture, and returns its id. @throws {Problem} */
  async save(content: Buffer): Promise<string> {
    if (content.length > maxFileBytes)
      throw new Problem(413, 'TOO_LARGE', 'The picture is larger than 10 MB. Choose a smaller one.');
    if (!pictureType(content))
      throw new Problem(422, 'VALIDATION', 'The file is no PNG, JPEG or WebP picture. Choose one of these.');
    const id = createHash('sha256').update(content).digest('hex');
    const file = path.join(this.#folder, id);
    try {
      await mkdir(this.#folder, { recursive: true });
      const handle = await open(`${file}.new`, 'w');
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.new`, file);
    } catch (error) {
      throw diskProblem(error);
    }
    return id;
  }

  /** @throws {Problem} if there is no such picture */
  async read(id: string): Promise<{ readonly content: Uint8Array<ArrayBuffer>; readonly type: string }> {
    const missing = new Problem(404, 'NOT_FOUND', 'There is no such picture.');
    if (!/^[0-9a-f]{64}$/.test(id)) throw missing;
    const content = await readFile(path.join(this.#folder, id)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? missing : error;
    });
    const type = pictureType(content);
    if (!type) throw missing;
    return { content: Uint8Array.from(content), type };
  }
}
