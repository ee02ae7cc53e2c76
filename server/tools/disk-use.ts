import type { Sandbox } from '../sandbox/sandbox.ts';

export interface DiskUse {
  readonly path: string;
  readonly size_bytes: number;
}

/** Enough entries to see what takes the space. */
const maxEntries = 10;
const timeoutMs = 10_000;
const maxOutputCharacters = 16_384;
/** Files and folders down to three levels by size, the largest first; without the project itself. */
const command = `du -axB1 --max-depth=3 . 2>/dev/null | sort -rn | head -n ${maxEntries + 1}`;

/** How programs say that a disk is full. */
export const diskFullWords = /no space left on device|ENOSPC|disk quota exceeded/i;

/** The largest files and folders of a sandbox's workspace (T13); empty when that cannot be found out. */
export async function largestIn(sandbox: Pick<Sandbox, 'exec'>, { signal }: { signal: AbortSignal }): Promise<DiskUse[]> {
  let output = '';
  try {
    for await (const event of sandbox.exec({ command, cwd: null, env: {}, timeoutMs }, { signal })) {
      if (event.type === 'stdout' && output.length < maxOutputCharacters) output += event.text;
    }
  } catch {
    // The first failure is the one to report; this only helps to mend it.
    return [];
  }
  return output
    .split('\n')
    .flatMap((line) => {
      const [, size = '', path = ''] = /^(\d+)\t\.\/(.+)$/.exec(line) ?? [];
      return path === '' ? [] : [{ path, size_bytes: Number(size) }];
    })
    .slice(0, maxEntries);
}
