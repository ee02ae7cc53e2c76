import { z } from 'zod';
import {
  parameterInfoSchema,
  parameterValuesSchema,
  renderFormatSchema,
  renderProbeSchema,
  renderRangeSchema,
} from './render.ts';

/** The sockets of a sandbox, in its folder: one for calls (see sandbox-calls.ts), one for raw bytes to the dev server. */
export const controlSocketName = 'sandboxd.sock';
export const previewSocketName = 'preview.sock';

/** The environment that starts a sandboxd. */
export const sandboxdEnvSchema = z.object({
  KODA_SOCKET_DIR: z.string(),
  KODA_TOKEN: z.string().min(32),
  KODA_WORKSPACE: z.string(),
  KODA_TEMPLATES: z.string(),
  /** Folder for what may be deleted at any time, and outlives the sandbox; absent = in the workspace. */
  KODA_CACHE: z.string().optional(),
  /** `KODA_CHROMIUM`, `KODA_FFMPEG`, `KODA_FFPROBE`: absolute paths; found on PATH when absent. */
  KODA_CHROMIUM: z.string().optional(),
  KODA_FFMPEG: z.string().optional(),
  KODA_FFPROBE: z.string().optional(),
});

/** Never tracked, listed, archived or checkpointed: what can be made again. */
export const untrackedNames = ['node_modules', '.koda', 'dist', '.vite', '.git', '.cache', 'coverage'] as const;

/**
 * A text of what a sandbox says, cut to what its readers need: pages and programs write as much as they like, and what is
 * read here may be kept, shown and paid for by the word.
 */
export const textUpTo = (characters: number) => z.string().overwrite((text) => text.slice(0, characters));
export const endUpTo = (characters: number) => z.string().overwrite((text) => text.slice(-characters));

export const healthSchema = z.object({
  version: textUpTo(100),
  uptimeMs: z.int(),
  workspaceReady: z.boolean(),
  memoryBytes: z.int().nullable(),
  oomKills: z.int().nullable(),
});
export type Health = z.infer<typeof healthSchema>;

export const initRequestSchema = z.object({ template: z.string().regex(/^[a-z][a-z0-9-]*$/) });

/** A path that a sandbox names must not lead anywhere else, whatever is done with it. */
export const innerPathSchema = z
  .string()
  .refine(
    (path) =>
      path !== '' &&
      path.length <= 4096 &&
      path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..'),
    'a path that leaves the project',
  );

