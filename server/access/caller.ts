import type { z } from 'zod';
import { scopeSchema } from '#contract/access.ts';

export const scopes = scopeSchema.options;
export type Scope = z.infer<typeof scopeSchema>;

/** A program that uses Koda, with its rights. */
export interface Caller {
  /** Id of its token, or `this-computer`. Names are not unique. */
  readonly id: string;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Ids of the projects that exist for it. */
  readonly projects: 'all' | ReadonlySet<string>;
}
