import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '#contract/errors.ts';

const secretBytes = 32;
const tempName = 'sandbox.key.new';

export interface SandboxTokens {
  tokenOf(sandboxId: string): string;
}

/**
 * Derives the sandboxes' bearer tokens from one secret per installation (`sandbox.key` in the data folder, created if
 * missing). A restarted server can therefore derive the tokens of running sandboxes without storing any. One token reveals
 * nothing about another.
 */
export function openTokens(dataDir: string): SandboxTokens {
  // Stale file from a server that was killed while it created the secret. Each folder has one server at a time.
  rmSync(join(dataDir, tempName), { force: true });
  const secret = readSecret(join(dataDir, 'sandbox.key')) ?? makeSecret(dataDir);
  return { tokenOf: (sandboxId) => createHmac('sha256', secret).update(`sandbox:${sandboxId}`).digest('hex') };
}

function makeSecret(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'sandbox.key');
  const temporary = join(dataDir, tempName);
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    writeSync(file, randomBytes(secretBytes));
    fsyncSync(file);
    linkSync(temporary, path);
  } catch (error) {
    // Another process created the secret first, so that one is used.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    unlinkSync(temporary);
  }
  const secret = readSecret(path);
  if (!secret) throw new Error(`${path} was removed while it was being created. Start Koda again.`);
  return secret;
}

function readSecret(path: string): Buffer | null {
  try {
    const secret = readFileSync(path);
    if (secret.length === secretBytes) return secret;
    throw new Error(
      `${path} is damaged: it is ${secret.length} bytes instead of ${secretBytes}. Delete it; running sandboxes will be replaced.`,
    );
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
