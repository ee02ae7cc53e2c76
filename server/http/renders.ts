import { z } from '@hono/zod-openapi';
import { parameterCheckRequestSchema, parameterCheckResponseSchema } from '../contract/api.ts';
import { KodaError } from '../contract/errors.ts';
import { queueTurnSchema, renderEstimateSchema } from '../contract/estimate.ts';
import type { Phase, Plan } from '../contract/project.ts';
import { renderRequestSchema, renderSchema } from '../contract/render.ts';
import { stageInfoSchema } from '../contract/sandboxd.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { answer, defineRoute, failure, jsonBody, projectParams, renderParams } from './route.ts';

const list = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/renders',
  summary: 'Renders of a project, the newest first',
  request: { params: projectParams },
  responses: { ...answer(200, 'The renders', z.object({ items: z.array(renderSchema) })), ...failure },
});
const create = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/renders',
  summary: 'Render the project',
  request: { params: projectParams, body: jsonBody(renderRequestSchema) },
  responses: { ...answer(202, 'Queued; events tell the progress', renderSchema), ...failure },
});
const estimate = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/renders/estimate',
  summary: 'What a render would be, how long it would take and how large its file would be; nothing is begun',
  description: 'Measured on finished renders. Refuses what a render would be refused for, in the same words.',
  request: { params: projectParams, body: jsonBody(renderRequestSchema) },
  responses: { ...answer(200, 'The settings in full, and what they cost', renderEstimateSchema), ...failure },
});
const queue = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/renders/queue',
  summary: 'When the renders of a project that wait will have their turn',
  request: { params: projectParams },
  responses: { ...answer(200, 'In the order of turns', z.object({ items: z.array(queueTurnSchema) })), ...failure },
});
const film = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/film',
  summary: 'What the film says of itself: its length, scenes, sound and parameters',
  request: { params: projectParams },
  responses: { ...answer(200, 'The film', stageInfoSchema), ...failure },
});
const checkParameters = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/film/check',
  summary: 'Check values for the film’s parameters, set by set, without rendering',
  request: { params: projectParams, body: jsonBody(parameterCheckRequestSchema) },
  responses: { ...answer(200, 'What is wrong with each set', parameterCheckResponseSchema), ...failure },
});
const get = defineRoute({
  method: 'get',
  path: '/api/renders/{id}',
  summary: 'One render',
  request: { params: renderParams },
  responses: { ...answer(200, 'The render', renderSchema), ...failure },
});
const remove = defineRoute({
  method: 'delete',
  path: '/api/renders/{id}',
  summary: 'Cancel a render that is under way, or delete one that has ended',
  request: { params: renderParams },
  responses: { ...answer(200, 'It is cancelled or gone', z.object({ deleted: z.literal(true) })), ...failure },
});

/** Phases in which a project has finished work to render; after an error that is the last that was kept. */
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
  app.openapi(list, async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await renders.list(id) }, 200);
  });
  app.openapi({ ...create, middleware: idempotent(idempotency, { fingerprint: 'body' }) }, async (c) => {
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
  });
  app.openapi(estimate, async (c) => {
    const { id } = c.req.valid('param');
    const plan = renderablePlan(await store.state(id));
    return c.json(await renders.estimate(id, c.req.valid('json'), plan), 200);
  });
  app.openapi(queue, async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await renders.queued(id) }, 200);
  });
  app.openapi(film, async (c) => {
    const { id } = c.req.valid('param');
    renderablePlan(await store.state(id));
    return c.json((await renders.describe(id, [], { signal: c.req.raw.signal })).film, 200);
  });
  app.openapi(checkParameters, async (c) => {
    const { id } = c.req.valid('param');
    renderablePlan(await store.state(id));
    const { problems } = await renders.describe(id, c.req.valid('json').sets, { signal: c.req.raw.signal });
    return c.json({ problems: [...problems] }, 200);
  });
  app.openapi(get, async (c) => c.json(await renders.get(c.req.valid('param').id), 200));
  app.openapi(remove, async (c) => {
    await renders.remove(c.req.valid('param').id);
    return c.json({ deleted: true as const }, 200);
  });
}
