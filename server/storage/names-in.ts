import { readdir } from 'node:fs/promises';
import { isMissing } from './durable-file.ts';

/** Names of what is in a folder (or paths within it); none when there is no folder of that name. */
export async function namesIn(folder: string, options: { recursive: boolean } = { recursive: false }): Promise<string[]> {
  try {
    return await readdir(folder, options);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
