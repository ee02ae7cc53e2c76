import { z } from 'zod';
import { sandboxdEnvSchema } from '../../server/contract/sandboxd.ts';

/** What the daemon knows of the world it was started in. */
export type SandboxdEnv = Readonly<z.output<typeof sandboxdEnvSchema>>;

/** Reads the environment once, at the start. Throws an Error that names each variable that is wrong. */
export function readEnv(environment: Record<string, string | undefined>): SandboxdEnv {
  const parsed = sandboxdEnvSchema.safeParse(environment);
  if (!parsed.success) throw new Error(`sandboxd cannot start: ${z.prettifyError(parsed.error)}`);
  return Object.freeze(parsed.data);
}
