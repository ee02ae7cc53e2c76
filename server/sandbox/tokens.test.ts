import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openTokens } from './tokens.ts';

const folders: string[] = [];
function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'koda-tokens-'));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

it('A22: a restarted server derives the same tokens for running sandboxes', () => {
  const folder = dataDir();
  const token = openTokens(folder).tokenOf('sbx_a');
  expect(openTokens(folder).tokenOf('sbx_a')).toBe(token);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
});

it('derives different tokens per sandbox and installation, and stores the secret privately', () => {
  const folder = dataDir();
  const tokens = openTokens(folder);
  expect(tokens.tokenOf('sbx_a')).not.toBe(tokens.tokenOf('sbx_b'));
  expect(openTokens(dataDir()).tokenOf('sbx_a')).not.toBe(tokens.tokenOf('sbx_a'));
  expect(statSync(join(folder, 'sandbox.key')).mode & 0o777).toBe(0o600);
});

it('rejects a damaged secret instead of deriving weak tokens', () => {
  const folder = dataDir();
  writeFileSync(join(folder, 'sandbox.key'), '');
  expect(() => openTokens(folder)).toThrow(/damaged/);
});
