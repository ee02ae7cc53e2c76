import { z } from 'zod';
import { isWithinLimits } from '#contract/sandbox/payload-limits.ts';
import { idSchema } from '../../../../../sandbox-image/templates/app/model/document.ts';

const maxTextCharacters = 20_000;
const maxPathCharacters = 2000;
const payloadLimits = { values: 200, depth: 4, characters: 50_000 };

/** A path of the app, such as `/tools?group=status`. Two slashes would lead to another host. */
const pathSchema = z
  .string()
  .max(maxPathCharacters)
  .regex(/^\/(?![/\\])[^\s\\]*$/);

/** Messages from the app's page to the studio. */
const fromAppSchema = z.discriminatedUnion('type', [
  /** Sent after each load, and whenever the app has other pages. */
  z.object({
    type: z.literal('koda:app-ready'),
    pages: z.array(z.object({ id: idSchema, name: z.string().max(100) })).max(30),
  }),
  z.object({ type: z.literal('koda:app-location'), path: pathSchema }),
  z.object({
    type: z.literal('koda:console'),
    level: z.enum(['error', 'warning', 'info']),
    text: z.string().max(maxTextCharacters),
  }),
  z.object({
    type: z.literal('koda:network'),
    method: z
      .string()
      .regex(/^[a-z]{1,10}$/i)
      .toUpperCase(),
    path: z.string().max(maxPathCharacters),
    /** 0 if there was no response. */
    status: z.int().min(0).max(999),
    ms: z
      .number()
      .min(0)
      .max(24 * 3600 * 1000),
  }),
  /** The user has clicked a view while views can be selected. */
  z.object({ type: z.literal('koda:selected'), page: idSchema, view: idSchema }),
]);
export type FromApp = z.infer<typeof fromAppSchema>;

export type ToApp =
  | { readonly type: 'koda:navigate'; readonly path: string }
  | { readonly type: 'koda:mode'; readonly mode: AppMode }
  /** Outlines the views, and reports the one that is clicked. `page` and `view` name the one that is outlined from the start. */
  | { readonly type: 'koda:select'; readonly on: boolean; readonly page?: string; readonly view?: string };

export type AppMode = 'system' | 'light' | 'dark';

/** Parses a message from the app's page. Returns `null` if it is not one of Koda's. The page is untrusted. */
export function readFromApp(data: unknown): FromApp | null {
  if (!isWithinLimits(data, payloadLimits)) return null;
  const parsed = fromAppSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
}

/** Returns the path that a text in the address bar names, or `null`. `here` is the preview's origin, which may be part of the text. */
export function pathFromText(text: string, here: string): string | null {
  const trimmed = text.trim();
  const path = trimmed.startsWith(`${here}/`) ? trimmed.slice(here.length) : trimmed;
  const whole = path.startsWith('/') ? path : `/${path}`;
  const parsed = /^[a-z]+:/i.test(path) ? null : URL.parse(whole, here);
  if (parsed === null || parsed.origin !== here) return null;
  return pathSchema.safeParse(parsed.pathname + parsed.search + parsed.hash).data ?? null;
}
