import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { GitError, git, gitOutput } from './git.ts';

/** Validated request from a git client. Only `body` contains client-supplied bytes. */
interface CloneRequest {
  /** `refs` lists the branches; `pack` transfers the objects. */
  readonly step: 'refs' | 'pack';
  readonly body: Uint8Array;
}

interface Options {
  readonly dataDir: string;
  readonly publish: (projectId: string, options: { signal: AbortSignal }) => Promise<void>;
}

/** Limits CPU and memory, because git builds a pack for each clone. */
const maxAtOnce = 2;
/** Time after which the slot of a client that has stopped reading is freed. */
const timeLimitMs = 15 * 60_000;

const settings = [
  // The configuration makes the repository read-only: no pushes, and no direct download of its files.
  'http.receivepack=false',
  'http.getanyfile=false',
  // Serves only what the branch reaches. Other objects of a project are deleted work, or work that failed.
  'uploadpack.allowTipSHA1InWant=false',
  'uploadpack.allowReachableSHA1InWant=false',
  'uploadpack.allowAnySHA1InWant=false',
  // Shows only checkpoints, hiding commits without a row.
  'transfer.hideRefs=refs',
  'transfer.hideRefs=!refs/heads/main',
].flatMap((setting) => ['-c', setting]);

/** Serves project histories to `git clone` and `git fetch`, read-only, through `git http-backend`. */
export class GitClones {
  readonly #paths: DataPaths;
  readonly #publish: Options['publish'];
  #atOnce = 0;

  constructor({ dataDir, publish }: Options) {
    this.#paths = dataPaths(dataDir);
    this.#publish = publish;
  }

  /** Destroying the content stops git. Throws NOT_FOUND, CANCELLED, or SERVICE_UNAVAILABLE if too many clones are running. */
  async serve(
    projectId: string,
    request: CloneRequest,
    { signal }: { signal: AbortSignal },
  ): Promise<CgiHead & { content: Readable }> {
    const repository = this.#paths.repository(projectId);
    if (request.step === 'refs') await this.#publish(projectId, { signal });
    else await assertCommits(repository, request.body, { signal });
    if (this.#atOnce >= maxAtOnce) {
      throw new KodaError('SERVICE_UNAVAILABLE', 'Too many clones are running. Try again in a few minutes.', {
        recovery: 'retry',
      });
    }
    this.#atOnce += 1;
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
    const output = gitOutput([...settings, 'http-backend'], {
      repository,
      signal: limits,
      input: Readable.from([request.body]),
      env: environmentOf(repository, request),
    });
    output.once('close', () => {
      this.#atOnce -= 1;
    });
    try {
      const source: AsyncIterator<Uint8Array> = output[Symbol.asyncIterator]();
      const { head, rest } = await readCgiHead(source);
      const content = Readable.from(contentOf(rest, source), { objectMode: false });
      // The `finally` of a generator that was never started does not run.
      content.once('close', () => output.destroy());
      return { ...head, content };
    } catch (error) {
      output.destroy();
      throw error;
    }
  }
}

/**
 * Throws NOT_FOUND if a client wants something other than a commit. git checks whether the branch reaches a commit, but not
 * whether it reaches a file or folder.
 */
async function assertCommits(repository: string, body: Uint8Array, { signal }: { signal: AbortSignal }): Promise<void> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const wanted = new Set(Array.from(text.matchAll(/want ([0-9a-f]{40})/gi), ([, id = '']) => id.toLowerCase()));
  if (wanted.size === 0) return;
  const input = Readable.from([Buffer.from(`${[...wanted].join('\n')}\n`)]);
  const types = await git(['cat-file', '--batch-check=%(objecttype)'], { repository, signal, input });
  if (!/^(?:blob|tree|tag)$/m.test(types)) return;
  throw new KodaError('NOT_FOUND', 'This history serves commits of its branch alone. Fetch “main”.', { recovery: 'use_git' });
}

async function* contentOf(rest: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (rest.byteLength > 0) yield rest;
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } catch (error) {
    // git reports the error to its client, and the protocol marks the end of a pack.
    if (!(error instanceof GitError)) throw error;
  }
}

/** Returns the CGI variables. None of them contains a header or path from the client. */
function environmentOf(repository: string, { step }: CloneRequest): Record<string, string> {
  const service = 'git-upload-pack';
  return {
    GIT_PROJECT_ROOT: dirname(repository),
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${basename(repository)}/${step === 'refs' ? 'info/refs' : service}`,
    REQUEST_METHOD: step === 'refs' ? 'GET' : 'POST',
    QUERY_STRING: step === 'refs' ? `service=${service}` : '',
    CONTENT_TYPE: step === 'refs' ? '' : `application/x-${service}-request`,
    REMOTE_ADDR: '',
    // Version 2 serves any object whose id a client knows. Clients fall back to this one, which costs nothing for one branch.
    GIT_PROTOCOL: '',
  };
}

/** Response head printed by a CGI program (RFC 3875). */
export interface CgiHead {
  readonly status: number;
  readonly contentType: string;
}

const maxHeadBytes = 16 * 1024;

/** Reads a CGI response head; `rest` is the content read beyond it. Throws an Error if there is no head. */
export async function readCgiHead(source: AsyncIterator<Uint8Array>): Promise<{ head: CgiHead; rest: Uint8Array }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n');
    if (end !== -1) return { head: parseHead(bytes.toString('latin1', 0, end)), rest: bytes.subarray(end + 4) };
    if (bytes.length > maxHeadBytes) throw new Error('git http-backend printed no response head');
    const next = await source.next();
    if (next.done === true) throw new Error('git http-backend exited before it printed a response head');
    bytes = Buffer.concat([bytes, next.value]);
  }
}

function parseHead(text: string): CgiHead {
  const fields = new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number((fields.get('status') ?? '200').slice(0, 3));
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new Error(`git http-backend printed an invalid status: ${status}`);
  return { status, contentType: fields.get('content-type') ?? 'application/octet-stream' };
}
