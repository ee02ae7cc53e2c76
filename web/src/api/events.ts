import { eventBodySchema, type ProjectEvent, projectEventSchema } from '../../../server/contract/events.ts';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting';

export interface EventStreamOptions {
  readonly projectId: string;
  /** Number of the last event that is known already. */
  readonly afterSeq: number;
  readonly onEvent: (event: ProjectEvent) => void;
  readonly onState: (state: ConnectionState) => void;
  /** An event that this page cannot read: it is older than its server. */
  readonly onUnreadable: (error: Error) => void;
  /** Several attempts failed: the project may be gone, so it is time to ask for it anew. Nothing follows after this call. */
  readonly onGaveUp: () => void;
}

const eventTypes = eventBodySchema.options.map((option) => option.shape.type.value);

const attemptsBeforeGivingUp = 3;

/** Wait before the attempt with this number (0 = first), in milliseconds: 0.5 s doubling to 15 s, ±20 % so that tabs spread. */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(15_000, 500 * 2 ** attempt) * (0.8 + 0.4 * random);
}

/**
 * Follows a project's events until the returned function is called. The browser itself resumes by
 * Last-Event-ID after a cut; when it gave up (an error status, a server that restarts) the stream is opened
 * anew after the last number that was seen.
 */
export function followEvents(options: EventStreamOptions): () => void {
  let lastSeq = options.afterSeq;
  let attempt = 0;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const receive = (message: MessageEvent<string>) => {
    let event: ProjectEvent;
    try {
      event = projectEventSchema.parse(JSON.parse(message.data));
    } catch (error) {
      options.onUnreadable(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    lastSeq = event.type === 'reset' ? event.seq : Math.max(lastSeq, event.seq);
    options.onEvent(event);
  };

  const open = () => {
    source = new EventSource(`/api/projects/${encodeURIComponent(options.projectId)}/events?after=${lastSeq}`);
    const current = source;
    current.onopen = () => {
      attempt = 0;
      options.onState('live');
    };
    current.onmessage = receive;
    for (const type of eventTypes) {
      current.addEventListener(type, (event) => {
        // A lost connection is told under the name `error`, like the project's own event of that type; only the latter carries data.
        if (event instanceof MessageEvent) receive(event);
        else lost(current);
      });
    }
  };

  const lost = (current: EventSource) => {
    options.onState('reconnecting');
    if (current.readyState !== EventSource.CLOSED || timer !== null) return;
    if (attempt >= attemptsBeforeGivingUp) {
      options.onGaveUp();
      return;
    }
    timer = setTimeout(
      () => {
        timer = null;
        open();
      },
      backoffMs(attempt, Math.random()),
    );
    attempt += 1;
  };

  options.onState('connecting');
  open();
  return () => {
    source?.close();
    if (timer !== null) clearTimeout(timer);
  };
}
