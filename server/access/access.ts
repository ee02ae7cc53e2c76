import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import type { Token, TokenRequest } from '#contract/access.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { localPersonId } from '#contract/principal.ts';
import type { TokenStore } from '../storage/token-store.ts';
import { type Caller, scopes } from './policies.ts';
import { type AccessRequest, isLocalBrowser } from './this-computer.ts';

/** Uses are recorded at most this often, so that a call rarely costs a write to the disk. */
const recordUseEveryMs = 60_000;
const reportEveryMs = 60_000;
const maxReportedAddresses = 1_000;

/** The one person of a studio without accounts, who may do everything. */
export const localPerson: Caller = {
  ...{ type: 'person', id: localPersonId, name: 'Local user' },
  ...{ scopes: new Set(scopes), projects: 'all' },
};

/** Cookie that a browser gets for the access token. */
export const sessionCookie = 'koda_session';

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

interface AccessOptions {
  readonly tokens: TokenStore;
  /** Address that stands for this computer besides the loopback addresses. */
  readonly gateway: string | null;
  /** Key that only programs with access to the data folder can read. */
  readonly localKey: string;
  /** Key that no client knows. */
  readonly sessionKey: string;
  /** Token that everybody needs, browsers on this computer included. `null`: they need none. */
  readonly accessToken: string | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

/** Decides who may use Koda: browsers and programs on this computer, and those with a token. */
export class Access {
  readonly #tokens: TokenStore;
  readonly #gateway: string | null;
  readonly #localKey: string;
  readonly #sessionKey: string;
  readonly #accessToken: string | null;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  readonly #reportedAtMs = new Map<string | null, number>();

  constructor({ tokens, gateway, localKey, sessionKey, accessToken, log, now = Date.now }: AccessOptions) {
    this.#tokens = tokens;
    this.#gateway = gateway;
    this.#localKey = localKey;
    this.#sessionKey = sessionKey;
    this.#accessToken = accessToken;
    this.#log = log;
    this.#now = now;
  }

  /**
   * Returns the caller, or `null` if the request must be refused. A request with an `Authorization` header has the rights of
   * its token and no others, wherever it comes from.
   */
  authenticate(request: AccessRequest): Caller | null {
    const authorization = request.headers.get('authorization');
    if (authorization !== null) {
      const secret = secretIn(authorization);
      return secret === null ? null : this.#callerOf(secret);
    }
    if (this.#accessToken === null) return isLocalBrowser(request, this.#gateway) ? localPerson : null;
    const session = this.#sessionFor(this.#accessToken);
    return cookiesIn(request.headers.get('cookie') ?? '').some((value) => isSame(value, session)) ? localPerson : null;
  }

  /** Returns whether a request presents the access token, which people choose, and which may therefore be guessed. */
  usedAccessToken({ headers }: Pick<AccessRequest, 'headers'>): boolean {
    const secret = secretIn(headers.get('authorization') ?? '');
    return secret !== null && this.#isAccessToken(secret);
  }

  /** Logs a request without a valid token, at most once per minute for each address. */
  reportRefusal({ headers, remoteAddress }: AccessRequest, request: { method: string; path: string }): void {
    const nowMs = performance.now();
    const lastMs = this.#reportedAtMs.get(remoteAddress);
    if (lastMs !== undefined && nowMs - lastMs < reportEveryMs) return;
    // Requests from many addresses must not fill the memory.
    if (this.#reportedAtMs.size >= maxReportedAddresses) this.#reportedAtMs.clear();
    this.#reportedAtMs.set(remoteAddress, nowMs);
    const path = request.path.slice(0, 200);
    const hasToken = headers.has('authorization');
    this.#log.warn({ from: remoteAddress, method: request.method, path, hasToken }, 'refused request without valid access token');
  }

  /** Whether browsers need the access token too. */
  get needsToken(): boolean {
    return this.#accessToken !== null;
  }

  /** Returns the value of the session cookie for the access token, or `null` if the token is wrong. */
  sessionOf(token: string): string | null {
    return this.#isAccessToken(token) ? this.#sessionFor(token) : null;
  }

  #isAccessToken(secret: string): boolean {
    return this.#accessToken !== null && isSame(secret, this.#accessToken);
  }

  /** The cookie does not contain the token, so a stolen cookie does not reveal it. */
  #sessionFor(accessToken: string): string {
    return createHmac('sha256', this.#sessionKey).update(accessToken).digest('base64url');
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
    if (id === localPerson.id) return true;
    const token = this.#tokens.find(id);
    return token !== null && !this.#isExpired(token);
  }

  #isExpired({ expiresAt }: Token): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= this.#now();
  }

  #callerOf(secret: string): Caller | null {
    if (isSame(secret, this.#localKey) || this.#isAccessToken(secret)) return localPerson;
    // Looking up a hash reveals nothing about stored secrets through its timing.
    const token = this.#tokens.findByHash(hashOf(secret));
    if (token === null || this.#isExpired(token)) return null;
    const now = this.#now();
    if (token.lastUsedAt === null || now - Date.parse(token.lastUsedAt) >= recordUseEveryMs) this.#recordUse(token.id, now);
    const { id, name, scopes: granted, projects } = token;
    return { type: 'program', id, name, scopes: new Set(granted), projects: projects === 'all' ? 'all' : new Set(projects) };
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

/** Returns the secret of a bearer token, or the password that git sends. */
function secretIn(authorization: string): string | null {
  const [, scheme = '', credentials = ''] = /^(bearer|basic) +([\x21-\x7e]{1,400})$/i.exec(authorization.trim()) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials === '' ? null : credentials;
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon === -1 ? null : decoded.slice(colon + 1);
}

/** Returns all session cookies. A preview on a subdomain of the studio's host can add a wrong one. */
function cookiesIn(header: string): string[] {
  const prefix = `${sessionCookie}=`;
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
}
