import type { ProjectListItem } from '#contract/api.ts';
import type { Project } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { restorableUntil } from '../../projects/removal.ts';
import type { ListedProject, ProjectRecord } from '../../storage/projects.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';
import { receiveUpload, uploadSlots } from './upload.ts';

export function toProject({ hints: _hints, previewLabel: _previewLabel, owner: _owner, ...project }: ProjectRecord): Project {
  return project;
}

function toListItem({ thumbnailUrl, videoUrl, deletedAt, ...record }: ListedProject): ProjectListItem {
  const until = deletedAt === null ? null : restorableUntil(deletedAt);
  return { ...toProject(record), thumbnailUrl, videoUrl, restorableUntil: until };
}

export function registerProjects(
  app: HttpApp,
  { store, projects, disk, idempotency }: Pick<HttpDeps, 'store' | 'projects' | 'disk' | 'idempotency'>,
): void {
  app.openapi(
    {
      ...described(routes.createProject, 'Create a project from a prompt', {
        description:
          '`hints` are choices in addition to the prompt. A film has `style` (playful, smooth or cinematic), `aspect` (16:9, 9:16, 1:1 or 4:5) and `durationSeconds`. The fields with these names outside `hints` are kept for older clients.',
      }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const project = await createOnce(c, 'prj', {
        find: (id) => store.get(id),
        make: (id) => projects.as(callerOf(c)).create(c.req.valid('json'), { id }),
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
    await projects.as(callerOf(c)).rename(id, c.req.valid('json').name);
    return c.json(toProject(await store.get(id)), 200);
  });
  app.openapi(
    described(routes.deleteProject, 'Stop a project and delete it with its sandbox, files and videos', {
      description:
        'Removes it from all lists at once, and ends its run, renders and sandbox. Its files and videos stay for a day, so that it can be restored. With `now=true`, or if disk space is low, they are deleted at once. `now=true` also works for a project that is already deleted.',
    }),
    async (c) => {
      const now = c.req.valid('query').now === 'true';
      const removed = await projects.as(callerOf(c)).remove(c.req.valid('param').id, { now });
      return c.json({ deleted: true as const, ...removed }, 200);
    },
  );
  app.openapi(
    described(routes.restoreProject, 'Restore a deleted project', {
      description: 'Restores its last state, with all work stopped. Has no effect on a project that is not deleted.',
    }),
    async (c) => {
      return c.json(toProject(await projects.as(callerOf(c)).restore(c.req.valid('param').id)), 200);
    },
  );
}

/** Registers the routes that create a project from another one, or from an archive. */
export function registerProjectCreation(
  app: HttpApp,
  { projects, store, idempotency }: Pick<HttpDeps, 'projects' | 'store' | 'idempotency'>,
): void {
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
      const branch = (id: string) =>
        projects.as(callerOf(c)).history.branch(c.req.valid('param').id, c.req.valid('json'), { id, signal });
      // Repeated even for an existing project, because some of its uploads may be missing.
      const project = await createOnce(c, 'prj', { find: branch, make: branch });
      c.header('location', `/api/projects/${project.id}`);
      return c.json(toProject(project), 201);
    },
  );

  const slots = uploadSlots('imports', 2);
  const importing = described(routes.importProject, 'Create a project from a zip or a git bundle', {
    description:
      '`kind` is the kind of the new project: `animation` (the default) or `cycle`. One file: as multipart form data, or as the body with its percent-encoded name in X-Filename. A film needs package.json and index.html in its top folder; a cycle needs SPEC.md, and its work starts at once. A single folder around everything is stripped. node_modules, dist, .git and caches in a zip are ignored. Limits: 512 MiB, 20,000 files, 1 GiB unpacked.',
  });
  app.openapi({ ...importing, middleware: idempotent(idempotency, { fingerprint: 'head' }) }, async (c) => {
    const { signal } = c.req.raw;
    const project = await createOnce(c, 'prj', {
      find: (id) => store.get(id),
      make: (id) =>
        receiveUpload(c, slots, (upload) =>
          projects.as(callerOf(c)).history.import({ ...upload, kind: c.req.valid('query').kind }, { id, signal }),
        ),
    });
    c.header('location', `/api/projects/${project.id}`);
    return c.json(toProject(project), 201);
  });
}
