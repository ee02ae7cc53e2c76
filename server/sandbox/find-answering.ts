import { KodaError } from '../contract/errors.ts';
import { type CallOptions, type Sandbox, SandboxdError } from './sandbox.ts';

/**
 * The first of a project's sandboxes that answers. The others are destroyed: a project has one, and one that
 * does not answer, or knows another token, is of no use to anybody. Throws CANCELLED.
 */
export async function findAnswering(
  candidates: readonly Sandbox[],
  destroy: (sandboxId: string) => Promise<void>,
  options: CallOptions,
): Promise<Sandbox | null> {
  let found: Sandbox | null = null;
  for (const candidate of candidates) {
    if (!found && (await isAnswering(candidate, options))) found = candidate;
    else await destroy(candidate.id);
  }
  return found;
}

async function isAnswering(sandbox: Sandbox, options: CallOptions): Promise<boolean> {
  try {
    await sandbox.health(options);
    return true;
  } catch (error) {
    if (error instanceof SandboxdError) return false;
    if (error instanceof KodaError && (error.code === 'SANDBOX_DEAD' || error.code === 'TIMEOUT')) return false;
    throw error;
  }
}
