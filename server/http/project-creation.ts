import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { createOnce, idempotent } from './idempotency.ts';
import { toProject } from './projects.ts';
import { described } from './route.ts';
import { receiveUpload } from './upload.ts';

type Deps = Pick<HttpDeps, 'projects' | 'store' | 'disk' | 'idempotency'>;

export function registerProjectCreation(app: HttpApp, { projects, store, disk, idempotency }: Deps): void {
  app.openapi(
    {
      ...described(routes.branchProject, 'Create a project from a checkpoint of this one', {
        description:
          'Copies history, uploads and messages up to that point into a repository of its own. Without `checkpointId` it uses the current files.',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { signal } = c.req.raw;
      await disk.assertFreeSpace();
      const branch = (id: string) => projects.history.branch(c.req.valid('param').id, c.req.valid('json'), { id, signal });
      // Repeated even for an existing project, because some of its uploads may be missing.
      const project = await createOnce(c, 'prj', { find: branch, make: branch });
      c.header('location', `/api/projects/${project.id}`);
      return c.json(toProject(project), 201);
    },
  );

  const importing = described(routes.importProject, 'Create a project from a zip or a git bundle', {
    description:
      '`kind` is the kind of the new project: `animation` (the default) or `cycle`. One file: as multipart form data, or as the body with its percent-encoded name in X-Filename. A film needs package.json and index.html in its top folder; a cycle needs SPEC.md, and its work starts at once. A single folder around everything is stripped. node_modules, dist, .git and caches in a zip are ignored. Limits: 512 MiB, 20,000 files, 1 GiB unpacked.',
  });
  app.openapi({ ...importing, middleware: idempotent(idempotency, { fingerprint: 'head' }) }, async (c) => {
    const { signal } = c.req.raw;
    await disk.assertFreeSpace();
    const project = await createOnce(c, 'prj', {
      find: (id) => store.get(id),
      make: (id) =>
        receiveUpload(c, (upload) => projects.history.import({ ...upload, kind: c.req.valid('query').kind }, { id, signal })),
    });
    c.header('location', `/api/projects/${project.id}`);
    return c.json(toProject(project), 201);
  });
}
