import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isConsoleLine, isFromPreview, MessageBudget } from './page-messages.ts';

interface MessageReader {
  /** Called once the page sends endless messages. */
  flooded(nowMs: number): void;
  /** Called for each message that was dropped. */
  missed(): void;
  /** Called with an unread message, and the budget for those that are costly. */
  read(data: unknown, budget: MessageBudget, nowMs: number): void;
}

/** Passes on the messages of the page in the frame, within limits. `origin` is the preview's, and `null` if it has none. */
export function usePageMessages(frame: RefObject<HTMLIFrameElement | null>, origin: string | null, reader: MessageReader): void {
  const flooded = useEffectEvent(reader.flooded);
  const missed = useEffectEvent(reader.missed);
  const read = useEffectEvent(reader.read);
  useEffect(() => {
    if (origin === null) return;
    const budget = new MessageBudget();
    const receive = (event: MessageEvent<unknown>) => {
      if (!isFromPreview(event, { origin, source: frame.current?.contentWindow ?? null })) return;
      const nowMs = performance.now();
      const fate = budget.take(nowMs, isConsoleLine(event.data));
      if (fate === 'flood') flooded(nowMs);
      else if (fate === 'drop') missed();
      if (fate !== 'read') return;
      read(event.data, budget, nowMs);
      // React renders an update in a microtask that was queued before this one, so its time counts, too.
      queueMicrotask(() => budget.spent(performance.now() - nowMs));
    };
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, [frame, origin]);
}
