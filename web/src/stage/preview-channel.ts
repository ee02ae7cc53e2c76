import { z } from 'zod';
import { stageInfoSchema } from '../../../server/contract/sandboxd.ts';

/** What the animation's page tells the studio. */
const fromPreviewSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('koda:time'),
    seconds: z.number(),
    durationSeconds: z.number().positive(),
    playing: z.boolean(),
  }),
  z.object({ type: z.literal('koda:ready'), info: stageInfoSchema }),
  z.object({ type: z.literal('koda:error'), message: z.string().max(20_000) }),
]);
export type FromPreview = z.infer<typeof fromPreviewSchema>;

/** What the studio asks of the animation's page. */
export type ToPreview =
  | { readonly type: 'koda:play' }
  | { readonly type: 'koda:pause' }
  | { readonly type: 'koda:seek'; readonly seconds: number };

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

/** Origin of a preview's address; null when it is not an address of the web. */
export function previewOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed.origin : null;
}
