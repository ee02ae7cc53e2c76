import { maxTokens, type Token } from '#contract/access.ts';
import { KodaError } from '#contract/errors.ts';
import type { Database } from './database.ts';
import { count, desc, eq, type SQL } from './drizzle.ts';
import { tokens } from './schema.ts';

const toToken = ({ hash: _, projects, ...row }: typeof tokens.$inferSelect): Token => ({ ...row, projects: projects ?? 'all' });

/** Access tokens by the hash of their secret. */
export class TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws LIMIT_EXCEEDED if there are too many tokens. */
  add(token: Token, hash: string): void {
    this.#database.write((tx) => {
      const stored = tx.select({ count: count() }).from(tokens).get()?.count ?? 0;
      if (stored >= maxTokens)
        throw new KodaError('LIMIT_EXCEEDED', `There are already ${maxTokens} tokens. Revoke those that you no longer need.`);
      const { projects } = token;
      tx.insert(tokens)
        .values({ ...token, hash, projects: projects === 'all' ? null : projects })
        .run();
    });
  }

  /** Returns all tokens, newest first, expired ones included. */
  list(): Token[] {
    return this.#database.read((tx) =>
      tx.select().from(tokens).orderBy(desc(tokens.createdAt), desc(tokens.id)).all().map(toToken),
    );
  }

  find(id: string): Token | null {
    return this.#findWhere(eq(tokens.id, id));
  }

  findByHash(hash: string): Token | null {
    return this.#findWhere(eq(tokens.hash, hash));
  }

  recordUse(id: string, at: string): void {
    this.#database.write((tx) => tx.update(tokens).set({ lastUsedAt: at }).where(eq(tokens.id, id)).run());
  }

  /** Returns whether the token existed. */
  remove(id: string): boolean {
    return this.#database.write((tx) => tx.delete(tokens).where(eq(tokens.id, id)).run().changes > 0);
  }

  #findWhere(condition: SQL): Token | null {
    const row = this.#database.read((tx) => tx.select().from(tokens).where(condition).get());
    return row === undefined ? null : toToken(row);
  }
}
