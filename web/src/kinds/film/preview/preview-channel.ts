import { z } from 'zod';
import { type ParameterValues, parameterValuesSchema } from '#contract/render.ts';
import { stageInfoSchema } from '#contract/sandbox/answers.ts';
import { isWithinLimits } from '#contract/sandbox/payload-limits.ts';
import type { PlaySettings } from './film-time.ts';

const maxTextCharacters = 20_000;
/** A film with 500 scenes and 200 parameters stays far below these limits. */
const payloadLimits = { values: 20_000, depth: 10, characters: 200_000 };

/** The studio displays these values, so it ignores messages with values that no film can have. */
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

/** Playback state. Older projects' pages do not report it and cannot change it. */
const playbackSchema = z.object({
  speed: z.number().positive(),
  loop: z.boolean(),
  range: z.object({ startSeconds: z.number(), endSeconds: z.number() }).nullable(),
});

const share = z.number().min(-10).max(10);
/** Area of the frame, in fractions of its width and height. */
const textBoxSchema = z.object({ x: share, y: share, width: share, height: share });
export type TextBox = z.infer<typeof textBoxSchema>;

/** Messages from the film page to the studio. */
const fromPreviewSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('koda:time'),
    seconds: z.number(),
    durationSeconds: lengthSchema,
    playing: z.boolean(),
    playback: playbackSchema.optional(),
  }),
  // Sent once after each load, with the externally set parameter values. Older projects' pages omit these.
  z.object({ type: z.literal('koda:ready'), info: filmSchema, values: parameterValuesSchema.nullable().optional() }),
  // Sent whenever an edit changes the film.
  z.object({ type: z.literal('koda:film'), info: filmSchema }),
  z.object({ type: z.literal('koda:error'), message: z.string().max(maxTextCharacters) }),
  z.object({
    type: z.literal('koda:console'),
    level: z.enum(['error', 'warning', 'info']),
    text: z.string().max(maxTextCharacters),
  }),
  // Responses to `koda:find-text` and `koda:text-at`: positions of a text on the screen, and the text at a point.
  z.object({ type: z.literal('koda:texts'), requestId: z.int(), boxes: z.array(textBoxSchema).max(100) }),
  z.object({ type: z.literal('koda:text'), requestId: z.int(), text: z.string().max(300).nullable() }),
]);
export type FromPreview = z.infer<typeof fromPreviewSchema>;

export type ToPreview =
  | { readonly type: 'koda:play' | 'koda:pause' | 'koda:seek'; readonly seconds?: number }
  | ({ readonly type: 'koda:playback' } & PlaySettings)
  /** Restarts the film with these parameter values at its current time; `null` for its defaults. */
  | { readonly type: 'koda:parameters'; readonly values: ParameterValues | null }
  /** Draws a scene with these props immediately, until its file contains them; `null` for the file's props. */
  | { readonly type: 'koda:scene-props'; readonly sceneId: string; readonly props: SceneProps | null }
  | { readonly type: 'koda:find-text'; readonly requestId: number; readonly text: string }
  | { readonly type: 'koda:text-at'; readonly requestId: number; readonly point: FramePoint };

type SceneProps = Readonly<Record<string, unknown>>;

/** Point in fractions of the frame's width and height. */
export interface FramePoint {
  readonly x: number;
  readonly y: number;
}

/** Time limit for a response. Older projects' pages do not respond. */
const responseTimeoutMs = 250;

type Post = (message: ToPreview) => void;
type TextClick = { readonly text: string; readonly point: FramePoint };
type TextMessage = Extract<FromPreview, { type: 'koda:texts' | 'koda:text' }>;

/** Connects a film's editor with the page that shows it. */
export class EditChannel {
  #post: Post | null = null;
  #requests = 0;
  readonly #pending = new Map<number, (message: TextMessage | null) => void>();
  readonly #clickListeners = new Set<(click: TextClick) => void>();
  readonly #startListeners = new Set<() => void>();

  /** Sends to this page until the returned function is called. */
  connect(post: Post): () => void {
    this.#post = post;
    return () => {
      if (this.#post === post) this.#post = null;
    };
  }

  receive(message: FromPreview): void {
    if (message.type === 'koda:ready') for (const listener of this.#startListeners) listener();
    if (message.type === 'koda:texts' || message.type === 'koda:text') this.#pending.get(message.requestId)?.(message);
  }

  sendSceneProps(sceneId: string, props: SceneProps | null): void {
    this.#post?.({ type: 'koda:scene-props', sceneId, props });
  }

  async findText(text: string): Promise<TextBox[]> {
    const response = await this.#ask((requestId) => ({ type: 'koda:find-text', requestId, text }));
    return response?.type === 'koda:texts' ? response.boxes : [];
  }

  onTextClick(listener: (click: TextClick) => void): () => void {
    this.#clickListeners.add(listener);
    return () => this.#clickListeners.delete(listener);
  }

  onPageStart(listener: () => void): () => void {
    this.#startListeners.add(listener);
    return () => this.#startListeners.delete(listener);
  }

  /** Handles a click on the frame. Resolves to whether an editor used the click, because there is a text at this point. */
  async clicked(point: FramePoint): Promise<boolean> {
    if (this.#clickListeners.size === 0) return false;
    const response = await this.#ask((requestId) => ({ type: 'koda:text-at', requestId, point }));
    if (response?.type !== 'koda:text' || response.text === null) return false;
    for (const listener of this.#clickListeners) listener({ text: response.text, point });
    return true;
  }

  /** Resolves to `null` if the page does not respond in time. */
  #ask(message: (requestId: number) => ToPreview): Promise<TextMessage | null> {
    this.#requests += 1;
    const requestId = this.#requests;
    return new Promise((resolve) => {
      const finish = (response: TextMessage | null) => {
        clearTimeout(timer);
        this.#pending.delete(requestId);
        resolve(response);
      };
      const timer = setTimeout(() => finish(null), responseTimeoutMs);
      this.#pending.set(requestId, finish);
      this.#post?.(message(requestId));
    });
  }
}

/** The only instance, because the studio shows one live preview at a time. */
export const editChannel = new EditChannel();

/**
 * Draws a scene with these props within a frame or two, without waiting for its file. The page returns to the file once that
 * has the same content, or content that was never sent. `null` returns immediately.
 */
export const sendSceneProps = (sceneId: string, props: SceneProps | null): void => editChannel.sendSceneProps(sceneId, props);

/** Returns the current positions of a text on the screen, ignoring case and white space. Empty if the page does not respond. */
export const findText = (text: string): Promise<TextBox[]> => editChannel.findText(text);

/** Calls `listener` with the line of text that the user clicks in the frame, until the returned function is called. */
export const onTextClick = (listener: (click: TextClick) => void): (() => void) => editChannel.onTextClick(listener);

/**
 * Calls `listener` when the page has started. It uses only its files then, so props that are not stored yet must be sent
 * again.
 */
export const onPageStart = (listener: () => void): (() => void) => editChannel.onPageStart(listener);

/** Parses a message from the preview. Returns `null` if it is not one of Koda's. The page is untrusted. */
export function readFromPreview(data: unknown): FromPreview | null {
  if (!isWithinLimits(data, payloadLimits)) return null;
  const parsed = fromPreviewSchema.safeParse(data);
  return parsed.success ? parsed.data : null;
}

/** Returns the address that renders a film without its background. */
export function transparentAddress(url: string): string {
  const address = new URL(url);
  address.searchParams.set('transparent', '');
  return address.href;
}
