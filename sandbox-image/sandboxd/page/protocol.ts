import { z } from 'zod';
import type { ParameterValues } from '#contract/render.ts';
import { pageElementSchema } from '#contract/sandbox/answers.ts';

/** Protocol between the daemon and a page. Schemas validate every result, because the page is untrusted. */

const boxSchema = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
export type Box = z.infer<typeof boxSchema>;

const itemSchema = z.object({
  /** Stable for an element at all timestamps. */
  id: z.int(),
  selector: z.string().max(300),
  box: boxSchema,
  /** Product of the opacities of the element and its ancestors, 0 to 1. */
  opacity: z.number(),
});

/** Positions of texts, images and painted boxes. `layout-findings.ts` evaluates them. */
export const layoutSnapshotSchema = z.object({
  /** One item per block of text, including its inline elements. */
  texts: z
    .array(
      itemSchema.extend({
        text: z.string().max(200),
        /** Including all transforms. */
        fontPx: z.number(),
        /** Height of a line's glyph area, including all transforms. */
        linePx: z.number(),
        /** Rotated, skewed or in perspective: the box is larger than the text. */
        rotated: z.boolean(),
        /** Colour of the glyphs, 0 to 255; `null` if they have several colours. */
        color: z.tuple([z.number(), z.number(), z.number()]).nullable(),
        /** Visible area after clipping by ancestors; `null` if they do not clip. */
        clip: boxSchema.nullable(),
        /** The nearest painted ancestor in flow. */
        container: boxSchema.nullable(),
        parentId: z.int(),
        /** Drawn size as a fraction of the requested one. 1 if the text only has more lines; `null` if it fits. */
        fitted: z.number().nullable(),
        /** The drawing whose edge is under this title, and the fraction of the title that lies on it. */
        touched: z.object({ selector: z.string().max(300), share: z.number() }).nullable(),
      }),
    )
    .max(400),
  /** `image`: an image, video or drawing. `paint`: an element with a background or border. */
  shapes: z.array(itemSchema.extend({ kind: z.enum(['image', 'paint']), group: z.string().max(300) })).max(400),
});
export type LayoutSnapshot = z.infer<typeof layoutSnapshotSchema>;
export type TextItem = LayoutSnapshot['texts'][number];
export type ShapeItem = LayoutSnapshot['shapes'][number];

/** Colour of marked glyphs, 0 to 255. */
export const glyphMark = [255, 0, 255] as const;

export const canvasImageSchema = z
  .object({
    /** Position and style of the canvas. A verified canvas image is representative of others with the same form. */
    form: z.string(),
    data: z.string().min(1),
  })
  .nullable();

const maxNameCharacters = 100;
/** The visible cast. Name lengths are limited, because the page is untrusted. */
export const visibleBodiesSchema = z
  .array(
    z.object({
      scene: z.string().max(maxNameCharacters),
      name: z.string().max(maxNameCharacters),
      inside: z.number(),
      opacity: z.number(),
    }),
  )
  .max(400)
  .nullable();
export type VisibleBodies = NonNullable<z.infer<typeof visibleBodiesSchema>>;

export const readyStateSchema = z.object({
  ready: z.boolean(),
  error: z.string().nullable(),
  info: z.unknown(),
  parameterError: z.string().nullable(),
});
export type ReadyState = z.infer<typeof readyStateSchema>;

export const parameterProblemsSchema = z
  .array(
    z
      .string()
      .transform((text) => text.slice(0, 1000))
      .nullable(),
  )
  .nullable();

