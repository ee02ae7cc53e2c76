import type { ProjectListItem } from '#contract/api.ts';
import type { Project } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { restorableUntil } from '../projects/removal.ts';
import type { ListedProject, ProjectRecord } from '../storage/projects.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { createOnce, idempotent } from './idempotency.ts';
import { described } from './route.ts';

export function toProject({ hints: _hints, previewLabel: _previewLabel, ...project }: ProjectRecord): Project {
  return project;
}

function toListItem({ thumbnailUrl, videoUrl, deletedAt, ...record }: ListedProject): ProjectListItem {
  const until = deletedAt === null ? null : restorableUntil(deletedAt);
  return { ...toProject(record), thumbnailUrl, videoUrl, restorableUntil: until };
}

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'disk' | 'idempotency'>;

export function registerProjects(app: HttpApp, { store, projects, disk, idempotency }: Deps): void {
  app.openapi(
    {
      ...described(routes.createProject, 'Create a project from a prompt'),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      await disk.assertFreeSpace();
      const project = await createOnce(c, 'prj', {
        find: (id) => store.get(id),
        make: (id) => projects.create(c.req.valid('json'), { id }),
      });
      c.header('location', `/api/projects/${project.id}`);
      return c.json(toProject(project), 201);
    },
  );
  app.openapi(
    described(routes.projects, 'Projects, newest first', {
      description: '`state=deleted` lists projects that can be restored.',
    }),
    async (c) => {
      const { cursor = null, search = null, ...query } = c.req.valid('query');
      const { items, nextCursor } = await store.list({ cursor, search, ...query });
      return c.json({ items: items.map(toListItem), nextCursor }, 200);
    },
  );
  app.openapi(described(routes.project, 'Snapshot of a project, with the sequence number for its event stream'), async (c) =>
    c.json(await store.snapshot(c.req.valid('param').id), 200),
  );
  app.openapi(
    described(routes.projectUsage, 'A project’s disk usage', {
      answer: 'Bytes used by its history, uploads and renders',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      await store.get(id);
      return c.json(await disk.ofProject(id), 200);
    },
  );
  app.openapi(described(routes.renameProject, 'Rename a project'), async (c) => {
    const { id } = c.req.valid('param');
    await projects.rename(id, c.req.valid('json').name);
    return c.json(toProject(await store.get(id)), 200);
  });
  app.openapi(
    described(routes.deleteProject, 'Stop a project and delete it with its sandbox, files and videos', {
      description:
        'Removes it from all lists at once, and ends its run, renders and sandbox. Its files and videos stay for a day, so that it can be restored. With `now=true`, or if disk space is low, they are deleted at once. `now=true` also works for a project that is already deleted.',
    }),
    async (c) => {
      const now = c.req.valid('query').now === 'true' || (await disk.isLow());
      const removed = await projects.remove(c.req.valid('param').id, { now });
      return c.json({ deleted: true as const, ...removed }, 200);
    },
  );
  app.openapi(
    described(routes.restoreProject, 'Restore a deleted project', {
      description: 'Restores its last state, with all work stopped. Has no effect on a project that is not deleted.',
    }),
    async (c) => {
      return c.json(toProject(await projects.restore(c.req.valid('param').id)), 200);
    },
  );
}
