import { setImmediate } from 'node:timers/promises';
import type { Database } from './database.ts';

/** How a kind's plans have changed since they were first stored. */
export interface PlanUpgrade {
  /** Increments with each change of their form. */
  readonly version: number;
  /** Returns a stored plan in the current form. One that has it already is returned as the same object. */
  upgraded(stored: object): object;
}

interface StoredText {
  readonly position: number;
  readonly text: string;
}

type Upgrade = PlanUpgrade['upgraded'];

const sliceRows = 100;

/** The places of plans: how to read a project's rows after a position, to write one, and to upgrade its value. */
const places = [
  {
    select:
      'SELECT revision AS position, draft AS text FROM plans WHERE project_id = ? AND revision > ? ORDER BY revision LIMIT ?',
    update: 'UPDATE plans SET draft = ? WHERE project_id = ? AND revision = ?',
    in: (upgrade: Upgrade, draft: object) => upgrade(draft),
  },
  {
    select:
      "SELECT seq AS position, body AS text FROM events WHERE project_id = ? AND seq > ? AND type = 'plan.proposed' ORDER BY seq LIMIT ?",
    update: 'UPDATE events SET body = ? WHERE project_id = ? AND seq = ?',
    in: (upgrade: Upgrade, event: { readonly plan?: object }) => {
      const plan = event.plan && upgrade(event.plan);
      return plan === event.plan ? event : { ...event, plan };
    },
  },
] as const;

/**
 * Converts plans that earlier versions have stored to their kinds' current form, in small transactions. Call before anything reads
 * them. Safe to interrupt: a kind's version is stored last, and converting a plan twice has no effect.
 */
export async function upgradePlans(
  database: Database,
  kinds: Iterable<{ readonly id: string; readonly planUpgrade?: PlanUpgrade }>,
): Promise<void> {
  const { sqlite } = database;
  const stored = sqlite.prepare<[string], number>('SELECT version FROM plan_versions WHERE kind = ?').pluck();
  const store = sqlite.prepare(
    'INSERT INTO plan_versions (kind, version) VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET version = excluded.version',
  );
  const projects = sqlite.prepare<[string], string>('SELECT id FROM projects WHERE kind = ?').pluck();
  for (const { id: kind, planUpgrade } of kinds) {
    if (planUpgrade === undefined || (stored.get(kind) ?? 0) >= planUpgrade.version) continue;
    for (const projectId of projects.all(kind)) await upgradeProject(database, projectId, planUpgrade.upgraded);
    database.write(() => store.run(kind, planUpgrade.version));
  }
}

async function upgradeProject(database: Database, projectId: string, upgrade: Upgrade): Promise<void> {
  for (const place of places) {
    const select = database.sqlite.prepare<[string, number, number], StoredText>(place.select);
    const update = database.sqlite.prepare<[string, string, number]>(place.update);
    for (let after = -1; ; ) {
      const rows = select.all(projectId, after, sliceRows);
      const last = rows.at(-1);
      if (last === undefined) break;
      const changed = rows.flatMap(({ position, text }) => {
        // Written only by the stores, as an object.
        const value = JSON.parse(text) as object;
        const upgraded = place.in(upgrade, value);
        return upgraded === value ? [] : [{ position, text: JSON.stringify(upgraded) }];
      });
      if (changed.length > 0)
        database.write(() => {
          for (const { position, text } of changed) update.run(text, projectId, position);
        });
      after = last.position;
      await setImmediate();
    }
  }
}
