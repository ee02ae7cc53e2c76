import { readdir } from 'node:fs/promises';

/** Names of what is in a folder (or paths within it); none when the folder is not there. */
export async function namesIn(folder: string, options: { recursive: boolean } = { recursive: false }): Promise<string[]> {
  try {
    return await readdir(folder, options);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
