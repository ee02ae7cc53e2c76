import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { described } from './route.ts';

const done = { accepted: true } as const;

type Deps = Pick<HttpDeps, 'projects' | 'store' | 'idempotency'>;

/** The user's commands. Each answers when its effect is durable. */
export function registerCommands(app: HttpApp, { projects, store, idempotency }: Deps): void {
  app.openapi(
    {
      ...described(routes.sendMessage, 'Say something at any time'),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const said = await madeOnce(c, 'msg', {
        find: async (messageId) => {
          const message = (await store.state(id)).messages.find((known) => known.id === messageId);
          if (message === undefined) throw new KodaError('NOT_FOUND', 'The message was not kept.');
          return { messageId, queued: message.queued };
        },
        make: (messageId) => projects.message(id, c.req.valid('json').content, { id: messageId }),
      });
      return c.json(said, 201);
    },
  );
  app.openapi(described(routes.withdrawMessage, 'Take back a message that waits for the next step'), async (c) => {
    const { id, mid } = c.req.valid('param');
    await projects.withdraw(id, mid);
    return c.json(done, 202);
  });
  app.openapi(described(routes.answerQuestion, 'Answer the question'), async (c) => {
    await projects.answer(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(described(routes.act, 'Do what a button of a surface says (A2UI’s message of an action)'), async (c) => {
    const { action } = c.req.valid('json');
    const { executionMs } = await projects.act(c.req.valid('param').id, action);
    return c.json({ ...done, tool: action.name, executionMs }, 202);
  });
  app.openapi(
    described(routes.decidePlan, 'Accept the plan or ask for changes (of it as it is, or as edited), or reject it'),
    async (c) => {
      await projects.decidePlan(c.req.valid('param').id, c.req.valid('json'));
      return c.json(done, 202);
    },
  );
  app.openapi(described(routes.decidePreview, 'Accept the preview or give feedback'), async (c) => {
    await projects.decidePreview(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(described(routes.retry, 'Go on after an error, from the last checkpoint'), async (c) => {
    await projects.retry(c.req.valid('param').id);
    return c.json(done, 202);
  });
  app.openapi(described(routes.stop, 'Stop the work; the project stays consistent'), async (c) => {
    await projects.stop(c.req.valid('param').id);
    return c.json(done, 202);
  });
}
