import { routes } from '#contract/routes.ts';
import { principalOf } from '../../access/policies.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';

type Deps = Pick<HttpDeps, 'renders' | 'projects' | 'store' | 'idempotency'>;

export function registerRenders(app: HttpApp, { renders, projects, store, idempotency }: Deps): void {
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
        make: (renderId) => projects.as(callerOf(c)).render(id, c.req.valid('json'), { id: renderId }),
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
      return c.json(await renders.estimate(id, c.req.valid('json'), await projects.renderable(id)), 200);
    },
  );
  app.openapi(described(routes.renderQueue, 'Queue positions of a project’s waiting renders'), async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    return c.json({ items: await renders.queued(id) }, 200);
  });
  app.openapi(described(routes.film, 'Description of the film: length, scenes, audio and parameters'), async (c) => {
    const { id } = c.req.valid('param');
    await projects.renderable(id);
    return c.json((await renders.describe(id, [], { signal: c.req.raw.signal })).film, 200);
  });
  app.openapi(
    described(routes.checkParameters, 'Check values for the film’s parameters, set by set, without rendering', {
      answer: 'Each set’s problem, or `null` if it has none',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      await projects.renderable(id);
      const { problems } = await renders.describe(id, c.req.valid('json').sets, { signal: c.req.raw.signal });
      return c.json({ problems: [...problems] }, 200);
    },
  );
  app.openapi(described(routes.render, 'One render'), async (c) => c.json(await renders.get(c.req.valid('param').id), 200));
  app.openapi(described(routes.removeRender, 'Cancel an unfinished render, or delete one that has ended'), async (c) => {
    await renders.remove(c.req.valid('param').id, principalOf(callerOf(c)));
    return c.json({ deleted: true as const }, 200);
  });
}