/** A result of `undefined` means that another document has replaced the page. */
export interface CaptureFunctions {
  readyState(): ReadyState;
  /** Called once, when the page is ready. Before that, drawing is not exact. */
  start(): void;
  /** Whether `start` has run in this document, which a reload replaces. */
  hasStarted(): boolean;
  /**
   * Returns `unchanged`, `drawn` (a WebGL canvas), `loading` (drawn without a font or image), `rewound` (only a new page can
   * show an earlier time), `async`, `lost`, `reloaded`, or the page's error message.
   */
  seek(seconds: number): string;
  /** Returns the validation error for each set (`null` if valid), or `null` if the page does not validate. */
  checkParameters(sets: readonly ParameterValues[]): (string | null)[] | null;
  /** Leaves the page unchanged. */
  layout(): LayoutSnapshot;
  /** `null` if the page does not report its cast. */
  cast(): unknown;
  /** Draws all glyphs in `glyphMark` instead of their colour, to tell them from what is behind them. */
  markGlyphs(isMarked: boolean): void;
  /** `quality` is 0 to 1. Returns `null` if anything but one canvas may be visible. */
  canvasImage(quality: number): z.infer<typeof canvasImageSchema>;
  /**
   * Prepares the page to write its own frames. `writer` is the worker's script. It creates the file and writes `mark` at its start.
   * Returns why it is impossible, or `null`.
   */
  startDirect(writer: string, file: { readonly name: string; readonly mark: string }): Promise<string | null>;
  /** From now on, a main frame draws into the file instead of the window. Returns why it is impossible, or `null`. */
  enterDirect(): string | null;
  /** From now on, the page draws into the window again. */
  leaveDirect(): void;
  /** Returns `written`, `unchanged` since the last call, or an error message. */
  takeDirect(): Promise<string>;
}

export function captureCall<Name extends keyof CaptureFunctions>(
  name: Name,
  ...args: Parameters<CaptureFunctions[Name]>
): string {
  return `window.__kodaCapture?.${name}(${argumentList(args)})`;
}

/** In each message about something that the film's time does not drive. */
export const mayDiffer = 'so two renders may differ';

const missingSchema = z.object({
  problem: z.literal('missing'),
  candidates: z.array(z.object({ selector: z.string(), text: z.string() })),
});
export type Missing = z.infer<typeof missingSchema>;
const invalidSchema = z.object({ problem: z.literal('invalid'), message: z.string() });

export const locatedSchema = z.union([
  missingSchema,
  invalidSchema,
  z.object({ problem: z.literal('none'), element: pageElementSchema, matches: z.int() }),
]);
export const hitSchema = pageElementSchema.nullable();
export const focusSchema = z.string().max(200).nullable();
export const extractedSchema = z.union([
  missingSchema,
  invalidSchema,
  z.object({
    problem: z.literal('none'),
    matches: z.int(),
    content: z.string().nullable(),
    complete: z.boolean(),
    elements: z.array(pageElementSchema),
  }),
]);
export const stateSchema = z.object({
  url: z.string(),
  title: z.string(),
  status: z.int(),
  scroll: z.object({ x: z.number(), y: z.number(), maxX: z.number(), maxY: z.number() }),
});
export type PageState = z.infer<typeof stateSchema>;
export const drawnSchema = z.union([
  z.object({ problem: z.string() }),
  z.object({ width: z.int().positive(), height: z.int().positive(), dataUrl: z.string() }),
]);

export interface ImageToDraw {
  readonly dataUrl: string;
  readonly maxSide: number;
  /** Whether a smaller image gets this size too. */
  readonly enlarges: boolean;
  /** Images with a longer PNG data: URL are sent as JPEG. */
  readonly maxPngCharacters: number;
  readonly jpegQuality: number;
}

export interface AgentFunctions {
  /** Finds an element, scrolls it into view, and stores it for later calls. */
  locate(selector: string | null, text: string | null): z.infer<typeof locatedSchema>;
  /** Returns the topmost element at a point in the window. */
  hit(x: number, y: number): z.infer<typeof hitSchema>;
  focus(clear: boolean): z.infer<typeof focusSchema>;
  describeLocated(): z.infer<typeof hitSchema>;
  scroll(by: { x: number; y: number }, located: boolean): null;
  extract(selector: string, what: 'text' | 'html' | 'elements'): z.infer<typeof extractedSchema>;
  /** Returns the page's address, HTTP status and scroll position. */
  state(): PageState;
  drawImage(image: ImageToDraw): Promise<z.infer<typeof drawnSchema>>;
}

export function agentCall<Name extends keyof AgentFunctions>(name: Name, ...args: Parameters<AgentFunctions[Name]>): string {
  return `kodaAgent.${name}(${argumentList(args)})`;
}

/** JSON is always a valid JavaScript expression. */
function argumentList(args: readonly unknown[]): string {
  return args.map((value) => JSON.stringify(value)).join(', ');
}