export const fileEntrySchema = z.object({
  path: innerPathSchema,
  type: z.enum(['file', 'directory', 'symlink']),
  sizeBytes: z.int(),
  executable: z.boolean(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;
export const fileListSchema = z.object({ files: z.array(fileEntrySchema), complete: z.boolean() });
export type FileList = z.infer<typeof fileListSchema>;

export const changesSchema = z.object({
  revision: z.int(),
  changed: z.array(fileEntrySchema),
  deleted: z.array(innerPathSchema),
});
export type Changes = z.infer<typeof changesSchema>;

/** Most that one transaction takes. */
export const applyLimits = { files: 500, fileBytes: 10 * 1024 ** 2, bytes: 32 * 1024 ** 2, dependencies: 100 } as const;

export const applyChangeSchema = z.object({
  path: z.string(),
  /** Null: the file goes. */
  content: z.string().nullable(),
  encoding: z.enum(['utf8', 'base64']),
  /** What has to be at the path before; `any`: a file or nothing. */
  expects: z.enum(['file', 'nothing', 'any']),
});
export type ApplyChange = z.infer<typeof applyChangeSchema>;

export const applyRequestSchema = z.object({
  changes: z.array(applyChangeSchema).min(1).max(applyLimits.files),
  /** Packages that have to be installed: `name`, or `name@version` for exactly that version. */
  dependencies: z
    .array(z.string().regex(/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(@[\w.+-]+)?$/i, 'not the name of a package'))
    .max(applyLimits.dependencies),
  /** A command that has to end well in a copy of the project with the changes, before they are made; null = none. */
  check: z.string().min(1).max(1000).nullable(),
  /** For the check. */
  timeoutMs: z.int().min(0).max(600_000),
});
export type ApplyRequest = z.infer<typeof applyRequestSchema>;

export const applyCheckSchema = z.object({
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  output: textUpTo(64 * 1024),
});
export type ApplyCheck = z.infer<typeof applyCheckSchema>;

/** All changes were made; or, because the check did not end well, none. */
export const applyAnswerSchema = z.discriminatedUnion('applied', [
  z.object({
    applied: z.literal(true),
    written: z.array(z.object({ path: innerPathSchema, sizeBytes: z.int().min(0) })),
    deleted: z.array(innerPathSchema),
  }),
  z.object({ applied: z.literal(false), check: applyCheckSchema }),
]);
export type ApplyAnswer = z.infer<typeof applyAnswerSchema>;

/** Files and lines are looked for in everything that is tracked; `path` is a folder, or a file for lines. */
export const pathSearchSchema = z.object({ pattern: z.string().min(1).max(500), path: z.string().max(4096) });
export type PathSearch = z.infer<typeof pathSearchSchema>;
/** `complete`: false when there were more than fit an answer. */
export const foundPathsSchema = z.object({ paths: z.array(innerPathSchema).max(5_000), complete: z.boolean() });
export type FoundPaths = z.infer<typeof foundPathsSchema>;

export const lineSearchSchema = pathSearchSchema.extend({
  pattern: z.string().min(1).max(1000),
  /** Only in files like this; null = in all. */
  glob: z.string().min(1).max(500).nullable(),
  ignoreCase: z.boolean(),
});
export type LineSearch = z.infer<typeof lineSearchSchema>;
export const foundLinesSchema = z.object({
  /** By path, then by line. A long line is cut around its first match. */
  matches: z.array(z.object({ path: innerPathSchema, line: z.int().min(1), text: textUpTo(2_000) })).max(1_000),
  complete: z.boolean(),
});
export type FoundLines = z.infer<typeof foundLinesSchema>;

export const execRequestSchema = z.object({
  /** Run by `bash -c` in the workspace. */
  command: z.string().min(1).max(10_000),
  cwd: z.string().nullable(),
  env: z.record(z.string(), z.string()),
  /** 0 = no limit (background processes only). */
  timeoutMs: z.int().min(0).max(3_600_000),
});
export type ExecRequest = z.infer<typeof execRequestSchema>;

/** How a stream of events ends that cannot go on. */
export const streamErrorSchema = z.object({ type: z.literal('error'), code: textUpTo(64), message: textUpTo(16_384) });

export const execEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), pid: z.int() }),
  z.object({ type: z.literal('stdout'), text: z.string() }),
  z.object({ type: z.literal('stderr'), text: z.string() }),
  z.object({
    type: z.literal('exit'),
    exitCode: z.int().nullable(),
    signal: textUpTo(32).nullable(),
    timedOut: z.boolean(),
    durationMs: z.int(),
  }),
  streamErrorSchema,
]);
export type ExecEvent = z.infer<typeof execEventSchema>;

export const processStatusSchema = z.object({
  pid: z.int(),
  running: z.boolean(),
  exitCode: z.int().nullable(),
  signal: textUpTo(32).nullable(),
  logBytes: z.int(),
});
export type ProcessStatus = z.infer<typeof processStatusSchema>;

export const previewStatusSchema = z.object({
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  port: z.int().nullable(),
  /** Last lines of the dev server's output: the evidence when it fails. */
  log: endUpTo(16 * 1024),
});
export type PreviewStatus = z.infer<typeof previewStatusSchema>;

export const screenshotRequestSchema = z.object({
  seekToSeconds: z.number().min(0),
  width: z.int().min(16).max(3840),
  height: z.int().min(16).max(3840),
  format: z.enum(['png', 'jpeg']),
  /** Of a JPEG, 0…100. */
  quality: z.int().min(1).max(100).default(95),
});
export type ScreenshotRequest = z.input<typeof screenshotRequestSchema>;

export const consoleMessageSchema = z.object({ level: z.enum(['log', 'info', 'warning', 'error']), text: textUpTo(4_000) });

export const inspectRequestSchema = z.object({
  /** The moments at which frames are looked at; none when only what the page says of itself is wanted. */
  atSeconds: z.array(z.number().min(0)).max(32),
  width: z.int().min(16).max(1920),
  height: z.int().min(16).max(1920),
  /** Values for the film's parameters that shall be checked, set by set. */
  parameterSets: z.array(parameterValuesSchema).max(500).default([]),
  /** Whether the frames are wanted as one picture. */
  contactSheet: z.boolean().default(false),
});
export type InspectRequest = z.infer<typeof inspectRequestSchema>;

export const pictureRequestSchema = z.object({
  path: z.string().max(4096),
  /** The longer side is made this long at most, in px. */
  maxSide: z.int().min(16).max(4096),
  /** Of a PDF, counted from 1; a picture has one. */
  page: z.int().min(1).max(100_000).default(1),
});
export type PictureRequest = z.infer<typeof pictureRequestSchema>;
const imageMediaTypeSchema = z.enum(['image/png', 'image/jpeg']);
export const pictureSchema = z.object({
  mediaType: imageMediaTypeSchema,
  base64: z.base64(),
  /** As it is in the file, in px; of a page of a PDF, as it was drawn. */
  width: z.int().positive(),
  height: z.int().positive(),
  sizeBytes: z.int().min(0),
  /** Of a PDF; null for a picture. */
  pages: z.int().positive().nullable(),
});
export type Picture = z.infer<typeof pictureSchema>;

