import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { projectIdSchema } from '#contract/ids.ts';
import { describeRoots, isWritablePath, normalizeProjectPath } from '#contract/paths.ts';
import { routes } from '#contract/routes.ts';
import { principalOf } from '../../access/policies.ts';
import { ByteCollector } from '../../lib/bytes.ts';
import { failpoint } from '../../lib/failpoint.ts';
import { KeyedLock } from '../../lib/keyed-lock.ts';
import { kindOf } from '../../projects/deps.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { limitedBody, streamedBody } from '../edge/body.ts';
import { untrustedHeaders } from '../edge/headers.ts';
import { described, parseRequest } from '../route.ts';
import { assertExpected, currentTag, expectedOf, openTagged, Tagger } from './file-versions.ts';
import { runningSandbox } from './sandbox.ts';

const maxFileBytes = 10 * 1024 * 1024;

const conditions =
  'Send `If-Match` with the ETag of the version to replace, or `If-None-Match: *` if the file must not exist yet. If the file has changed in the meantime, it stays unchanged and the response is CONFLICT.';
const conditionHeaders = z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() });

/** Returns the normalised path. Throws INVALID_PATH. */
export function projectPath(given: string): string {
  const result = normalizeProjectPath(given);
  if (result.ok) return result.path;
  throw new KodaError('INVALID_PATH', `The path is not valid: ${result.reason}.`, { details: { field: 'path' } });
}

type Deps = Pick<HttpDeps, 'store' | 'kinds' | 'projects' | 'sandboxes' | 'checkpoints' | 'log'>;

export function registerFiles(app: HttpApp, { store, kinds, projects, sandboxes, checkpoints, log }: Deps): void {
  const sandboxOf = runningSandbox({ store, projects, sandboxes, log });

  const target = (c: Context<HttpEnv>): { projectId: string; path: string } => {
    const projectId = parseRequest(projectIdSchema, c.req.param('id'));
    return { projectId, path: projectPath(c.req.param('path') ?? '') };
  };

  const writableTarget = async (c: Context<HttpEnv>): Promise<{ projectId: string; path: string }> => {
    const found = target(c);
    const roots = kindOf({ kinds }, await store.get(found.projectId)).writableRoots;
    if (isWritablePath(found.path, roots)) return found;
    throw new KodaError('INVALID_PATH', `"${found.path}" cannot be changed. Only ${describeRoots(roots)} can be.`, {
      details: { field: 'path' },
    });
  };

  /** Serialises conditional changes per file. The agent's own writes are not included. */
  const oneAtATime = new KeyedLock();

  /**
   * Writes the body. If a version is expected, buffers the body first, so that little time passes between check and write.
   */
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
      // The content already matches: the client missed the response and is retrying.
      if (current !== tag) assertExpected(expected, { path, tag: current });
      return { written: await sandbox.writeFile(path, bytes.whole(), { signal }), tag };
    });
  };

  app.openapi(described(routes.files, 'All files of a project', { answer: 'The files, without duplicates' }), async (c) => {
    const { signal } = c.req.raw;
    const query = c.req.valid('query').path ?? '';
    const sandbox = await sandboxOf(c.req.valid('param').id, signal);
    const path = query === '' ? '' : projectPath(query);
    return c.json(await sandbox.listFiles(path, { signal, recursive: true }), 200);
  });

  app.openapi(
    described(routes.readFile, 'The content of a file', {
      description: 'The content of the file, never with an executable type. Files up to 2 MB have an ETag.',
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
      description: `${conditions} The response has the new ETag.`,
      answer: 'The file was written and a checkpoint created',
      headers: conditionHeaders,
    }),
    async (c) => {
      const { signal } = c.req.raw;
      const { projectId, path } = await writableTarget(c);
      const sandbox = await sandboxOf(projectId, signal, { waits: true });
      const by = principalOf(callerOf(c));
      const { written, tag } = await write(c, sandbox, path);
      failpoint('file.after-write');
      await store.record(projectId, [{ type: 'file.written', path: written.path, sizeBytes: written.sizeBytes }], { by });
      failpoint('file.after-event');
      await checkpoints.save(projectId, 'user_edit', { by, signal, sandbox, title: `You wrote ${written.path}` });
      return c.json(written, 200, { etag: tag });
    },
  );

  app.openapi(
    described(routes.deleteFile, 'Delete a file', {
      description: conditions,
      answer: 'The file was deleted and a checkpoint created',
      headers: conditionHeaders,
    }),
    async (c) => {
      const { signal } = c.req.raw;
      const { projectId, path } = await writableTarget(c);
      const sandbox = await sandboxOf(projectId, signal, { waits: true });
      const expected = expectedOf(c);
      const deleted = await oneAtATime.run(`${projectId}/${path}`, async () => {
        if (expected !== null)
          assertExpected(expected, { path, tag: await currentTag(sandbox, path, { signal, maxBytes: maxFileBytes }) });
        return sandbox.deleteFile(path, { signal });
      });
      if (!deleted) throw new KodaError('NOT_FOUND', `There is no file "${path}".`, { recovery: 'list_files' });
      const by = principalOf(callerOf(c));
      await store.record(projectId, [{ type: 'file.deleted', path }], { by });
      await checkpoints.save(projectId, 'user_edit', { by, signal, sandbox, title: `You deleted ${path}` });
      return c.json({ deleted: true as const }, 200);
    },
  );
}
