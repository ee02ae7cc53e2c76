import { answerRequestSchema, messageRequestSchema, planRequestSchema, previewRequestSchema } from '../contract/api.ts';
import { KodaError } from '../contract/errors.ts';
import { acceptedResponseSchema, messageResponseSchema } from '../contract/http.ts';
import { messageIdSchema } from '../contract/ids.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { answer, defineRoute, failure, jsonBody, projectParams } from './route.ts';

const accepted = { ...answer(202, 'Accepted; events tell how it goes on', acceptedResponseSchema), ...failure };

const message = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/messages',
  summary: 'Say something at any time',
  request: { params: projectParams, body: jsonBody(messageRequestSchema) },
  responses: { ...answer(201, 'The message is kept', messageResponseSchema), ...failure },
});
const withdraw = defineRoute({
  method: 'delete',
  path: '/api/projects/{id}/messages/{mid}',
  summary: 'Take back a message that waits for the next step',
  request: { params: projectParams.extend({ mid: messageIdSchema }) },
  responses: accepted,
});
const answerQuestion = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/answer',
  summary: 'Answer the question',
  request: { params: projectParams, body: jsonBody(answerRequestSchema) },
  responses: accepted,
});
const plan = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/plan',
  summary: 'Accept the plan or ask for changes (of it as it is, or as edited), or reject it',
  request: { params: projectParams, body: jsonBody(planRequestSchema) },
  responses: accepted,
});
const preview = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/preview',
  summary: 'Accept the preview or give feedback',
  request: { params: projectParams, body: jsonBody(previewRequestSchema) },
  responses: accepted,
});
const retry = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/retry',
  summary: 'Go on after an error, from the last checkpoint',
  request: { params: projectParams },
  responses: accepted,
});
const stop = defineRoute({
  method: 'post',
  path: '/api/projects/{id}/stop',
  summary: 'Stop the work; the project stays consistent',
  request: { params: projectParams },
  responses: accepted,
});

const done = { accepted: true } as const;

type Deps = Pick<HttpDeps, 'sessions' | 'store' | 'idempotency'>;

/** What a user can tell a project to do. Each answers when the effect is durable. */
export function registerCommands(app: HttpApp, { sessions, store, idempotency }: Deps): void {
  app.openapi({ ...message, middleware: idempotent(idempotency, { fingerprint: 'body' }) }, async (c) => {
    const { id } = c.req.valid('param');
    const said = await madeOnce(c, 'msg', {
      find: async (messageId) => {
        const message = (await store.state(id)).messages.find((known) => known.id === messageId);
        if (message === undefined) throw new KodaError('NOT_FOUND', 'The message was not kept.');
        return { messageId, queued: message.queued };
      },
      make: (messageId) => sessions.message(id, c.req.valid('json').content, { id: messageId }),
    });
    return c.json(said, 201);
  });
  app.openapi(withdraw, async (c) => {
    const { id, mid } = c.req.valid('param');
    await sessions.withdraw(id, mid);
    return c.json(done, 202);
  });
  app.openapi(answerQuestion, async (c) => {
    await sessions.answer(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(plan, async (c) => {
    await sessions.decidePlan(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(preview, async (c) => {
    await sessions.decidePreview(c.req.valid('param').id, c.req.valid('json'));
    return c.json(done, 202);
  });
  app.openapi(retry, async (c) => {
    await sessions.retry(c.req.valid('param').id);
    return c.json(done, 202);
  });
  app.openapi(stop, async (c) => {
    await sessions.stop(c.req.valid('param').id);
    return c.json(done, 202);
  });
}
