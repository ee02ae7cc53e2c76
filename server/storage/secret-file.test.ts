import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tempDir } from '../../test/fixtures/storage.ts';
import { SecretFile } from './secret-file.ts';

const schema = z.object({ key: z.string() });

describe('secret file', () => {
  it('V6: is readable by its owner only, even if a readable temp file existed before', async () => {
    using folder = tempDir();
    const path = join(folder.path, 'x.json');
    const file = new SecretFile(path, schema);
    expect(await file.read()).toBeNull();
    writeFileSync(`${path}.new`, 'old');
    chmodSync(`${path}.new`, 0o666);
    await file.write({ key: 'one' });
    await file.write({ key: 'two' });
    expect(await file.read()).toEqual({ key: 'two' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['x.json']);
  });

  it('V6: reports a damaged file without its content, and removes a stale temp file', async () => {
    using folder = tempDir();
    const path = join(folder.path, 'x.json');
    writeFileSync(`${path}.new`, 'sk-canary');
    for (const content of ['sk-canary', '{"key":"sk-canary', '{"other":"sk-canary"}']) {
      writeFileSync(path, content);
      const error = await new SecretFile(path, schema).read().catch((failure: unknown) => failure);
      expect(String(error)).toMatch(/damaged/);
      expect(String(error)).not.toContain('canary');
    }
    expect(readdirSync(folder.path)).toEqual(['x.json']);
  });
});
