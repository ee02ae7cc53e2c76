import { join } from 'node:path';
import type { Logger } from 'pino';
import type { HealthResponse } from '#contract/api.ts';
import { isCancelled } from '#contract/errors.ts';
import type { Database } from '../storage/database.ts';
import { checkDatabase } from './check-database.ts';

/** Reads every page of a database that was too large to be checked at the start, while the server already runs. */
export class PageCheck {
  state: HealthResponse['database'];
  readonly #file: string;
  readonly #log: Logger;

  constructor({ dataDir, isChecked }: Pick<Database, 'dataDir' | 'isChecked'>, log: Logger) {
    this.state = isChecked ? 'ok' : 'checking';
    this.#file = join(dataDir, 'koda.db');
    this.#log = log;
  }

  /** Never rejects. Does nothing if the database was checked at the start. */
  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    if (this.state !== 'checking') return;
    try {
      const { errors } = await checkDatabase(this.#file, { kind: 'quick', signal });
      this.state = errors.length === 0 ? 'ok' : 'damaged';
      if (errors.length === 0) return;
      const advice = 'the database is damaged: stop Koda, copy the data folder, and restore a backup (koda restore <file>)';
      this.#log.error({ file: this.#file, errors }, advice);
    } catch (error) {
      if (!isCancelled(error)) this.#log.error({ err: error, file: this.#file }, 'failed to check the database');
    }
  }
}
