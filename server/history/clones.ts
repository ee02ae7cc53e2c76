import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { KodaError } from '../contract/errors.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { GitError, gitOutput } from './git.ts';

/** A request of a git client, judged already: nothing in it is text of the client's but the body. */
interface CloneRequest {
  /** What there is, or the objects themselves. */
  readonly step: 'refs' | 'pack';
  /** Of git's wire protocol. */
  readonly version: 0 | 1 | 2;
  /** Not compressed. Empty for `refs`. */
  readonly body: Uint8Array;
}

interface Options {
  readonly dataDir: string;
  /** Makes sure that the branch is the last checkpoint. */
  readonly publish: (projectId: string, options: { signal: AbortSignal }) => Promise<void>;
}

/** Each makes a pack, which takes a processor and some memory. */
const maxAtOnce = 4;
/** A client that stops reading must not keep its place for ever. */
const timeLimitMs = 15 * 60_000;

const settings = [
  // There are no pushes, and files of the repository are read through the protocol alone.
  'http.receivepack=false',
  'http.getanyfile=false',
  // The history, and not what was begun and has no row.
  'transfer.hideRefs=refs',
  'transfer.hideRefs=!refs/heads/main',
  'pack.threads=1',
  'pack.windowMemory=64m',
].flatMap((setting) => ['-c', setting]);

/** Histories for `git clone` and `git fetch`, read-only, through git's own server. */
export class GitClones {
  readonly #paths: DataPaths;
  readonly #publish: Options['publish'];
  #atOnce = 0;

  constructor({ dataDir, publish }: Options) {
    this.#paths = dataPaths(dataDir);
    this.#publish = publish;
  }

  /** Throws NOT_FOUND, SERVICE_UNAVAILABLE when too many ask at once, CANCELLED; destroying the content ends git. */
  async serve(
    projectId: string,
    request: CloneRequest,
    { signal }: { signal: AbortSignal },
  ): Promise<CgiHead & { content: Readable }> {
    if (request.step === 'refs') await this.#publish(projectId, { signal });
    if (this.#atOnce >= maxAtOnce) {
      throw new KodaError('SERVICE_UNAVAILABLE', 'Too many clones are being made at once. Try again in a moment.', {
        recovery: 'retry',
      });
    }
    this.#atOnce += 1;
    const repository = this.#paths.repository(projectId);
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
    const output = gitOutput([...settings, 'http-backend'], {
      repository,
      signal: limits,
      input: Readable.from([request.body]),
      env: environmentOf(repository, request),
    });
    // However it ends.
    output.once('close', () => {
      this.#atOnce -= 1;
    });
    try {
      const source: AsyncIterator<Uint8Array> = output[Symbol.asyncIterator]();
      const { head, rest } = await readCgiHead(source);
      const content = Readable.from(contentOf(rest, source), { objectMode: false });
      // A generator that was never started has no `finally` that could do this.
      content.once('close', () => output.destroy());
      return { ...head, content };
    } catch (error) {
      output.destroy();
      throw error;
    }
  }
}

async function* contentOf(rest: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (rest.byteLength > 0) yield rest;
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } catch (error) {
    // Its client knows why, and the protocol itself marks where a pack is complete.
    if (!(error instanceof GitError)) throw error;
  }
}

/** The variables of CGI. Each is made here: no header or path of the client becomes one. */
function environmentOf(repository: string, { step, version }: CloneRequest): Record<string, string> {
  const service = 'git-upload-pack';
  return {
    GIT_PROJECT_ROOT: dirname(repository),
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${basename(repository)}/${step === 'refs' ? 'info/refs' : service}`,
    REQUEST_METHOD: step === 'refs' ? 'GET' : 'POST',
    QUERY_STRING: step === 'refs' ? `service=${service}` : '',
    CONTENT_TYPE: step === 'refs' ? '' : `application/x-${service}-request`,
    REMOTE_ADDR: '',
    GIT_PROTOCOL: version === 0 ? '' : `version=${version}`,
  };
}

/** What a CGI program says before the content that it prints (RFC 3875). */
export interface CgiHead {
  readonly status: number;
  readonly contentType: string;
}

/** More than this is no head. */
const maxHeadBytes = 16 * 1024;

/** The head of an answer, and the bytes that came with it but belong to the content. Throws an Error when there is none. */
export async function readCgiHead(source: AsyncIterator<Uint8Array>): Promise<{ head: CgiHead; rest: Uint8Array }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n');
    if (end !== -1) return { head: parseHead(bytes.toString('latin1', 0, end)), rest: bytes.subarray(end + 4) };
    if (bytes.length > maxHeadBytes) throw new Error('git http-backend printed no head');
    const next = await source.next();
    if (next.done === true) throw new Error('git http-backend ended before it had printed its head');
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
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`git http-backend printed the status ${status}`);
  return { status, contentType: fields.get('content-type') ?? 'application/octet-stream' };
}
