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
import { hasCode } from '../contract/errors.ts';

const secretBytes = 32;
const draftName = 'sandbox.key.new';

/** The bearer tokens of sandboxes. */
export interface SandboxTokens {
  tokenOf(sandboxId: string): string;
}

/**
 * Tokens are made from one secret of this installation (`sandbox.key` in the data folder, made when it is
 * missing), so that a restarted server knows those of the sandboxes that still run, and nothing per sandbox
 * has to be kept. One token reveals nothing of another.
 */
export function openTokens(dataDir: string): SandboxTokens {
  // Left by a server that was killed while it made the secret; a folder has one server at a time.
  rmSync(join(dataDir, draftName), { force: true });
  const secret = readSecret(join(dataDir, 'sandbox.key')) ?? makeSecret(dataDir);
  return { tokenOf: (sandboxId) => createHmac('sha256', secret).update(`sandbox:${sandboxId}`).digest('hex') };
}

function makeSecret(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'sandbox.key');
  const temporary = join(dataDir, draftName);
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    writeSync(file, randomBytes(secretBytes));
    fsyncSync(file);
    linkSync(temporary, path);
  } catch (error) {
    // Somebody else was first: then theirs counts.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    unlinkSync(temporary);
  }
  const secret = readSecret(path);
  if (!secret) throw new Error(`${path} vanished while it was made.`);
  return secret;
}

function readSecret(path: string): Buffer | null {
  try {
    const secret = readFileSync(path);
    if (secret.length === secretBytes) return secret;
    throw new Error(
      `${path} is damaged: it holds ${secret.length} bytes instead of ${secretBytes}. Delete it; running sandboxes are replaced.`,
    );
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
