import type { ProjectListItem } from '../contract/api.ts';
import type { Project } from '../contract/project.ts';
import { routes } from '../contract/routes.ts';
import { restorableUntil } from '../projects/removal.ts';
import type { ListedProject, ProjectRecord } from '../storage/projects.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { described } from './route.ts';

/** What a client sees of a project: the record without the preview's secret label and the hints. */
export function toProject({ hints: _hints, previewLabel: _previewLabel, ...project }: ProjectRecord): Project {
  return project;
}

function toListItem({ thumbnailUrl, videoUrl, deletedAt, ...record }: ListedProject): ProjectListItem {
  const until = deletedAt === null ? null : restorableUntil(deletedAt);
  return { ...toProject(record), thumbnailUrl, videoUrl, restorableUntil: until };
}

type Deps = Pick<HttpDeps, 'store' | 'sessions' | 'disk' | 'idempotency'>;

export function registerProjects(app: HttpApp, { store, sessions, disk, idempotency }: Deps): void {
  app.openapi(
    {
      ...described(routes.createProject, 'Start a project from a sentence'),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      await disk.assertRoom();
      const project = await madeOnce(c, 'prj', {
        find: (id) => store.get(id),
        make: (id) => sessions.create(c.req.valid('json'), { id }),
      });
      c.header('location', `/api/projects/${project.id}`);
      return c.json(toProject(project), 201);
    },
  );
  app.openapi(
    described(routes.projects, 'Projects, the newest first', {
      description: 'With `state=deleted`: those that can be restored.',
    }),
    async (c) => {
      const { cursor = null, search = null, ...query } = c.req.valid('query');
      const { items, nextCursor } = await store.list({ cursor, search, ...query });
      return c.json({ items: items.map(toListItem), nextCursor }, 200);
    },
  );
  app.openapi(described(routes.project, 'Everything about a project, and where its event stream goes on'), async (c) =>
    c.json(await store.snapshot(c.req.valid('param').id), 200),
  );
  app.openapi(
    described(routes.projectUsage, 'What a project takes on the disk of the server', {
      answer: 'Bytes of its history, uploads and renders',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      await store.get(id);
      return c.json(await disk.ofProject(id), 200);
    },
  );
  app.openapi(described(routes.renameProject, 'Rename a project'), async (c) => {
    const { id } = c.req.valid('param');
    await sessions.rename(id, c.req.valid('json').name);
    return c.json(toProject(await store.get(id)), 200);
  });
  app.openapi(
    described(routes.deleteProject, 'Stop a project and delete it with its sandbox, files and videos', {
      description:
        'It is gone from all lists at once, and its run, renders and sandbox end. Its files and videos are kept for a day, so that it can be restored; with `now=true`, or when the disk is short of space, they are deleted, too. `now=true` also takes a project that was deleted before.',
    }),
    async (c) => {
      const now = c.req.valid('query').now === 'true' || (await disk.isShort());
      const removed = await sessions.remove(c.req.valid('param').id, { now });
      return c.json({ deleted: true as const, ...removed }, 200);
    },
  );
  app.openapi(
    described(routes.restoreProject, 'Bring a deleted project back', {
      description: 'As it was when it was deleted, its work stopped. A project that is there stays as it is.',
    }),
    async (c) => {
      return c.json(toProject(await sessions.restore(c.req.valid('param').id)), 200);
    },
  );
}
