// Breaks the store when loaded before the server: a transaction is acknowledged immediately but committed later, with others.
import BetterSqlite3 from 'better-sqlite3';
import { lateMs } from './late.ts';

type Work = (...parameters: unknown[]) => unknown;

function lateTransaction(this: BetterSqlite3.Database, work: Work) {
  const run: Work = (...parameters) => {
    if (!this.inTransaction) {
      this.exec('BEGIN IMMEDIATE');
      setTimeout(() => this.exec('COMMIT'), lateMs);
    }
    this.exec('SAVEPOINT late');
    try {
      const result = work(...parameters);
      this.exec('RELEASE late');
      return result;
    } catch (error) {
      this.exec('ROLLBACK TO late; RELEASE late');
      throw error;
    }
  };
  return Object.assign(run, { default: run, deferred: run, immediate: run, exclusive: run, database: this });
}

BetterSqlite3.prototype.transaction = lateTransaction as typeof BetterSqlite3.prototype.transaction;
