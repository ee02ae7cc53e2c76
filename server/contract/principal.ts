import { z } from 'zod';

/** Why Koda acts on its own. `run`: its author works on what somebody has asked for. */
export const kodaCauseSchema = z.enum(['run', 'recovery', 'idle', 'schedule', 'sandbox', 'render']);
export type KodaCause = z.infer<typeof kodaCauseSchema>;

/** Who acts: a person, a program with its own access, or Koda itself. Names are those of the time of the act. */
export const principalSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('person'), id: z.string(), name: z.string() }),
  z.object({ type: z.literal('program'), id: z.string(), name: z.string() }),
  z.object({
    type: z.literal('koda'),
    cause: kodaCauseSchema,
    /** The author of the run. */
    author: z.string().optional(),
  }),
]);
export type Principal = z.infer<typeof principalSchema>;

/** Without accounts, everybody at the studio's page, and whoever has its keys, is this person. */
export const localPersonId = 'local';

export function koda(cause: KodaCause, author?: string): Principal {
  return { type: 'koda', cause, ...(author !== undefined && { author }) };
}

/** Returns the name to show beside an act, or `null` if it needs none: the only person, Koda itself, or an unknown principal did it. */
export function notableName(by: Principal | undefined): string | null {
  return by === undefined || by.type === 'koda' || (by.type === 'person' && by.id === localPersonId) ? null : by.name;
}
