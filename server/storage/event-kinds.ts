import { sql } from './drizzle.ts';

/**
 * Conditions of the partial indexes on events. A query uses such an index only if it contains the same text, with literals instead
 * of parameters. Most events show progress and are in none of them.
 */
export const eventsOf = {
  /** Events that only a running agent emits. */
  activity: sql`type IN ('run.started', 'run.finished', 'tool.started', 'tool.finished', 'usage')`,
  plans: sql`type = 'plan.proposed'`,
  queuedRenders: sql`type = 'render.queued'`,
};
