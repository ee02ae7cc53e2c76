import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Token, TokenRequest } from '#contract/access.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { TokenStore } from '../storage/token-store.ts';
import { type Caller, scopes } from './caller.ts';
import { type AccessRequest, isFromThisComputer } from './this-computer.ts';

/** Uses are recorded at most this often, so that a call rarely costs a write to the disk. */
const recordUseEveryMs = 60_000;

const thisComputer: Caller = { id: 'this-computer', name: 'this computer', scopes: new Set(scopes), projects: 'all' };

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

interface AccessOptions {
  readonly tokens: TokenStore;
  /** Address that stands for this computer besides the loopback addresses. */
  readonly gateway: string | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

/** Decides who may use Koda as a program: programs on this computer, and those with a token. */
export class Access {
  readonly #tokens: TokenStore;
  readonly #gateway: string | null;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;

  constructor({ tokens, gateway, log, now = Date.now }: AccessOptions) {
    this.#tokens = tokens;
    this.#gateway = gateway;
    this.#log = log;
    this.#now = now;
  }

  /**
   * Returns the caller, or `null` if the request must be refused. A request with an `Authorization` header has the rights of
   * its token and no others, wherever it comes from.
   */
  authenticate(request: AccessRequest): Caller | null {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return isFromThisComputer(request, this.#gateway) ? thisComputer : null;
    const secret = /^bearer +([\x21-\x7e]{1,200})$/i.exec(authorization.trim())?.[1];
    return secret === undefined ? null : this.#callerOf(secret);
  }

  /** Returns whether a request without a token comes from a program or a page on this computer. */
  isThisComputer(request: AccessRequest): boolean {
    return this.authenticate(request) === thisComputer;
  }

  /** Creates a token. Its secret is returned here only. Throws LIMIT_EXCEEDED, and VALIDATION_ERROR if it has already expired. */
  create({ name, scopes: granted, projects, expiresAt }: TokenRequest): { token: Token; secret: string } {
    const now = this.#now();
    if (expiresAt !== null && Date.parse(expiresAt) <= now)
      throw new KodaError('VALIDATION_ERROR', 'The token would already have expired. Choose a time in the future.', {
        details: { field: 'expiresAt' },
        recovery: 'correct_request',
      });
    const secret = `koda_${randomBytes(32).toString('base64url')}`;
    const createdAt = new Date(now).toISOString();
    const token: Token = { id: newId('tok'), name, scopes: granted, projects, createdAt, lastUsedAt: null, expiresAt };
    this.#tokens.add(token, hashOf(secret));
    return { token, secret };
  }

  list(): Token[] {
    return this.#tokens.list();
  }

  /** Takes effect with the next request; open MCP sessions end within seconds. Throws NOT_FOUND. */
  revoke(id: string): void {
    if (!this.#tokens.remove(id))
      throw new KodaError('NOT_FOUND', 'There is no such token. It may already have been revoked.', { recovery: 'list_tokens' });
  }

  /** Returns whether a caller's token has been neither revoked nor expired since it was authenticated. */
  isStillValid({ id }: Pick<Caller, 'id'>): boolean {
    if (id === thisComputer.id) return true;
    const token = this.#tokens.find(id);
    return token !== null && !this.#isExpired(token);
  }

  #isExpired({ expiresAt }: Token): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= this.#now();
  }

  #callerOf(secret: string): Caller | null {
    // Looking up a hash reveals nothing about stored secrets through its timing.
    const token = this.#tokens.findByHash(hashOf(secret));
    if (token === null || this.#isExpired(token)) return null;
    const now = this.#now();
    if (token.lastUsedAt === null || now - Date.parse(token.lastUsedAt) >= recordUseEveryMs) this.#recordUse(token.id, now);
    const { id, name, scopes: granted, projects } = token;
    return { id, name, scopes: new Set(granted), projects: projects === 'all' ? 'all' : new Set(projects) };
  }

  #recordUse(id: string, now: number): void {
    try {
      this.#tokens.recordUse(id, new Date(now).toISOString());
    } catch (error) {
      // A full disk must not lock out programs that only read.
      this.#log.warn({ err: error, tokenId: id }, 'failed to record the use of a token');
    }
  }
}
