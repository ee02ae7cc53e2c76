import { KodaError } from '#contract/errors.ts';
import { filmOutlineOf } from '#contract/film-outline.ts';
import type { Phase } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import type { PlannedFilm } from '../renders/settings.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { createOnce, idempotent } from './idempotency.ts';
import { described } from './route.ts';

/** Phases with a film to render. After an error, it is the last checkpoint's. */
const renderablePhases: readonly Phase[] = ['preview', 'complete', 'error'];

/** Returns the accepted plan. Throws INVALID_TRANSITION if there is no film to render yet. */
function renderablePlan({ project, plan }: ProjectState): PlannedFilm {
  const film = plan?.accepted === true ? filmOutlineOf(plan) : null;
  if (film === null) {
    throw new KodaError('INVALID_TRANSITION', 'Nothing to render: the plan has not been accepted yet. Accept the plan first.', {
      details: { phase: project.phase },
      recovery: 'accept_plan',
    });
  }
  if (!renderablePhases.includes(project.phase)) {
    throw new KodaError('INVALID_TRANSITION', 'The film cannot be rendered while it is being built. Wait for its preview.', {
      details: { phase: project.phase },
      recovery: 'wait',
    });
  }
  return film;
}

type Deps = Pick<HttpDeps, 'renders' | 'store' | 'disk' | 'idempotency'>;

export function registerRenders(app: HttpApp, { renders, store, disk, idempotency }: Deps): void {
  app.openapi(described(routes.renders, 'Renders of a project, newest first'), async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await renders.list(id) }, 200);
  });
  app.openapi(
    {
      ...described(routes.startRender, 'Render the project', { answer: 'Queued; events report the progress' }),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const render = await createOnce(c, 'rnd', {
        find: (renderId) => renders.get(renderId),
        make: async (renderId) => {
          const plan = renderablePlan(await store.state(id));
          await disk.assertFreeSpace();
          return await renders.start(id, c.req.valid('json'), plan, { id: renderId });
        },
      });
      return c.json(render, 202);
    },
  );
  app.openapi(
    described(routes.estimateRender, 'Estimate settings, time and file size of a render without starting it', {
      description: 'The estimate is based on finished renders. The request returns the same errors as a render request.',
      answer: 'Complete settings and their cost',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const plan = renderablePlan(await store.state(id));
      return c.json(await renders.estimate(id, c.req.valid('json'), plan), 200);
    },
  );
  app.openapi(described(routes.renderQueue, 'Queue positions of a project’s waiting renders'), async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await renders.queued(id) }, 200);
  });
  app.openapi(described(routes.film, 'Description of the film: length, scenes, audio and parameters'), async (c) => {
    const { id } = c.req.valid('param');
    renderablePlan(await store.state(id));
    return c.json((await renders.describe(id, [], { signal: c.req.raw.signal })).film, 200);
  });
  app.openapi(
    described(routes.checkParameters, 'Check values for the film’s parameters, set by set, without rendering', {
      answer: 'Each set’s problem, or `null` if it has none',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      renderablePlan(await store.state(id));
      const { problems } = await renders.describe(id, c.req.valid('json').sets, { signal: c.req.raw.signal });
      return c.json({ problems: [...problems] }, 200);
    },
  );
  app.openapi(described(routes.render, 'One render'), async (c) => c.json(await renders.get(c.req.valid('param').id), 200));
  app.openapi(described(routes.removeRender, 'Cancel an unfinished render, or delete one that has ended'), async (c) => {
    await renders.remove(c.req.valid('param').id);
    return c.json({ deleted: true as const }, 200);
  });
}
