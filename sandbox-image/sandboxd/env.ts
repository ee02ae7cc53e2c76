import { z } from 'zod';
import { sandboxdEnvSchema } from '#contract/sandbox/answers.ts';

export type SandboxdEnv = Readonly<z.output<typeof sandboxdEnvSchema>>;

/** Reads the environment. Throws an Error that lists the invalid variables. */
export function readEnv(environment: Record<string, string | undefined>): SandboxdEnv {
  const parsed = sandboxdEnvSchema.safeParse(environment);
  if (!parsed.success) throw new Error(`sandboxd cannot start: ${z.prettifyError(parsed.error)}`);
  return Object.freeze(parsed.data);
}
