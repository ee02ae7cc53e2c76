import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { projectIdSchema } from '../contract/ids.ts';
import { isWritablePath, normalizeProjectPath } from '../contract/paths.ts';
import { routes } from '../contract/routes.ts';
import { ByteCollector } from '../lib/byte-collector.ts';
import { failpoint } from '../lib/failpoint.ts';
import { KeyedLock } from '../projects/keyed-lock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { limitedBody, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { assertExpected, currentTag, expectedOf, openTagged, Tagger } from './file-versions.ts';
import { untrustedHeaders } from './headers.ts';
import { described, parseRequest } from './route.ts';
import { runningSandbox } from './sandbox.ts';

const maxFileBytes = 10 * 1024 * 1024;

const conditions =
  'With `If-Match` and the ETag of the version that was seen, or `If-None-Match: *` for none, a file that is something else by now stays as it is: CONFLICT.';
const conditionHeaders = z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() });

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'sandboxes' | 'checkpoints' | 'log'>;

/** The files of a project, as they are in its running sandbox. */
export function registerFiles(app: HttpApp, { store, projects, sandboxes, checkpoints, log }: Deps): void {
  const sandboxOf = runningSandbox({ store, projects, sandboxes, log });

  const target = (c: Context<HttpEnv>): { projectId: string; path: string } => {
    const projectId = parseRequest(projectIdSchema, c.req.param('id'));
    const result = normalizeProjectPath(c.req.param('path') ?? '');
    if (!result.ok)
      throw new KodaError('INVALID_PATH', `The path was refused: ${result.reason}.`, { details: { field: 'path' } });
    return { projectId, path: result.path };
  };

  const writableTarget = (c: Context<HttpEnv>): { projectId: string; path: string } => {
    const found = target(c);
    if (isWritablePath(found.path)) return found;
    throw new KodaError(
      'INVALID_PATH',
      `"${found.path}" cannot be changed: only src/, public/, scripts/ and configuration files in the root can.`,
      {
        details: { field: 'path' },
      },
    );
  };

  /** Serialises changes of one file that depend on its version. The agent's own writes do not take part. */
  const oneAtATime = new KeyedLock();

  /** Writes the body. With an expected version the body is held as a whole, so that look and change are close together. */
  const write = async (c: Context<HttpEnv>, sandbox: Sandbox, path: string) => {
    const { signal } = c.req.raw;
    const expected = expectedOf(c);
    const tagger = new Tagger();
    const body = tagger.over(limitedBody(c, maxFileBytes));
    if (expected === null) {
      const written = await sandbox.writeFile(path, Readable.from(body), { signal });
      return { written, tag: tagger.tag() };
    }
    const bytes = new ByteCollector();
    for await (const piece of body) bytes.add(piece);
    const tag = tagger.tag();
    return await oneAtATime.run(`${sandbox.projectId}/${path}`, async () => {
      const current = await currentTag(sandbox, path, { signal, maxBytes: maxFileBytes });
      // The same bytes already: a client that did not get the answer the first time.
      if (current !== tag) assertExpected(expected, { path, tag: current });
      return { written: await sandbox.writeFile(path, bytes.whole(), { signal }), tag };
    });
  };

  app.openapi(described(routes.files, 'All files of a project', { answer: 'The files, without repeats' }), async (c) => {
    const { signal } = c.req.raw;
    const query = c.req.valid('query').path ?? '';
    const sandbox = await sandboxOf(c.req.valid('param').id, signal);
    const path = query === '' ? { ok: true as const, path: '' } : normalizeProjectPath(query);
    if (!path.ok) throw new KodaError('INVALID_PATH', `The path was refused: ${path.reason}.`, { details: { field: 'path' } });
    return c.json(await sandbox.listFiles(path.path, { signal, recursive: true }), 200);
  });

  app.openapi(
    described(routes.readFile, 'The content of a file', {
      description: 'The bytes of the file, never as a type that runs. Up to 2 MB they come with an ETag.',
    }),
    async (c) => {
      const { projectId, path } = target(c);
      const sandbox = await sandboxOf(projectId, c.req.raw.signal);
      const file = await openTagged(await sandbox.readFile(path, { signal: c.req.raw.signal }));
      const headers = untrustedHeaders(path);
      if (file.tag === null) return new Response(streamedBody(c, file.content), { headers });
      headers.set('etag', file.tag);
      headers.set('content-length', String(file.bytes.byteLength));
      return new Response(new Uint8Array(file.bytes), { headers });
    },
  );

  app.openapi(
    described(routes.writeFile, 'Write a file', {
      description: `${conditions} The answer carries the new ETag.`,
      answer: 'The file is written, and a checkpoint is taken',
      headers: conditionHeaders,
    }),
    async (c) => {
      const { signal } = c.req.raw;
      const { projectId, path } = writableTarget(c);
      const sandbox = await sandboxOf(projectId, signal);
      const { written, tag } = await write(c, sandbox, path);
      failpoint('file.after-write');
      await store.record(projectId, [{ type: 'file.written', path: written.path, sizeBytes: written.sizeBytes }]);
      failpoint('file.after-event');
      await checkpoints.save(projectId, 'user_edit', { signal, sandbox, title: `You wrote ${written.path}` });
      return c.json(written, 200, { etag: tag });
    },
  );

  app.openapi(
    described(routes.deleteFile, 'Delete a file', {
      description: conditions,
      answer: 'It is gone, and a checkpoint is taken',
      headers: conditionHeaders,
    }),
    async (c) => {
      const { signal } = c.req.raw;
      const { projectId, path } = writableTarget(c);
      const sandbox = await sandboxOf(projectId, signal);
      const expected = expectedOf(c);
      const deleted = await oneAtATime.run(`${projectId}/${path}`, async () => {
        if (expected !== null)
          assertExpected(expected, { path, tag: await currentTag(sandbox, path, { signal, maxBytes: maxFileBytes }) });
        return sandbox.deleteFile(path, { signal });
      });
      if (!deleted) throw new KodaError('NOT_FOUND', `There is no file "${path}".`, { recovery: 'list_files' });
      await store.record(projectId, [{ type: 'file.deleted', path }]);
      await checkpoints.save(projectId, 'user_edit', { signal, sandbox, title: `You deleted ${path}` });
      return c.json({ deleted: true as const }, 200);
    },
  );
}
