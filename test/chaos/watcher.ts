import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { Api } from './api.ts';
import type { Ledger, ProjectBook } from './ledger.ts';

const eventSchema = z.looseObject({ seq: z.int(), projectId: z.string(), at: z.string(), type: z.string() });

/**
 * Follows a project's events from the last received one, as a browser does, and records them. Ends with the server, the
 * project or `signal`. `onFault` receives gaps and changed events.
 */
export async function watchEvents(
  api: Api,
  book: ProjectBook,
  { ledger, signal, onFault }: { ledger: Ledger; signal: AbortSignal; onFault: (what: string) => void },
): Promise<void> {
  let last = book.events.size;
  const parser = createParser({
    onEvent({ data }) {
      const { seq, projectId, at: _, ...body } = eventSchema.parse(JSON.parse(data));
      if (projectId !== book.id || seq !== last + 1) onFault(`${book.id}: event ${seq} came after ${last}`);
      last = seq;
      ledger.acknowledge('event', { project: book.id, seq, type: body.type }, () => book.events.set(seq, body));
      const { type, checkpointId } = body;
      if (type === 'checkpoint.saved' && typeof checkpointId === 'string')
        ledger.acknowledge('checkpoint', { project: book.id, checkpointId }, () => book.checkpoints.add(checkpointId));
    },
  });
  for await (const text of api.stream(`/api/projects/${book.id}/events?after=${last}`, signal)) parser.feed(text);
}
