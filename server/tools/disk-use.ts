import type { Sandbox } from '../sandbox/sandbox.ts';

export interface DiskUse {
  readonly path: string;
  readonly size_bytes: number;
}

const maxEntries = 10;
const timeoutMs = 10_000;
const maxOutputCharacters = 16_384;
/** Lists files and folders up to three levels deep, largest first, starting with the project itself. */
const command = `du -axB1 --max-depth=3 . 2>/dev/null | sort -rn | head -n ${maxEntries + 1}`;

export const diskFullPattern = /no space left on device|ENOSPC|disk quota exceeded/i;

/** Lists the largest files and folders in a sandbox's workspace. Returns an empty array if listing fails. */
export async function largestIn(sandbox: Pick<Sandbox, 'exec'>, { signal }: { signal: AbortSignal }): Promise<DiskUse[]> {
  let output = '';
  try {
    for await (const event of sandbox.exec({ command, cwd: null, env: {}, timeoutMs }, { signal })) {
      if (event.type === 'stdout' && output.length < maxOutputCharacters) output += event.text;
    }
  } catch {
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
