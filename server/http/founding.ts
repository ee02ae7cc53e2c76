import { routes } from '../contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { toProject } from './projects.ts';
import { described } from './route.ts';
import { receiveUpload } from './upload.ts';

type Deps = Pick<HttpDeps, 'sessions' | 'store' | 'disk' | 'idempotency'>;

/** Projects that begin with files: branches of others, and imports. */
export function registerFounding(app: HttpApp, { sessions, store, disk, idempotency }: Deps): void {
  app.openapi(
    {
      ...described(routes.branchProject, 'A new project from a checkpoint of this one', {
        description:
          'With its history, its uploads and what was said until then, in a repository of its own. Without `checkpointId`: from the files as they are now.',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { signal } = c.req.raw;
      await disk.assertRoom();
      const branch = (id: string) => sessions.history.branch(c.req.valid('param').id, c.req.valid('json'), { id, signal });
      // Also of one that is there already: its uploads may not all be.
      const project = await madeOnce(c, 'prj', { find: branch, make: branch });
      c.header('location', `/api/projects/${project.id}`);
      return c.json(toProject(project), 201);
    },
  );

  const importing = described(routes.importProject, 'A new project from a zip or a git bundle', {
    description:
      'One file: as multipart form data, or as the body with its percent-encoded name in X-Filename. It needs package.json and index.html in its top folder (a single folder around everything is fine). Of a zip, node_modules, dist, .git and caches are left out. At most 512 MiB, 20,000 files and 1 GiB when unpacked.',
  });
  app.openapi({ ...importing, middleware: idempotent(idempotency, { fingerprint: 'head' }) }, async (c) => {
    const { signal } = c.req.raw;
    await disk.assertRoom();
    const project = await madeOnce(c, 'prj', {
      find: (id) => store.get(id),
      make: (id) => receiveUpload(c, (upload) => sessions.history.import(upload, { id, signal })),
    });
    c.header('location', `/api/projects/${project.id}`);
    return c.json(toProject(project), 201);
  });
}
