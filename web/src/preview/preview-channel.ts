import { z } from 'zod';
import { isWithinLimits } from '../../../server/contract/payload-limits.ts';
import { stageInfoSchema } from '../../../server/contract/sandboxd.ts';
import type { PlaySettings } from './play-settings.ts';

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
