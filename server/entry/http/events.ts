import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectEvent } from '../../contract/events.ts';
import { projectIdSchema } from '../../contract/ids.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { documented, parseRequest, projectParams } from './route.ts';
import { eventStream } from './sse.ts';

const sequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const querySchema = z.object({ after: sequence.optional() });
const headersSchema = z.object({ 'last-event-id': sequence.optional() });

type Deps = Pick<HttpDeps, 'bus' | 'store' | 'sessions' | 'hosts' | 'heartbeatMs' | 'closing'>;

/** Events of a project as they happen, from any number on (A20). */
export function registerEvents(app: HttpApp, { bus, store, sessions, hosts, heartbeatMs, closing }: Deps): void {
  const handler = async (c: Context<HttpEnv>): Promise<Response> => {
    requireSameOrigin(hosts, c);
    const projectId = parseRequest(projectIdSchema, c.req.param('id'));
    const { after } = parseRequest(querySchema, { after: c.req.query('after') });
    const { 'last-event-id': lastEventId } = parseRequest(headersSchema, {
      'last-event-id': c.req.header('last-event-id') || undefined,
    });
    // A browser that reconnects repeats the address of its first connection, so the header is the newer word.
    const wanted = lastEventId ?? after ?? 0;
    const { seq } = await store.state(projectId);
    // A client that is ahead of us saw events that a restored back-up does not have: it has to start over.
    const isAhead = wanted > seq;
    const first: ProjectEvent[] = isAhead
      ? [
          {
            seq,
            projectId,
            at: new Date().toISOString(),
            type: 'reset',
            reason: 'This server has fewer events than the client has seen.',
          },
        ]
      : [];

    const stopped = new AbortController();
    stopped.signal.addEventListener('abort', sessions.viewer(projectId), { once: true });
    c.req.raw.signal.addEventListener('abort', () => stopped.abort(), { once: true });
    const events = bus.follow(projectId, { afterSeq: isAhead ? seq : wanted, signal: stopped.signal });
    return new Response(eventStream({ events, first, heartbeatMs, closing, onEnd: () => stopped.abort() }), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Buffering reverse proxies would hold events back.
        'x-accel-buffering': 'no',
      },
    });
  };

  for (const root of ['projects', 'nodes']) {
    app.openAPIRegistry.registerPath(
      documented({
        method: 'get',
        path: `/api/${root}/{id}/events`,
        summary: 'Events as they happen (Server-Sent Events)',
        description:
          'Each event has its number as `id`, its type as `event` and JSON as `data`. `Last-Event-ID` or `?after=` resumes.',
        produces: 'text/event-stream',
        request: { params: projectParams, query: querySchema },
      }),
    );
    app.get(`/api/${root}/:id/events`, handler);
  }
}
