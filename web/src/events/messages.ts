import type { ProjectEvent } from '../../../server/contract/events.ts';
import type { ConnectionState } from './hub.ts';

/** What a page says to the worker that holds the stream for all pages. `id` is the page's own name for one following. */
export type ToWorker =
  | { readonly type: 'follow'; readonly id: number; readonly projectId: string; readonly afterSeq: number }
  | { readonly type: 'unfollow'; readonly id: number }
  /** The page is there still, and follows these. */
  | { readonly type: 'alive'; readonly ids: readonly number[] };

export type ToPage =
  /** The worker is there: its answer to all but `unfollow`. */
  | { readonly type: 'here' }
  /** Events that came in one burst, in their order. */
  | { readonly type: 'events'; readonly id: number; readonly events: readonly ProjectEvent[] }
  | { readonly type: 'state'; readonly id: number; readonly state: ConnectionState }
  | { readonly type: 'unreadable'; readonly id: number; readonly message: string }
  /** Nothing more comes under this name. */
  | { readonly type: 'gave-up'; readonly id: number };

/** How often a page says that it is there. */
export const aliveEveryMs = 30_000;
/** A browser lets hidden pages run once a minute; one that was silent for so long is frozen, or gone. */
export const goneAfterMs = 180_000;
/** Within this time the worker answers, even while its program is still to be loaded on a busy machine. */
export const answersWithinMs = 5_000;
