import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchChromium } from '../../sandbox-image/sandboxd/browser/chromium.ts';
import { markedTemporaryFolder, processesMentioning } from '../fixtures/stage-workspace.ts';

const temporary = markedTemporaryFolder({ per: 'test' });

async function program(lines: string): Promise<string> {
  const path = join(temporary.path, 'chromium-headless-shell');
  await writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return path;
}

function launch(executablePath: string, signal = new AbortController().signal) {
  return launchChromium({ executablePath, backend: 'llvmpipe', rasterThreads: null, signal });
}

async function leftBehind(): Promise<unknown[]> {
  const profiles = (await readdir(tmpdir())).filter((name) => name.startsWith('koda-chromium-'));
  return [...profiles, ...(await processesMentioning(temporary.path))];
}

describe('a browser that does not come up', () => {
  it('A18: reports a browser killed during its start at once, although its child holds the pipe', async () => {
    // The forked process has the folder in its command line, so that a leftover would be found.
    const path = await program(`sh -c 'sleep 100; echo ${temporary.path}' & kill -9 $$`);
    await expect(launch(path)).rejects.toMatchObject({ code: 'CAPTURE_FAILED', details: { reason: 'crashed' } });
    await expect.poll(leftBehind).toEqual([]);
  });

  it('A18: quotes the output of a browser that exits', async () => {
    const path = await program('echo "error while loading shared libraries: libnss3.so" >&2; exit 127');
    await expect(launch(path)).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringContaining('libnss3.so'),
    });
    await expect.poll(leftBehind).toEqual([]);
  });

  it('A18: without memory, the kernel kills a browser before the daemon', async () => {
    const own = Number(await readFile('/proc/self/oom_score_adj', 'utf8'));
    const path = await program('echo "adjustment $(cat /proc/self/oom_score_adj)" >&2; exit 1');
    await expect(launch(path)).rejects.toMatchObject({
      message: expect.stringContaining(`adjustment ${Math.min(1000, own + 100)}`),
    });
  });

  it('A18: names a missing executable', async () => {
    const path = join(temporary.path, 'chromium-headless-shell');
    await expect(launch(path)).rejects.toMatchObject({ code: 'RENDER_FAILED', message: expect.stringContaining(path) });
    await expect.poll(leftBehind).toEqual([]);
  });

  it('A18: stops an unresponsive browser on abort', async () => {
    const path = await program('exec sleep 100');
    const cancel = new AbortController();
    const launching = launch(path, cancel.signal);
    const failed = expect(launching).rejects.toThrow('no longer wanted');
    await expect.poll(leftBehind).not.toEqual([]);
    cancel.abort(new Error('no longer wanted'));
    await failed;
    await expect.poll(leftBehind).toEqual([]);
  });
});
