import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { excerpt, findLines } from './search.ts';

/** Closes its output and exits before its message is written, as a busy machine lets ripgrep appear to do. */
const lateMessage = '#!/bin/sh\nexec 1>&-\n(sleep 0.3; echo "unclosed group" >&2) &\nexit 2\n';

describe('findLines', () => {
  let folder = '';
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('T3: reports an invalid pattern whose message arrives after ripgrep has exited', async () => {
    folder = await mkdtemp(join(tmpdir(), 'koda-search-'));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/rg'), lateMessage, { mode: 0o755 });
    vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env['PATH']}`);
    const search = findLines(folder, { pattern: '(', path: '.', glob: null, ignoreCase: false }, new AbortController().signal);
    await expect(search).rejects.toMatchObject({ code: 'INVALID_PATTERN', message: expect.stringContaining('unclosed group') });
  });
});

describe('excerpt', () => {
  it('T3: shows the match, wherever it is and whatever precedes it', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 2000 }).map((text) => text.replace(/[\r\n]/g, ' '));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const shown = excerpt(`${before}needle${after}\n`, Buffer.byteLength(before));
        expect(shown).toContain('needle');
        expect(shown.length).toBeLessThanOrEqual(302 + 'needle'.length);
      }),
    );
  });

  it('T3: leaves short lines unchanged', () => {
    expect(excerpt('  a line\r\n', 2)).toBe('  a line');
  });
});
