import { z } from '@hono/zod-openapi';
import {
  createProjectRequestSchema,
  type ProjectListItem,
  page,
  projectDeletedSchema,
  projectListItemSchema,
  projectListQuerySchema,
  projectPatchSchema,
  projectSnapshotSchema,
} from '../contract/api.ts';
import { projectUsageSchema } from '../contract/http.ts';
import { type Project, projectSchema } from '../contract/project.ts';
import { restorableUntil } from '../projects/removal.ts';
import type { ListedProject, ProjectRecord } from '../storage/projects.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { answer, defineRoute, failure, jsonBody, projectParams } from './route.ts';

/** What a client sees of a project: the record without the preview's secret label and the hints. */
export function toProject({ hints: _hints, previewLabel: _previewLabel, ...project }: ProjectRecord): Project {
  return project;
}

function toListItem({ thumbnailUrl, videoUrl, deletedAt, ...record }: ListedProject): ProjectListItem {
  const until = deletedAt === null ? null : restorableUntil(deletedAt);
  return { ...toProject(record), thumbnailUrl, videoUrl, restorableUntil: until };
}

const create = defineRoute({
  method: 'post',
  path: '/api/projects',
  summary: 'Start a project from a sentence',
  request: { body: jsonBody(createProjectRequestSchema) },
  responses: { ...answer(201, 'The project', projectSchema), ...failure },
});
const list = defineRoute({
  method: 'get',
  path: '/api/projects',
  summary: 'Projects, the newest first',
  description: 'With `state=deleted`: those that can be restored.',
  request: { query: projectListQuerySchema },
  responses: { ...answer(200, 'A page of projects', page(projectListItemSchema)), ...failure },
});
const get = defineRoute({
  method: 'get',
  path: '/api/projects/{id}',
  summary: 'Everything about a project, and where its event stream goes on',
  request: { params: projectParams },
  responses: { ...answer(200, 'The project as it is now', projectSnapshotSchema), ...failure },
});
const rename = defineRoute({
  method: 'patch',
  path: '/api/projects/{id}',
  summary: 'Rename a project',
  request: { params: projectParams, body: jsonBody(projectPatchSchema) },
  responses: { ...answer(200, 'The project', projectSchema), ...failure },
});
const remove = defineRoute({
  method: 'delete',
  path: '/api/projects/{id}',
  summary: 'Stop a project and delete it with its sandbox, files and videos',
  description:
    'It is gone from all lists at once, and its run, renders and sandbox end. Its files and videos are kept for a day, so that it can be restored; with `now=true`, or when the disk is short of space, they are deleted, too. `now=true` also takes a project that was deleted before.',
  request: { params: projectParams, query: z.object({ now: z.enum(['true', 'false']).default('false') }) },
  responses: { ...answer(200, 'It is deleted', projectDeletedSchema), ...failure },
});
const restore = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/restore',
  summary: 'Bring a deleted project back',
  description: 'As it was when it was deleted, its work stopped. A project that is there stays as it is.',
  request: { params: projectParams },
  responses: { ...answer(200, 'The project', projectSchema), ...failure },
});

const usage = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/usage',
  summary: 'What a project takes on the disk of the server',
  request: { params: projectParams },
  responses: { ...answer(200, 'Bytes of its history, uploads and renders', projectUsageSchema), ...failure },
});

type Deps = Pick<HttpDeps, 'store' | 'sessions' | 'disk' | 'idempotency'>;

export function registerProjects(app: HttpApp, { store, sessions, disk, idempotency }: Deps): void {
  app.openapi({ ...create, middleware: idempotent(idempotency, { fingerprint: 'body' }) }, async (c) => {
    await disk.assertRoom();
    const project = await madeOnce(c, 'prj', {
      find: (id) => store.get(id),
      make: (id) => sessions.create(c.req.valid('json'), { id }),
    });
    c.header('location', `/api/projects/${project.id}`);
    return c.json(toProject(project), 201);
  });
  app.openapi(list, async (c) => {
    const { cursor = null, search = null, ...query } = c.req.valid('query');
    const { items, nextCursor } = await store.list({ cursor, search, ...query });
    return c.json({ items: items.map(toListItem), nextCursor }, 200);
  });
  app.openapi(get, async (c) => c.json(await store.snapshot(c.req.valid('param').id), 200));
  app.openapi(usage, async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json(await disk.ofProject(id), 200);
  });
  app.openapi(rename, async (c) => {
    const { id } = c.req.valid('param');
    await sessions.rename(id, c.req.valid('json').name);
    return c.json(toProject(await store.get(id)), 200);
  });
  app.openapi(remove, async (c) => {
    const now = c.req.valid('query').now === 'true' || (await disk.isShort());
    const removed = await sessions.remove(c.req.valid('param').id, { now });
    return c.json({ deleted: true as const, ...removed }, 200);
  });
  app.openapi(restore, async (c) => {
    return c.json(toProject(await sessions.restore(c.req.valid('param').id)), 200);
  });
}
