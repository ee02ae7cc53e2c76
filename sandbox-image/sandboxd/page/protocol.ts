import { z } from 'zod';
import type { ParameterValues } from '../../../server/contract/render.ts';
import { pageElementSchema } from '../../../server/contract/sandboxd.ts';

/**
 * What the daemon asks of a page, and what the page answers. The functions are in the other files of this folder, which
 * run in Chromium; every answer is checked, since the page may be hostile.
 */

// ---- a page that is captured: `capture.ts` ----

const boxSchema = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
/** In CSS pixels of the frame, from its top left corner. */
export type Box = z.infer<typeof boxSchema>;

const itemSchema = z.object({
  /** The same for the same element at every moment. */
  id: z.int(),
  selector: z.string().max(300),
  box: boxSchema,
  /** Product over all ancestors, 0…1. */
  opacity: z.number(),
});

/** What stands where on a page at one moment: texts, pictures and painted boxes. Judged by `layout-findings.ts`. */
export const layoutSnapshotSchema = z.object({
  /** One for each block of text, whatever inline elements it is cut into. */
  texts: z
    .array(
      itemSchema.extend({
        text: z.string().max(200),
        /** As drawn: with all transforms. */
        fontPx: z.number(),
        /** Height of one line's glyph area, as drawn. */
        linePx: z.number(),
        /** Turned, skewed or in perspective: its box is larger than the text. */
        turned: z.boolean(),
        /** Of the glyphs, 0…255; null where they are not of one colour. */
        color: z.tuple([z.number(), z.number(), z.number()]).nullable(),
        /** What its ancestors leave visible of the page; null = everything. */
        clip: boxSchema.nullable(),
        /** The nearest painted box that it stands in, in flow. */
        container: boxSchema.nullable(),
        /** Of the element around it: siblings are parts of one thing. */
        parentId: z.int(),
      }),
    )
    .max(400),
  /** `picture`: an image, a video, a drawing. `paint`: an element with a background or border of its own. */
  shapes: z.array(itemSchema.extend({ kind: z.enum(['picture', 'paint']), group: z.string().max(300) })).max(400),
});
export type LayoutSnapshot = z.infer<typeof layoutSnapshotSchema>;
export type TextItem = LayoutSnapshot['texts'][number];
export type ShapeItem = LayoutSnapshot['shapes'][number];

/** A canvas as it stands on its page, and what it shows, JPEG in base64. */
export const canvasPictureSchema = z
  .object({
    /** How the canvas is placed and styled. Pictures are known to be right for a form in which some were compared. */
    form: z.string(),
    data: z.string().min(1),
  })
  .nullable();

const maxNameCharacters = 100;
/** Who of the cast a page says is there at one moment: the names are the page's, so their length is limited. */
export const sightingsSchema = z
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
export type Sightings = NonNullable<z.infer<typeof sightingsSchema>>;

export const readyStateSchema = z.object({
  ready: z.boolean(),
  error: z.string().nullable(),
  info: z.unknown(),
  parameterError: z.string().nullable(),
});
export type ReadyState = z.infer<typeof readyStateSchema>;

/** The words are the page's, so their length is limited. */
export const parameterProblemsSchema = z
  .array(
    z
      .string()
      .transform((text) => text.slice(0, 1000))
      .nullable(),
  )
  .nullable();

/** A document without them answers with undefined: it is not the one that was opened. */
export interface CaptureFunctions {
  readyState(): ReadyState;
  /** Called once, when the page is ready. Before that, nothing is drawn exactly. */
  begin(): void;
  /** Whether `begin` was called in this document, which a reload replaces. */
  hasBegun(): boolean;
  /** `still` or `drawn` (a WebGL canvas was), `async`, `lost`, `gone`, or the words of the page's own error. */
  seek(seconds: number): string;
  /** What is wrong with each set of values (null = nothing); null when the page does not check values. */
  checkParameters(sets: readonly ParameterValues[]): (string | null)[] | null;
  /** Leaves the page as it was. */
  layout(): LayoutSnapshot;
  /** What the page says of its cast; null where it says nothing. */
  cast(): unknown;
  /** `quality` from 0 to 1. Null when anything but one canvas may be seen. */
  canvasPicture(quality: number): z.infer<typeof canvasPictureSchema>;
}

export function captureCall<Name extends keyof CaptureFunctions>(
  name: Name,
  ...args: Parameters<CaptureFunctions[Name]>
): string {
  return `window.__kodaCapture?.${name}(${argumentList(args)})`;
}

// ---- a page that the agent uses: `agent.ts` ----

const missingSchema = z.object({
  problem: z.literal('missing'),
  candidates: z.array(z.object({ selector: z.string(), text: z.string() })),
});
export type Missing = z.infer<typeof missingSchema>;
const invalidSchema = z.object({ problem: z.literal('invalid'), words: z.string() });

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
/** The size is the image's own. */
export const drawnSchema = z.union([
  z.object({ problem: z.string() }),
  z.object({ width: z.int().positive(), height: z.int().positive(), dataUrl: z.string() }),
]);

export interface ImageToDraw {
  readonly dataUrl: string;
  /** In pixels. */
  readonly maxSide: number;
  /** Beyond so many characters of its data: URL a picture becomes a JPEG. */
  readonly maxPngCharacters: number;
  readonly jpegQuality: number;
}

export interface AgentFunctions {
  /** Finds an element, brings it into view, and keeps it for the calls that follow. */
  locate(selector: string | null, text: string | null): z.infer<typeof locatedSchema>;
  /** What is on top at a point of the window. */
  hit(x: number, y: number): z.infer<typeof hitSchema>;
  /** Puts the caret into the element that was located; returns why that is not possible. */
  focus(clear: boolean): z.infer<typeof focusSchema>;
  describeLocated(): z.infer<typeof hitSchema>;
  /** Scrolls the element that was located, or the window. */
  scroll(by: { x: number; y: number }, located: boolean): null;
  extract(selector: string, what: 'text' | 'html' | 'elements'): z.infer<typeof extractedSchema>;
  /** Where the page is, and the status that its address was answered with. */
  state(): PageState;
  /** An image, scaled down where it is too large. */
  drawImage(image: ImageToDraw): Promise<z.infer<typeof drawnSchema>>;
}

export function agentCall<Name extends keyof AgentFunctions>(name: Name, ...args: Parameters<AgentFunctions[Name]>): string {
  return `kodaAgent.${name}(${argumentList(args)})`;
}

/** JSON is an expression of JavaScript, whatever is in it. */
function argumentList(args: readonly unknown[]): string {
  return args.map((value) => JSON.stringify(value)).join(', ');
}
