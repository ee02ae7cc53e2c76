import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'hono';
import { errorTraits, KodaError } from '#contract/errors.ts';
import { projectIdSchema } from '#contract/ids.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { cutOnError, limitedBody, streamedBody } from '../edge/body.ts';
import { described } from '../route.ts';

/** Size limit for git's list of haves and wants, compressed or not. A fetch sends at most a few hundred kilobytes. */
const maxBodyBytes = 8 * 1024 * 1024;
const service = 'git-upload-pack';
const unzip = promisify(gunzip);

const readOnly = () =>
  new KodaError(
    'FORBIDDEN',
    'This history is read-only: it can be cloned and fetched, but not pushed to. Import changes as a new project: koda import <file>.',
    { recovery: 'import_project' },
  );
const dumb = () =>
  new KodaError('FORBIDDEN', 'Only git’s smart HTTP protocol is supported. Use git 1.6.6 or newer.', {
    recovery: 'update_git',
  });
const noHistory = () =>
  new KodaError('NOT_FOUND', 'There is no history at this address. Use /git/<project>.git; "koda list" lists the projects.', {
    recovery: 'list_projects',
  });

/** Registers `git clone` and `git fetch` of a project's history, read-only, over git's smart HTTP protocol. */
export function registerClones(app: HttpApp, { clones, store }: Pick<HttpDeps, 'clones' | 'store'>): void {
  const serve = async (c: Context<HttpEnv>, step: 'refs' | 'pack'): Promise<Response> => {
    const projectId = projectOf(c.req.param('repository') ?? '');
    await store.get(projectId);
    const body = step === 'pack' ? await bodyOf(c) : new Uint8Array();
    const { status, contentType, content } = await clones.serve(projectId, { step, body }, { signal: c.req.raw.signal });
    return new Response(streamedBody(c, cutOnError(content, c.env.outgoing)), {
      status,
      headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    });
  };

  const refs = described(routes.gitRefs, 'A project’s history for git: git clone <this server>/git/<project>.git', {
    description: 'List of refs, in git’s smart HTTP protocol; main is the only branch. Errors are plain text.',
  });
  app.openapi(refs, (c) =>
    withPlainTextErrors(async () => {
      const requested = c.req.query('service');
      if (requested === service) return await serve(c, 'refs');
      throw requested === undefined ? dumb() : readOnly();
    }),
  );
  const pack = described(routes.gitPack, 'Objects requested by a git client', {
    description: 'A pack, in git’s smart HTTP protocol. Errors are plain text.',
  });
  app.openapi(pack, (c) => withPlainTextErrors(() => serve(c, 'pack')));
  app.all('/git/*', (c) =>
    withPlainTextErrors(async () => {
      throw c.req.path.endsWith('/git-receive-pack') ? readOnly() : noHistory();
    }),
  );
}

function projectOf(repository: string): string {
  const parsed = projectIdSchema.safeParse(repository.replace(/\.git$/, ''));
  if (!parsed.success) throw noHistory();
  return parsed.data;
}

/** Decompresses the body within a limit. Buffers it, because git may respond early, and errors must come first. */
async function bodyOf(c: Context<HttpEnv>): Promise<Uint8Array> {
  if (c.req.header('content-type') !== `application/x-${service}-request`) {
    throw new KodaError('UNSUPPORTED_TYPE', 'This address is for git clients only. Use: git clone <this address>.', {
      recovery: 'use_git',
    });
  }
  const packed = await buffer(limitedBody(c, maxBodyBytes));
  switch (c.req.header('content-encoding')) {
    case undefined:
    case 'identity':
      return packed;
    case 'gzip':
    case 'x-gzip':
      return await unpacked(packed);
    default:
      throw new KodaError('UNSUPPORTED_TYPE', 'The content encoding is not supported. Use gzip or none.', {
        recovery: 'correct_request',
      });
  }
}

async function unpacked(packed: Uint8Array): Promise<Uint8Array> {
  try {
    return await unzip(packed, { maxOutputLength: maxBodyBytes });
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new KodaError('TOO_LARGE', `The request body is too large. The limit is ${maxBodyBytes} bytes, uncompressed.`, {
        recovery: 'send_less',
        cause,
      });
    }
    throw new KodaError('BAD_REQUEST', 'The request body could not be decompressed: it is not valid gzip data.', {
      recovery: 'correct_request',
      cause,
    });
  }
}

/** Sends errors as plain text, which git shows to its user. For JSON, git would show only the status. */
async function withPlainTextErrors(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KodaError)) throw error;
    return new Response(`${error.message}\n`, {
      status: errorTraits(error.code).status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}
