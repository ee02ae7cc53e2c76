import { z } from 'zod';
import { stageInfoSchema } from '../../../server/contract/sandboxd.ts';
import type { PlaySettings } from './play-settings.ts';

const maxTextCharacters = 20_000;

/** What is said of a film is drawn, so a page that says what no film can be has said nothing. */
const lengthSchema = z
  .number()
  .positive()
  .max(24 * 3600);
const sideSchema = z.int().min(1).max(100_000);
const filmSchema = stageInfoSchema.extend({
  durationSeconds: lengthSchema,
  width: sideSchema,
  height: sideSchema,
  fps: z.number().min(1).max(1000),
});

/** How a page plays; pages of older projects play in one way alone and say nothing of it. */
const playbackSchema = z.object({
  speed: z.number().positive(),
  loop: z.boolean(),
  range: z.object({ startSeconds: z.number(), endSeconds: z.number() }).nullable(),
});

/** What the animation's page tells the studio. */
const fromPreviewSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('koda:time'),
    seconds: z.number(),
    durationSeconds: lengthSchema,
    playing: z.boolean(),
    playback: playbackSchema.optional(),
  }),
  // Once for every page that was loaded, and again whenever an edit has changed the film.
  z.object({ type: z.literal(['koda:ready', 'koda:film']), info: filmSchema }),
  z.object({ type: z.literal('koda:error'), message: z.string().max(maxTextCharacters) }),
  z.object({
    type: z.literal('koda:console'),
    level: z.enum(['error', 'warning', 'info']),
    text: z.string().max(maxTextCharacters),
  }),
]);
export type FromPreview = z.infer<typeof fromPreviewSchema>;

/** What the studio asks of the animation's page. A seek to nowhere only asks for an answer. */
export type ToPreview =
  | { readonly type: 'koda:play' | 'koda:pause' | 'koda:seek'; readonly seconds?: number }
  | ({ readonly type: 'koda:playback' } & PlaySettings);

/**
 * A message, if it is one of ours and comes from the very frame that shows the preview. Other pages may post
 * to this window, and the preview's code is not trusted either: its words are read and never run.
 */
export function readFromPreview(
  event: Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>,
  expected: { origin: string; source: unknown },
): FromPreview | null {
  if (expected.source === null || event.source !== expected.source || event.origin !== expected.origin) return null;
  const parsed = fromPreviewSchema.safeParse(event.data);
  return parsed.success ? parsed.data : null;
}

/** Messages of a page that are read in a second; frames of a fast screen and many lines of a console are fewer. */
const maxMessagesASecond = 1000;
/** Of these each draws the whole desk anew. */
const maxFilmsASecond = 20;

/** Keeps a page that talks without end from holding up the studio: what it says beyond is not read. */
export class MessageBudget {
  #second = 0;
  #messages = 0;
  #films = 0;

  /** Whether this message may still be read. `nowMs` by any clock that goes forward. */
  allows(data: unknown, nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#messages = 0;
      this.#films = 0;
    }
    this.#messages += 1;
    if (this.#messages > maxMessagesASecond) return false;
    const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : null;
    if (type !== 'koda:ready' && type !== 'koda:film') return true;
    this.#films += 1;
    return this.#films <= maxFilmsASecond;
  }
}

/** Origin of a preview's address; null when it is not an address of the web. */
export function previewOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed.origin : null;
}

/** The address under which a film is drawn without its background. */
export function transparentAddress(url: string): string {
  const address = new URL(url);
  address.searchParams.set('transparent', '');
  return address.href;
}