const selectorSchema = z.string().min(1).max(500);

/**
 * One step on the page that is kept for the agent between calls. Every step but `navigate` opens the page anew,
 * where it was last, when it is gone. Its time stands still between two steps.
 */
export const browserActionSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('navigate'),
    /** A path of the dev server, its whole address, or a data: URL. */
    url: z.string().min(1).max(200_000),
    width: z.int().min(16).max(4096),
    height: z.int().min(16).max(4096),
  }),
  z.object({
    action: z.literal('click'),
    selector: selectorSchema.nullable(),
    /** Text that the element shows; with a selector, one of its matches. */
    text: z.string().min(1).max(200).nullable(),
    /** From the top left of the element, or of the window when no element is named; null = its middle. */
    at: z.object({ x: z.number().min(0), y: z.number().min(0) }).nullable(),
  }),
  z.object({
    action: z.literal('type'),
    selector: selectorSchema,
    text: z.string().max(10_000),
    clear: z.boolean(),
    submit: z.boolean(),
  }),
  z.object({
    action: z.literal('scroll'),
    selector: selectorSchema.nullable(),
    /** By so many px; null = until the element is in view. */
    by: z.object({ x: z.number(), y: z.number() }).nullable(),
  }),
  z.object({ action: z.literal('extract'), selector: selectorSchema, what: z.enum(['text', 'html', 'elements']) }),
  z.object({ action: z.literal('screenshot'), waitMs: z.int().min(0).max(10_000) }),
  z.object({ action: z.literal('console') }),
]);
export type BrowserAction = z.infer<typeof browserActionSchema>;

export const pageElementSchema = z.object({
  /** Leads to it, and to it alone where that is possible. */
  selector: z.string().max(1000),
  tag: z.string().max(100),
  text: z.string().max(1000),
  attributes: z.record(z.string(), z.string().max(1000)),
  /** In the window, in px. */
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  visible: z.boolean(),
});
export type PageElement = z.infer<typeof pageElementSchema>;

export const browserReportSchema = z.object({
  url: textUpTo(4_000),
  title: textUpTo(1_000),
  /** The page was gone (idle for long, or crashed) and had to be loaded again: what was typed and clicked is lost. */
  reopened: z.boolean(),
  /** Where the window stands in the page, in px. */
  scroll: z.object({ x: z.number(), y: z.number(), maxX: z.number(), maxY: z.number() }),
  /** Of `click`, `type` and `scroll`: what was hit. */
  element: pageElementSchema.nullable(),
  /** Of `extract`: text or HTML, or the elements. */
  content: textUpTo(200_000).nullable(),
  elements: z.array(pageElementSchema).max(500),
  /** How many elements the selector found. */
  matches: z.int().min(0).nullable(),
  /** False when `content`, `elements` or `console` was cut. */
  complete: z.boolean(),
  /** Of `screenshot`. */
  picture: z.object({ mediaType: imageMediaTypeSchema, base64: z.base64() }).nullable(),
  /** Of `console`: all since the page was opened, oldest first. Of other steps: errors that are new. */
  console: z.array(consoleMessageSchema).max(1_000),
});
export type BrowserReport = z.infer<typeof browserReportSchema>;

/** One piece of sound on the film's time axis. */
export const audioTrackSchema = z.object({
  /** Path from the page's root, `/assets/music.mp3`. */
  src: z.string().min(1).max(500),
  /** Where it begins in the film. */
  startSeconds: z.number().min(0),
  /** How much of the beginning of the file is left out. */
  offsetSeconds: z.number().min(0).default(0),
  /** Null = to the end of the file or of the film. */
  durationSeconds: z.number().positive().nullable().default(null),
  gainDb: z.number().min(-60).max(24).default(0),
  fadeInSeconds: z.number().min(0).default(0),
  fadeOutSeconds: z.number().min(0).default(0),
});
export type AudioTrack = z.infer<typeof audioTrackSchema>;

