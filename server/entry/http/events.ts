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

/**
 * How long a reader may take nothing while something waits for it. Then its connection is cut: it is most likely
 * nobody, and would count as a viewer for ever. Whoever it is resumes by number.
 */
const stalledAfterMs = 60_000;

type Deps = Pick<HttpDeps, 'bus' | 'store' | 'sessions' | 'hosts' | 'heartbeatMs' | 'closing'>;

/** Events of a project as they happen, from any number on (A20). */
export function registerEvents(app: HttpApp, { bus, store, sessions, hosts, heartbeatMs, closing }: Deps): void {
  const handler = async (c: Context<HttpEnv>): Promise<Response> => {
    requireSameOrigin(hosts, c);
    const projectId = parseRequest(projectIdSchema, c.req.param('id'));
    const { after } = parseRequest(querySchema, { after: c.req.query('after') });
    // A browser that reconnects repeats the address of its first connection, so the header is the newer word.
    const wanted = lastSeen(c.req.header('last-event-id')) ?? after ?? 0;
    const { seq: lastSeq } = await store.state(projectId);
    const lost = await whyLost(bus, { projectId, wanted, lastSeq });
    const first: ProjectEvent[] = [];
    let afterSeq = Number(wanted);
    if (lost !== null) {
      const snapshot = await store.snapshot(projectId);
      afterSeq = snapshot.seq;
      first.push({ seq: afterSeq, projectId, at: new Date().toISOString(), type: 'reset', reason: lost, snapshot });
    }

    const stopped = new AbortController();
    stopped.signal.addEventListener('abort', sessions.viewer(projectId), { once: true });
    c.req.raw.signal.addEventListener('abort', () => stopped.abort(), { once: true });
    const events = bus.follow(projectId, {
      afterSeq,
      signal: stopped.signal,
    });
    const stream = eventStream({
      events,
      first,
      heartbeatMs,
      closing,
      stalledAfterMs,
      onStalled: () => c.env.outgoing?.destroy(),
      onEnd: () => stopped.abort(),
    });
    return new Response(stream, {
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
          'Each event has its number as `id`, its type as `event` and JSON as `data`. `Last-Event-ID` or `?after=` resumes; when that number is unknown here or no longer kept, a `reset` with a snapshot comes first.',
        produces: 'text/event-stream',
        request: { params: projectParams, query: querySchema },
      }),
    );
    app.get(`/api/${root}/:id/events`, handler);
  }
}

/** The number in a `Last-Event-ID`; 'foreign' when another server gave it out, undefined when there is none. */
function lastSeen(header: string | undefined): number | 'foreign' | undefined {
  if (header === undefined || header === '') return undefined;
  const parsed = sequence.safeParse(header);
  return parsed.success ? parsed.data : 'foreign';
}

/** Why a client cannot go on after what it has seen; null when it can. */
async function whyLost(
  bus: Deps['bus'],
  { projectId, wanted, lastSeq }: { projectId: string; wanted: number | 'foreign'; lastSeq: number },
): Promise<string | null> {
  if (wanted === 'foreign') return 'The last event that the client has seen is none of this server.';
  // It saw events that a restored back-up does not have.
  if (wanted > lastSeq) return 'This server has fewer events than the client has seen.';
  if (wanted === lastSeq || (await bus.nextSeq(projectId, wanted)) === wanted + 1) return null;
  return 'The events after the last one that the client has seen are no longer kept.';
}
