import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { maxFollowedProjects, type ProjectDeletedNotice, type ProjectEvent } from '#contract/events.ts';
import { projectIdSchema } from '#contract/ids.ts';
import { routes } from '#contract/routes.ts';
import { eventJson } from '../../events/bus.ts';
import { merge } from '../../events/merge.ts';
import type { EventResponses, HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { requireSameOrigin } from '../edge/guard.ts';
import { described, parseRequest } from '../route.ts';
import { stoppedWith } from '../streams/event-streams.ts';
import { eventFrame } from '../streams/sse.ts';

const sequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** `prj_…:12`: a project and the last event that the client has received. */
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

type Deps = Pick<HttpDeps, 'bus' | 'store' | 'projects' | 'hosts'> & { readonly streams: EventResponses };

export function registerEvents(app: HttpApp, { bus, store, projects, hosts, streams: responses }: Deps): void {
  /** Returns the events after `wanted`, the last one that the client has received. Throws NOT_FOUND. */
  const resume = async (
    projectId: string,
    wanted: number | 'foreign',
    signal: AbortSignal,
  ): Promise<{ first: ProjectEvent[]; events: AsyncIterable<ProjectEvent> }> => {
    const lastSeq = await store.lastSeq(projectId);
    const reason = await resetReason(bus, { projectId, wanted, lastSeq });
    const snapshot = reason === null ? null : await store.snapshot(projectId);
    signal.addEventListener('abort', projects.viewer(projectId), { once: true });
    const events = bus.follow(projectId, { afterSeq: snapshot?.seq ?? Number(wanted), signal });
    if (reason === null || snapshot === null) return { first: [], events };
    const at = new Date().toISOString();
    return { first: [{ seq: snapshot.seq, projectId, at, type: 'reset', reason, snapshot }], events };
  };

  const ofSeveral = async (c: Context<HttpEnv>): Promise<Response> => {
    requireSameOrigin(hosts, c);
    responses.requireRoom(c);
    const { follow } = parseRequest(followQuerySchema, { follow: c.req.queries('follow') ?? [] });
    const stopped = stoppedWith(c);
    const first: (ProjectEvent | ProjectDeletedNotice)[] = [];
    const streams: AsyncIterable<ProjectEvent | ProjectDeletedNotice>[] = [];
    for (const [projectId, seq] of new Map(follow)) {
      try {
        const resumed = await resume(projectId, seq, stopped.signal);
        first.push(...resumed.first);
        streams.push(untilDeleted(projectId, resumed.events, stopped.signal));
      } catch (error) {
        if (!(error instanceof KodaError && error.code === 'NOT_FOUND')) {
          stopped.abort();
          throw error;
        }
        first.push({ type: 'gone', projectId });
      }
    }
    // If no project exists, the stream stays open and silent.
    streams.push(silence(stopped.signal));
    return responses.respond(c, stopped, { first, events: merge(streams), frame: anonymousFrame });
  };

  const ofOne = described(routes.projectEvents, 'Events as they happen (Server-Sent Events)', {
    description:
      'Each event has its sequence number as `id`, its type as `event` and JSON as `data`. `Last-Event-ID` or `?after=` resumes. If that number is unknown or no longer stored, a `reset` with a snapshot comes first.',
  });
  for (const path of [ofOne.path, '/api/nodes/{id}/events'] as const) {
    app.openapi({ ...ofOne, path }, async (c) => {
      requireSameOrigin(hosts, c);
      responses.requireRoom(c);
      const { after } = c.req.valid('query');
      // A reconnecting browser repeats the original query, so the header is newer.
      const wanted = lastSeen(c.req.header('last-event-id')) ?? after ?? 0;
      const stopped = stoppedWith(c);
      return responses.respond(c, stopped, {
        ...(await resume(c.req.valid('param').id, wanted, stopped.signal)),
        frame: eventFrame,
      });
    });
  }
  app.openAPIRegistry.registerPath(
    described(routes.events, 'Events of several projects in one stream (Server-Sent Events)', {
      description: `\`?follow=<project>:<number>\` specifies a project and the client's last event; repeat it for up to ${maxFollowedProjects} projects. Events are as in the stream of one project, but without \`id\`: resume by specifying the numbers again. \`gone\` reports a project that does not exist or was deleted.`,
    }),
  );
  app.get(routes.events.path, ofSeveral);
}

/** A sequence number belongs to one project, so a stream for several has no `id`. */
function anonymousFrame(event: ProjectEvent | ProjectDeletedNotice): string {
  return `event: ${event.type}\ndata: ${eventJson(event)}\n\n`;
}

async function* untilDeleted(
  projectId: string,
  events: AsyncIterable<ProjectEvent>,
  signal: AbortSignal,
): AsyncGenerator<ProjectEvent | ProjectDeletedNotice, void, void> {
  yield* events;
  if (!signal.aborted) yield { type: 'gone', projectId };
}

async function* silence(signal: AbortSignal): AsyncGenerator<never, void, void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return;
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

/** Returns the number in a `Last-Event-ID`, 'foreign' if another server issued it, or `undefined` if there is none. */
function lastSeen(header: string | undefined): number | 'foreign' | undefined {
  if (header === undefined || header === '') return undefined;
  const parsed = sequence.safeParse(header);
  return parsed.success ? parsed.data : 'foreign';
}

/** Returns the reason why a client cannot resume after its last event, or `null` if it can. */
async function resetReason(
  bus: Deps['bus'],
  { projectId, wanted, lastSeq }: { projectId: string; wanted: number | 'foreign'; lastSeq: number },
): Promise<string | null> {
  if (wanted === 'foreign') return 'The client’s last event does not come from this server.';
  // The client has seen events that a restored backup lacks.
  if (wanted > lastSeq) return 'This server has fewer events than the client has seen.';
  if (wanted === lastSeq || (await bus.nextSeq(projectId, wanted)) === wanted + 1) return null;
  return 'The events after the last one that the client has seen are no longer stored.';
}
