import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { type GoneNotice, maxFollowedProjects, type ProjectEvent } from '../contract/events.ts';
import { projectIdSchema } from '../contract/ids.ts';
import { routes } from '../contract/routes.ts';
import { merge } from '../events/merge.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { described, parseRequest } from './route.ts';
import { eventFrame, eventStream } from './sse.ts';

const sequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** `prj_…:12`: a project, and the last event that is known of it. */
const followQuerySchema = z.object({
  follow: z
    .array(
      z
        .string()
        .transform((text) => text.split(':'))
        .pipe(z.tuple([projectIdSchema, z.string().regex(/^\d{1,15}$/)]))
        .transform(([projectId, seq]) => [projectId, Number(seq)] as const),
    )
    .max(maxFollowedProjects, `At most ${maxFollowedProjects} projects in one stream.`),
});

/**
 * How long a reader may take nothing while events wait for it. Then its connection is cut: it is most likely gone, and
 * would count as a viewer for ever. A client that is still there resumes by number.
 */
const stalledAfterMs = 60_000;

type Deps = Pick<HttpDeps, 'bus' | 'store' | 'projects' | 'hosts' | 'heartbeatMs' | 'closing'>;

/** Events of a project, and of several, as they happen, from any number on (A20). */
export function registerEvents(app: HttpApp, { bus, store, projects, hosts, heartbeatMs, closing }: Deps): void {
  /** The events after `wanted`, the last one that the client has seen. Throws NOT_FOUND. */
  const resume = async (
    projectId: string,
    wanted: number | 'foreign',
    signal: AbortSignal,
  ): Promise<{ first: ProjectEvent[]; events: AsyncIterable<ProjectEvent> }> => {
    const { seq: lastSeq } = await store.state(projectId);
    const reason = await whyLost(bus, { projectId, wanted, lastSeq });
    const snapshot = reason === null ? null : await store.snapshot(projectId);
    signal.addEventListener('abort', projects.viewer(projectId), { once: true });
    const events = bus.follow(projectId, { afterSeq: snapshot?.seq ?? Number(wanted), signal });
    if (reason === null || snapshot === null) return { first: [], events };
    const at = new Date().toISOString();
    return { first: [{ seq: snapshot.seq, projectId, at, type: 'reset', reason, snapshot }], events };
  };

  const respond = <Event>(
    c: Context<HttpEnv>,
    stopped: AbortController,
    stream: { first: readonly Event[]; events: AsyncIterable<Event>; frame: (event: Event) => string },
  ): Response =>
    new Response(
      eventStream({
        ...stream,
        heartbeatMs,
        closing,
        stalledAfterMs,
        onStalled: () => c.env.outgoing?.destroy(),
        onEnd: () => stopped.abort(),
      }),
      {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          // Buffering reverse proxies would hold events back.
          'x-accel-buffering': 'no',
        },
      },
    );

  /** Fires when the client has gone, or the stream is over. */
  const stoppedWith = (c: Context<HttpEnv>): AbortController => {
    const stopped = new AbortController();
    c.req.raw.signal.addEventListener('abort', () => stopped.abort(), { once: true });
    return stopped;
  };

  const ofSeveral = async (c: Context<HttpEnv>): Promise<Response> => {
    requireSameOrigin(hosts, c);
    const { follow } = parseRequest(followQuerySchema, { follow: c.req.queries('follow') ?? [] });
    const stopped = stoppedWith(c);
    const first: (ProjectEvent | GoneNotice)[] = [];
    const streams: AsyncIterable<ProjectEvent | GoneNotice>[] = [];
    for (const [projectId, seq] of new Map(follow)) {
      try {
        const resumed = await resume(projectId, seq, stopped.signal);
        first.push(...resumed.first);
        streams.push(untilGone(projectId, resumed.events, stopped.signal));
      } catch (error) {
        if (!(error instanceof KodaError && error.code === 'NOT_FOUND')) {
          stopped.abort();
          throw error;
        }
        first.push({ type: 'gone', projectId });
      }
    }
    // Without any project it stays open and silent, as it does when all of them are gone.
    streams.push(silence(stopped.signal));
    return respond(c, stopped, { first, events: merge(streams), frame: anonymousFrame });
  };

  const ofOne = described(routes.projectEvents, 'Events as they happen (Server-Sent Events)', {
    description:
      'Each event has its number as `id`, its type as `event` and JSON as `data`. `Last-Event-ID` or `?after=` resumes; when that number is unknown here or no longer kept, a `reset` with a snapshot comes first.',
  });
  for (const path of [ofOne.path, '/api/nodes/{id}/events'] as const) {
    app.openapi({ ...ofOne, path }, async (c) => {
      requireSameOrigin(hosts, c);
      const { after } = c.req.valid('query');
      // A browser that reconnects repeats the address of its first connection, so the header is the newer word.
      const wanted = lastSeen(c.req.header('last-event-id')) ?? after ?? 0;
      const stopped = stoppedWith(c);
      return respond(c, stopped, { ...(await resume(c.req.valid('param').id, wanted, stopped.signal)), frame: eventFrame });
    });
  }
  app.openAPIRegistry.registerPath(
    described(routes.events, 'Events of several projects in one stream (Server-Sent Events)', {
      description: `\`?follow=<project>:<number>\` names a project and the last event that is known of it; repeat it for up to ${maxFollowedProjects} projects. Events are as in the stream of one project, without \`id\`: resume by naming the numbers anew. \`gone\` tells that a project does not exist, or not any more.`,
    }),
  );
  app.get(routes.events.path, ofSeveral);
}

/** A number counts in one project only, so a stream of several has none. */
function anonymousFrame(event: ProjectEvent | GoneNotice): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function* untilGone(
  projectId: string,
  events: AsyncIterable<ProjectEvent>,
  signal: AbortSignal,
): AsyncGenerator<ProjectEvent | GoneNotice, void, void> {
  yield* events;
  if (!signal.aborted) yield { type: 'gone', projectId };
}

/** Nothing, until the stream is over. */
async function* silence(signal: AbortSignal): AsyncGenerator<never, void, void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return;
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

/** The number in a `Last-Event-ID`; 'foreign' when another server gave it out, undefined when there is none. */
function lastSeen(header: string | undefined): number | 'foreign' | undefined {
  if (header === undefined || header === '') return undefined;
  const parsed = sequence.safeParse(header);
  return parsed.success ? parsed.data : 'foreign';
}

/** Why a client cannot resume after the last event that it has seen; null when it can. */
async function whyLost(
  bus: Deps['bus'],
  { projectId, wanted, lastSeq }: { projectId: string; wanted: number | 'foreign'; lastSeq: number },
): Promise<string | null> {
  if (wanted === 'foreign') return 'The last event that the client has seen is none of this server.';
  // It has seen events that a restored back-up lacks.
  if (wanted > lastSeq) return 'This server has fewer events than the client has seen.';
  if (wanted === lastSeq || (await bus.nextSeq(projectId, wanted)) === wanted + 1) return null;
  return 'The events after the last one that the client has seen are no longer kept.';
}
