import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { callerOf } from '../edge/access.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';

const done = { accepted: true } as const;

type Deps = Pick<HttpDeps, 'projects' | 'store' | 'idempotency'>;

/** Registers the user's commands. Each responds once its effect is durable. */
export function registerCommands(app: HttpApp, { projects, store, idempotency }: Deps): void {
  app.openapi(
    {
      ...described(routes.sendMessage, 'Send a message, at any time'),
      middleware: idempotent(idempotency, { fingerprint: 'body' }),
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const message = await createOnce(c, 'msg', {
        find: async (messageId) => {
          const message = (await store.state(id)).messages.find((known) => known.id === messageId);
          if (message === undefined) throw new KodaError('NOT_FOUND', 'The message was not saved. Send it again.');
          return { messageId, queued: message.queued };
        },
        make: (messageId) => projects.as(callerOf(c)).message(id, c.req.valid('json').content, { id: messageId }),
      });
      return c.json(message, 201);
    },
  );
  app.openapi(described(routes.withdrawMessage, 'Withdraw a queued message'), async (c) => {
    const { id, mid } = c.req.valid('param');
    await projects.as(callerOf(c)).withdraw(id, mid);
    return c.json(done, 202);
  });
  app.openapi(described(routes.answerQuestion, 'Answer the question'), async (c) => {
    await projects.as(callerOf(c)).answer(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(described(routes.revokePermission, 'Revoke a lasting permission; the next call asks again'), async (c) => {
    const { id, approvalId } = c.req.valid('param');
    await projects.as(callerOf(c)).revokePermission(id, approvalId);
    return c.json(done, 202);
  });
  app.openapi(described(routes.act, 'Perform a surface button’s action (A2UI action message)'), async (c) => {
    const { action } = c.req.valid('json');
    const { executionMs } = await projects.as(callerOf(c)).act(c.req.valid('param').id, action, {
      signal: c.req.raw.signal,
    });
    return c.json({ ...done, tool: action.name, executionMs }, 202);
  });
  app.openapi(
    described(routes.decidePlan, 'Accept the plan, request changes (as proposed or as edited), or reject it', {
      description:
        '`plan` is the edited outline, whose schema is that of the project’s kind. A film has `title`, `style`, `aspect`, `durationSeconds`, `fps` (30 or 60), `caveat` and `scenes`, each with `number`, `title`, `startSeconds`, `durationSeconds`, `description` and `animationNotes`.',
    }),
    async (c) => {
      await projects.as(callerOf(c)).decidePlan(c.req.valid('param').id, c.req.valid('json'));
      return c.json(done, 202);
    },
  );
  app.openapi(described(routes.decidePreview, 'Accept the preview or give feedback'), async (c) => {
    await projects.as(callerOf(c)).decidePreview(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(described(routes.controlPreview, 'Restart or stop the live preview'), async (c) => {
    const { id } = c.req.valid('param');
    if (c.req.valid('json').action === 'restart') await projects.as(callerOf(c)).restartPreview(id);
    else await projects.as(callerOf(c)).stopPreview(id);
    return c.json(done, 202);
  });
  app.openapi(described(routes.retry, 'Resume after an error, from the last checkpoint'), async (c) => {
    await projects.as(callerOf(c)).retry(c.req.valid('param').id);
    return c.json(done, 202);
  });
  app.openapi(
    described(routes.reportActivity, 'Report that the user is active in a page, which keeps or wakes the preview'),
    async (c) => {
      await projects.active(c.req.valid('param').id);
      return c.json(done, 202);
    },
  );
  app.openapi(described(routes.stop, 'Stop the project; its work so far is saved'), async (c) => {
    await projects.as(callerOf(c)).stop(c.req.valid('param').id);
    return c.json(done, 202);
  });
}
