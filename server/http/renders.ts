import { KodaError } from '../contract/errors.ts';
import type { Phase, Plan } from '../contract/project.ts';
import { routes } from '../contract/routes.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { described } from './route.ts';

/** Phases in which a project has finished work to render; after an error, that of the last checkpoint. */
const renderablePhases: readonly Phase[] = ['preview', 'complete', 'error'];

/** The plan that was carried out. Throws INVALID_TRANSITION when there is nothing to render yet. */
function renderablePlan({ project, plan }: ProjectState): Plan {
  if (plan === null || !plan.accepted) {
    throw new KodaError(
      'INVALID_TRANSITION',
      'The plan was not accepted yet, so nothing can be rendered. Accept the plan first.',
      {
        details: { phase: project.phase },
        recovery: 'accept_plan',
      },
    );
  }
  if (!renderablePhases.includes(project.phase)) {
    throw new KodaError(
      'INVALID_TRANSITION',
      'The animation is being built, so it cannot be rendered now. Wait for its preview.',
      {
        details: { phase: project.phase },
        recovery: 'wait',
      },
    );
  }
  return plan;
}

type Deps = Pick<HttpDeps, 'renders' | 'store' | 'disk' | 'idempotency'>;

export function registerRenders(app: HttpApp, { renders, store, disk, idempotency }: Deps): void {
  app.openapi(described(routes.renders, 'Renders of a project, the newest first'), async (c) => {
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
      const render = await madeOnce(c, 'rnd', {
        find: (made) => renders.get(made),
        make: async (made) => {
          const plan = renderablePlan(await store.state(id));
          await disk.assertRoom();
          return await renders.start(id, c.req.valid('json'), plan, { id: made });
        },
      });
      return c.json(render, 202);
    },
  );
  app.openapi(
    described(
      routes.estimateRender,
      'What a render would be, how long it would take and how large its file would be; nothing is begun',
      {
        description: 'Measured on finished renders. Refuses what a render would be refused for, in the same words.',
        answer: 'The settings in full, and what they cost',
      },
    ),
    async (c) => {
      const { id } = c.req.valid('param');
      const plan = renderablePlan(await store.state(id));
      return c.json(await renders.estimate(id, c.req.valid('json'), plan), 200);
    },
  );
  app.openapi(described(routes.renderQueue, 'When the renders of a project that wait will have their turn'), async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await renders.queued(id) }, 200);
  });
  app.openapi(described(routes.film, 'What the film says of itself: its length, scenes, sound and parameters'), async (c) => {
    const { id } = c.req.valid('param');
    renderablePlan(await store.state(id));
    return c.json((await renders.describe(id, [], { signal: c.req.raw.signal })).film, 200);
  });
  app.openapi(
    described(routes.checkParameters, 'Check values for the film’s parameters, set by set, without rendering', {
      answer: 'What is wrong with each set',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      renderablePlan(await store.state(id));
      const { problems } = await renders.describe(id, c.req.valid('json').sets, { signal: c.req.raw.signal });
      return c.json({ problems: [...problems] }, 200);
    },
  );
  app.openapi(described(routes.render, 'One render'), async (c) => c.json(await renders.get(c.req.valid('param').id), 200));
  app.openapi(described(routes.removeRender, 'Cancel a render that is under way, or delete one that has ended'), async (c) => {
    await renders.remove(c.req.valid('param').id);
    return c.json({ deleted: true as const }, 200);
  });
}
