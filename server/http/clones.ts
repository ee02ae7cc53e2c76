import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'hono';
import { errorTraits, KodaError } from '../contract/errors.ts';
import { projectIdSchema } from '../contract/ids.ts';
import { routes } from '../contract/routes.ts';
import { limitedBody, orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { described } from './route.ts';

/** Limit of git's list of haves and wants, also unpacked: a fetch sends some hundred kilobytes at most. */
const maxBodyBytes = 8 * 1024 * 1024;
const service = 'git-upload-pack';
const unzip = promisify(gunzip);

const readOnly = () =>
  new KodaError(
    'FORBIDDEN',
    'This history can be cloned and fetched, not pushed to. Import changes as a project of their own: koda import <file>.',
    { recovery: 'import_project' },
  );
const dumb = () =>
  new KodaError('FORBIDDEN', 'This history is served by git’s smart protocol alone. Use git 1.6.6 or newer.', {
    recovery: 'update_git',
  });
const nothing = () =>
  new KodaError('NOT_FOUND', 'There is no such history. Its address is /git/<project>.git; "koda list" lists the projects.', {
    recovery: 'list_projects',
  });

/** A project's history for `git clone` and `git fetch`: read-only, git's smart HTTP protocol (X4). */
export function registerClones(app: HttpApp, { clones, store }: Pick<HttpDeps, 'clones' | 'store'>): void {
  const serve = async (c: Context<HttpEnv>, step: 'refs' | 'pack'): Promise<Response> => {
    const projectId = projectOf(c.req.param('repository') ?? '');
    await store.get(projectId);
    const body = step === 'pack' ? await bodyOf(c) : new Uint8Array();
    const { status, contentType, content } = await clones.serve(
      projectId,
      { step, version: versionOf(c.req.header('git-protocol')), body },
      { signal: c.req.raw.signal },
    );
    return new Response(streamedBody(c, orCut(content, c.env.outgoing)), {
      status,
      headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    });
  };

  const refs = described(routes.gitRefs, 'The history of a project for git: git clone <this server>/git/<project>.git', {
    description: 'What there is to fetch, by git’s smart HTTP protocol; one branch, main. Failures are plain text.',
  });
  app.openapi(refs, (c) =>
    inPlainWords(async () => {
      const asked = c.req.query('service');
      if (asked === service) return await serve(c, 'refs');
      throw asked === undefined ? dumb() : readOnly();
    }),
  );
  const pack = described(routes.gitPack, 'The objects that a git client asks for', {
    description: 'A pack, by git’s smart HTTP protocol. Failures are plain text.',
  });
  app.openapi(pack, (c) => inPlainWords(() => serve(c, 'pack')));
  app.all('/git/*', (c) =>
    inPlainWords(async () => {
      throw c.req.path.endsWith('/git-receive-pack') ? readOnly() : nothing();
    }),
  );
}

function projectOf(repository: string): string {
  const parsed = projectIdSchema.safeParse(repository.replace(/\.git$/, ''));
  if (!parsed.success) throw nothing();
  return parsed.data;
}

function versionOf(header: string | undefined): 0 | 1 | 2 {
  if (header === 'version=2') return 2;
  return header === 'version=1' ? 1 : 0;
}

/**
 * The body as git reads it. It is unpacked here, under a limit, and as a whole: git answers before it has read everything,
 * so a refusal has to come first.
 */
async function bodyOf(c: Context<HttpEnv>): Promise<Uint8Array> {
  if (c.req.header('content-type') !== `application/x-${service}-request`) {
    throw new KodaError('UNSUPPORTED_TYPE', 'Only git clients ask here: git clone <this address>.', { recovery: 'use_git' });
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
      throw new KodaError('UNSUPPORTED_TYPE', 'The body may be packed with gzip, or not at all.', {
        recovery: 'correct_request',
      });
  }
}

async function unpacked(packed: Uint8Array): Promise<Uint8Array> {
  try {
    return await unzip(packed, { maxOutputLength: maxBodyBytes });
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new KodaError('TOO_LARGE', `The body is too large: at most ${maxBodyBytes} bytes when it is unpacked.`, {
        recovery: 'send_less',
        cause,
      });
    }
    throw new KodaError('BAD_REQUEST', 'The body says that it is packed with gzip, but it cannot be unpacked.', {
      recovery: 'correct_request',
      cause,
    });
  }
}

/** git shows a plain text that comes with a failure; of JSON it would show the status alone. */
async function inPlainWords(work: () => Promise<Response>): Promise<Response> {
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
