import { z } from 'zod';
import { isWithinLimits } from '../../../server/contract/payload-limits.ts';
import { stageInfoSchema } from '../../../server/contract/sandboxd.ts';
import type { PlaySettings } from './film-time.ts';

/** So many messages of a page are read in a second: 2,000 lines of its console, and what it says beside them. */
const readASecond = 2500;
/**
 * Nor is more read once reading took so long in a second, which long messages do; but this many are read on the slowest
 * machine: no honest page sends more.
 */
const readMsASecond = 300;
const readAlways = 300;
/** A page that sends so many in a second does it without end: even to leave them unread would keep the studio busy. */
const floodASecond = 20_000;
/** So does one that sends too many for so many seconds on end. */
const floodSeconds = 3;
/** Messages of another film, each of which draws the whole desk anew. */
const filmsASecond = 20;

/** Counts what a page sends, before any of it is looked at. */
export class MessageBudget {
  #second = Number.NaN;
  #count = 0;
  #films = 0;
  /** How long reading took in this second. */
  #spentMs = 0;
  /** The last of the seconds on end in which there were too many, and how many seconds these are. */
  #overSecond = Number.NaN;
  #overSeconds = 0;

  /** What becomes of one more message. `flood`: it is time to take the page away. */
  take(nowMs: number): 'read' | 'drop' | 'flood' {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
      this.#films = 0;
      this.#spentMs = 0;
    }
    this.#count += 1;
    const inTime = this.#spentMs < readMsASecond || this.#count <= readAlways;
    if (inTime && this.#count <= readASecond) return 'read';
    if (second !== this.#overSecond) {
      this.#overSeconds = second === this.#overSecond + 1 ? this.#overSeconds + 1 : 1;
      this.#overSecond = second;
      if (this.#overSeconds === floodSeconds) return 'flood';
    }
    return this.#count === floodASecond ? 'flood' : 'drop';
  }

  /** Reading a message took so long. */
  spent(durationMs: number): void {
    this.#spentMs += durationMs;
  }

  /** Whether a message that was read may tell of a film once more in this second. */
  takeFilm(): boolean {
    this.#films += 1;
    return this.#films <= filmsASecond;
  }
}

const maxTextCharacters = 20_000;
/** A film with 500 scenes and 200 parameters is far below. */
const payloadLimits = { values: 20_000, depth: 10, characters: 200_000 };

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

/** Whether a message comes from the very frame that shows the preview: other pages may post to this window, too. */
export function isFromPreview(
  event: Pick<MessageEvent<unknown>, 'origin' | 'source'>,
  expected: { origin: string; source: unknown },
): boolean {
  return expected.source !== null && event.source === expected.source && event.origin === expected.origin;
}

/** What a message of the preview says, if it is one of ours. Its code is not trusted: its words are read and never run. */
export function readFromPreview(data: unknown): FromPreview | null {
  if (!isWithinLimits(data, payloadLimits)) return null;
  const parsed = fromPreviewSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
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
