import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { deletePath, openFile, statPath, writeFileAtomically } from '../files/content.ts';
import { listFolder, orNotFound } from '../files/listing.ts';
import { importTar } from '../files/tar-in.ts';
import { tarOf } from '../files/tar-out.ts';
import type { ChangeTracker } from '../files/tracker.ts';
import { invalidRequest, sendStream, wholeNumber } from '../http.ts';

/** Listing, reading, writing, archives and changes of the workspace. */
export function fileRoutes(deps: { workspace: string; tracker: ChangeTracker }): Hono {
  const { workspace, tracker } = deps;
  const app = new Hono();

  app.get('/files', async (c) => {
    const path = c.req.query('path') ?? '';
    return c.json(await orNotFound(workspace, path, listFolder(workspace, path, flag(c, 'recursive'))));
  });

  app.get('/files/stat', async (c) => {
    const path = requiredPath(c);
    return c.json(await orNotFound(workspace, path, statPath(workspace, path)));
  });

  app.get('/files/content', async (c) => {
    const path = requiredPath(c);
    const { handle, sizeBytes } = await orNotFound(workspace, path, openFile(workspace, path));
    // Exactly as many bytes as were promised, also when the file grows meanwhile.
    const stream = sizeBytes === 0 ? Readable.from([]) : handle.createReadStream({ start: 0, end: sizeBytes - 1 });
    if (sizeBytes === 0) await handle.close();
    return sendStream(stream, { 'content-type': 'application/octet-stream', 'content-length': String(sizeBytes) });
  });

  app.put('/files/content', async (c) => {
    return c.json(await writeFileAtomically(workspace, requiredPath(c), body(c)));
  });

  app.delete('/files/content', async (c) => {
    return c.json({ deleted: await deletePath(workspace, requiredPath(c)) });
  });

  app.get('/changes', async (c) => c.json(await tracker.changes(wholeNumber(c, 'since'))));

  app.get('/tar', async (c) => {
    const changed = await tracker.changedBy(wholeNumber(c, 'seen'), wholeNumber(c, 'since'));
    return sendStream(tarOf(workspace, changed), { 'content-type': 'application/x-tar' });
  });

  app.put('/tar', async (c) => c.json(await importTar(workspace, body(c), { clear: flag(c, 'clear') })));

  return app;
}

function body(c: Context): AsyncIterable<Uint8Array> {
  return c.req.raw.body ?? Readable.from([]);
}

function requiredPath(c: Context): string {
  const path = c.req.query('path');
  if (path === undefined) throw invalidRequest('The parameter "path" is missing.');
  return path;
}

function flag(c: Context, name: string): boolean {
  const value = c.req.query(name);
  return value === 'true' || value === '1';
}