/** What the page of a project says of itself (`window.__exportInfo`). */
export const stageInfoSchema = z.object({
  durationSeconds: z.number().positive(),
  width: z.int(),
  height: z.int(),
  fps: z.number(),
  /** Where the scenes are on the time axis; neighbours may overlap. */
  scenes: z
    .array(
      z.object({
        id: z.string().min(1).max(64),
        title: z.string().max(200).default(''),
        startSeconds: z.number().min(0),
        durationSeconds: z.number().positive(),
      }),
    )
    .max(500)
    .default([]),
  /** Sound, from files of the project. */
  audio: z.array(audioTrackSchema).max(64).default([]),
  /** What may be set from outside, by name. */
  parameters: z.array(parameterInfoSchema).max(200).default([]),
});
export type StageInfo = z.infer<typeof stageInfoSchema>;

/** What is wrong with the layout of a page at moments at which it stands still. */
export const layoutFindingSchema = z.object({
  /**
   * What it is, and what `amount` means: `text_clipped` by the element around it, `text_beyond_frame`, `text_overflow`
   * of the painted box it stands in, `outside_frame` of an element (shares of it that are lost, 0…1); `text_small` (font
   * size in shares of the frame's height); `text_overlap` (share of the smaller text); `text_contrast` (ratio of WCAG, 1…21).
   */
  kind: z.enum([
    'text_clipped',
    'text_beyond_frame',
    'text_overflow',
    'text_small',
    'text_overlap',
    'text_contrast',
    'outside_frame',
  ]),
  selector: z.string().max(300),
  /** The first words of the text; empty for what is no text. */
  text: z.string().max(200),
  /** Of two that overlap, the other. */
  otherText: z.string().max(200).nullable(),
  amount: z.number(),
  /** The moments at which it was seen. */
  seconds: z.array(z.number()).max(32),
});
export type LayoutFinding = z.infer<typeof layoutFindingSchema>;

export const inspectReportSchema = z.object({
  info: stageInfoSchema.nullable(),
  /** Uncaught errors and error messages of the page, oldest first. */
  console: z.array(consoleMessageSchema).max(1_000),
  frames: z
    .array(
      z.object({
        seconds: z.number(),
        /** Standard deviation of luma, 0…127: under about 1.5 nothing can be made out. */
        contrast: z.number(),
        /** Mean absolute difference of luma to the frame before, 0…255; null for the first. */
        change: z.number().nullable(),
        sha256: textUpTo(64),
      }),
    )
    .max(32),
  /** What is wrong with each of `parameterSets`, in sentences; null = nothing. Empty when the page failed before. */
  parameterProblems: z.array(textUpTo(4_000).nullable()).max(500).default([]),
  layout: z.array(layoutFindingSchema).max(100).default([]),
  /** Who of the cast, and which texts, were there at some moment; null when the page says nothing of its cast. */
  seen: z
    .object({
      /** `name`: of the keyframes; `most`: bodies at one moment. */
      cast: z.array(z.object({ scene: textUpTo(100), name: textUpTo(100), most: z.int().min(0) })).max(1_000),
      texts: z.array(textUpTo(200)).max(400),
    })
    .nullable()
    .default(null),
  /** The frames in rows, in order: a JPEG in base64. Null when it was not asked for, or there are none. */
  contactSheet: z.base64().max(1_500_000).nullable().default(null),
});
export type InspectReport = z.infer<typeof inspectReportSchema>;

export const renderJobSchema = z.object({
  id: z.string().regex(/^[a-z0-9_]{1,64}$/),
  /** `dev`: the running dev server (fast start, for previews); `build`: a production build (for finals). */
  source: z.enum(['dev', 'build']),
  width: z.int().min(16).max(7680),
  height: z.int().min(16).max(7680),
  fps: z.int().min(1).max(120),
  durationSeconds: z.number().positive().max(600),
  format: renderFormatSchema,
  crf: z.int().min(0).max(63),
  transparent: z.boolean(),
  /** Null = the whole film. A scene is looked up in what the page says of itself. */
  range: renderRangeSchema.nullable(),
  /** Handed to the page before it loads; null = what the project declares as defaults. */
  parameters: parameterValuesSchema.nullable(),
  verify: z.boolean(),
  /** Encoder preset for speed against size: the preview wants `ultrafast`, the final `veryfast`. */
  speed: z.enum(['ultrafast', 'veryfast', 'medium']),
  /** Browsers at work side by side; never changes the picture. */
  workers: z.int().min(1).max(16),
  timeoutMs: z.int().min(1000),
});
export type RenderJob = z.infer<typeof renderJobSchema>;

export const renderEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    stage: z.enum(['capturing', 'encoding']),
    framesDone: z.int(),
    framesTotal: z.int(),
    secondsLeft: z.number().nullable(),
  }),
  z.object({
    type: z.literal('done'),
    ...renderProbeSchema.shape,
  }),
  streamErrorSchema,
]);
export type RenderEvent = z.infer<typeof renderEventSchema>;
