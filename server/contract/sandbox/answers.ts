import { z } from 'zod';
import {
  aspectSchema,
  parameterInfoSchema,
  parameterValuesSchema,
  renderFormatSchema,
  renderProbeSchema,
  renderRangeSchema,
} from '../render.ts';

/** Sockets in a sandbox's socket folder: one for calls (see sandbox-calls.ts), one for raw bytes to the dev server. */
export const controlSocketName = 'sandboxd.sock';
export const previewSocketName = 'preview.sock';

export const sandboxdEnvSchema = z.object({
  KODA_SOCKET_DIR: z.string(),
  KODA_TOKEN: z.string().min(32),
  KODA_WORKSPACE: z.string(),
  KODA_TEMPLATES: z.string(),
  /** Cache folder that outlives the sandbox. Defaults to a folder in the workspace. */
  KODA_CACHE: z.string().optional(),
  /** Absolute paths to the programs. Missing ones are looked up on PATH. */
  KODA_CHROMIUM: z.string().optional(),
  KODA_FFMPEG: z.string().optional(),
  KODA_FFPROBE: z.string().optional(),
});

/** Reproducible files. They are never tracked, listed, archived or saved in checkpoints. */
export const untrackedNames = [
  'node_modules',
  '.koda',
  'dist',
  '.vite',
  '.git',
  '.cache',
  'coverage',
  '__pycache__',
  '.pytest_cache',
] as const;

/**
 * Truncates text from a sandbox. Film pages and programs can write any amount of it, which would be stored, displayed and paid
 * for per token.
 */
export const textUpTo = (characters: number) => z.string().overwrite((text) => text.slice(0, characters));
export const endUpTo = (characters: number) => z.string().overwrite((text) => text.slice(-characters));

/**
 * Version of the protocol. Increment it with a change that older daemons or servers do not understand: a server that is updated
 * then replaces the sandboxes that are still running.
 */
export const protocolVersion = '2';

export const healthSchema = z.object({
  version: z.literal(protocolVersion),
  uptimeMs: z.int(),
  workspaceReady: z.boolean(),
  memoryBytes: z.int().nullable(),
  oomKills: z.int().nullable(),
});
export type Health = z.infer<typeof healthSchema>;

export const initRequestSchema = z.object({ template: z.string().regex(/^[a-z][a-z0-9-]*$/) });

/** Longest path in a list. The paths of a project's own files have at most 512 bytes. */
export const maxInnerPathLength = 1024;

/** Path from a sandbox, which must stay inside the project. */
export const innerPathSchema = z
  .string()
  .refine(
    (path) =>
      path !== '' &&
      path.length <= maxInnerPathLength &&
      path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..'),
    'the path leads out of the project',
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

export const applyLimits = { files: 500, fileBytes: 10 * 1024 ** 2, bytes: 32 * 1024 ** 2, dependencies: 100 } as const;

export const applyChangeSchema = z.object({
  path: z.string(),
  /** `null` deletes the file. */
  content: z.string().nullable(),
  encoding: z.enum(['utf8', 'base64']),
  /** Required state of the path before the change. `any`: either a file or nothing. */
  expects: z.enum(['file', 'nothing', 'any']),
});
export type ApplyChange = z.infer<typeof applyChangeSchema>;

export const applyRequestSchema = z.object({
  changes: z.array(applyChangeSchema).min(1).max(applyLimits.files),
  /** Packages that must be installed: `name`, or `name@version` for an exact version. */
  dependencies: z
    .array(z.string().regex(/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(@[\w.+-]+)?$/i, 'not a package name'))
    .max(applyLimits.dependencies),
  /** Command that must succeed in a copy of the project with the changes before they are applied. `null` if there is none. */
  check: z.string().min(1).max(1000).nullable(),
  timeoutMs: z.int().min(0).max(600_000),
});
export type ApplyRequest = z.infer<typeof applyRequestSchema>;

export const applyCheckSchema = z.object({
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  output: textUpTo(64 * 1024),
});
export type ApplyCheck = z.infer<typeof applyCheckSchema>;

/** Whether all changes were made. Otherwise, none was made because the check failed. */
export const applyResultSchema = z.discriminatedUnion('applied', [
  z.object({
    applied: z.literal(true),
    written: z.array(z.object({ path: innerPathSchema, sizeBytes: z.int().min(0) })),
    deleted: z.array(innerPathSchema),
  }),
  z.object({ applied: z.literal(false), check: applyCheckSchema }),
]);
export type ApplyResult = z.infer<typeof applyResultSchema>;

/** Search in all tracked files. `path` is a folder, or a file when searching lines. */
export const pathSearchSchema = z.object({ pattern: z.string().min(1).max(500), path: z.string().max(4096) });
export type PathSearch = z.infer<typeof pathSearchSchema>;
/** `complete`: false if there are more matches than fit into a response. */
export const foundPathsSchema = z.object({ paths: z.array(innerPathSchema), complete: z.boolean() });
export type FoundPaths = z.infer<typeof foundPathsSchema>;

export const lineSearchSchema = pathSearchSchema.extend({
  pattern: z.string().min(1).max(1000),
  /** Limits the search to files that match this glob. `null` for all. */
  glob: z.string().min(1).max(500).nullable(),
  ignoreCase: z.boolean(),
});
export type LineSearch = z.infer<typeof lineSearchSchema>;
export const foundLinesSchema = z.object({
  /** Sorted by path, then by line. A long line is truncated around its first match. */
  matches: z.array(z.object({ path: innerPathSchema, line: z.int().min(1), text: textUpTo(2_000) })),
  complete: z.boolean(),
});
export type FoundLines = z.infer<typeof foundLinesSchema>;

export const execRequestSchema = z.object({
  /** Run by `bash -c` in the workspace. */
  command: z.string().min(1).max(10_000),
  cwd: z.string().nullable(),
  env: z.record(z.string(), z.string()),
  /** 0 for no limit (background processes only). */
  timeoutMs: z.int().min(0).max(3_600_000),
});
export type ExecRequest = z.infer<typeof execRequestSchema>;

/** Last line of an event stream that fails. */
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
  /** Last lines of the dev server's output, for diagnosing a failure. */
  log: endUpTo(16 * 1024),
  /** Compile errors of the film page's modules, with file and line, as of the last check. */
  problems: z.array(textUpTo(5_000)).max(100).default([]),
  /** Incremented when the state or the problems change. */
  revision: z.int().min(0).default(0),
});
export type PreviewStatus = z.infer<typeof previewStatusSchema>;

export const screenshotRequestSchema = z.object({
  seekToSeconds: z.number().min(0),
  width: z.int().min(16).max(3840),
  height: z.int().min(16).max(3840),
  format: z.enum(['png', 'jpeg']),
  quality: z.int().min(1).max(100).default(95),
});
export type ScreenshotRequest = z.input<typeof screenshotRequestSchema>;

export const consoleMessageSchema = z.object({ level: z.enum(['log', 'info', 'warning', 'error']), text: textUpTo(4_000) });

export const inspectRequestSchema = z.object({
  /** Timestamps of the frames to inspect. Empty if only the film page's own report is needed. */
  atSeconds: z.array(z.number().min(0)).max(32),
  width: z.int().min(16).max(1920),
  height: z.int().min(16).max(1920),
  parameterSets: z.array(parameterValuesSchema).max(500).default([]),
  /** Whether to combine the frames into one image. */
  contactSheet: z.boolean().default(false),
  /** Colour that the user named, to be looked for in the frames. */
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .optional(),
});
export type InspectRequest = z.infer<typeof inspectRequestSchema>;

export const imageRequestSchema = z.object({
  path: z.string().max(4096),
  maxSide: z.int().min(16).max(4096),
  /** Page number of a PDF, from 1. An image counts as one page. */
  page: z.int().min(1).max(100_000).default(1),
});
export type ImageRequest = z.infer<typeof imageRequestSchema>;

export const svgRequestSchema = z.object({ svg: z.string().min(1).max(200_000), maxSide: z.int().min(16).max(3840) });
export type SvgRequest = z.infer<typeof svgRequestSchema>;

const imageMediaTypeSchema = z.enum(['image/png', 'image/jpeg']);
export const modelImageSchema = z.object({
  mediaType: imageMediaTypeSchema,
  base64: z.base64(),
  width: z.int().positive(),
  height: z.int().positive(),
  sizeBytes: z.int().min(0),
  /** Page count of a PDF. `null` for an image. */
  pages: z.int().positive().nullable(),
});
export type ModelImage = z.infer<typeof modelImageSchema>;

const selectorSchema = z.string().min(1).max(500);

/**
 * One step on the agent's browser page, which stays open between calls. Every step except `navigate` reopens a closed page at
 * its last URL. The page's clock is paused between steps.
 */
export const browserActionSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('navigate'),
    /** Path or full address on the dev server, or a data: URL. */
    url: z.string().min(1).max(200_000),
    width: z.int().min(16).max(4096),
    height: z.int().min(16).max(4096),
  }),
  z.object({
    action: z.literal('click'),
    selector: selectorSchema.nullable(),
    text: z.string().min(1).max(200).nullable(),
    /** Offset from the element's top-left corner, or from the window's if there is no element. `null` for the centre. */
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
    /** Distance in px. `null` scrolls the element into view. */
    by: z.object({ x: z.number(), y: z.number() }).nullable(),
  }),
  z.object({ action: z.literal('extract'), selector: selectorSchema, what: z.enum(['text', 'html', 'elements']) }),
  z.object({ action: z.literal('screenshot'), waitMs: z.int().min(0).max(10_000) }),
  z.object({ action: z.literal('console') }),
]);
export type BrowserAction = z.infer<typeof browserActionSchema>;

export const pageElementSchema = z.object({
  selector: z.string().max(1000),
  tag: z.string().max(100),
  text: z.string().max(1000),
  attributes: z.record(z.string(), z.string().max(1000)),
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  visible: z.boolean(),
});
export type PageElement = z.infer<typeof pageElementSchema>;

export const browserReportSchema = z.object({
  url: textUpTo(4_000),
  title: textUpTo(1_000),
  /** Whether the page had to be reopened (after a long idle time or a crash), which loses typed text and clicks. */
  reopened: z.boolean(),
  scroll: z.object({ x: z.number(), y: z.number(), maxX: z.number(), maxY: z.number() }),
  element: pageElementSchema.nullable(),
  /** Result of `extract`: text, HTML or elements. */
  content: textUpTo(200_000).nullable(),
  elements: z.array(pageElementSchema).max(500),
  matches: z.int().min(0).nullable(),
  /** False if `content`, `elements` or `console` was truncated. */
  complete: z.boolean(),
  picture: z.object({ mediaType: imageMediaTypeSchema, base64: z.base64() }).nullable(),
  /** For `console`: all messages since the page was opened, oldest first. For other steps: new errors. */
  console: z.array(consoleMessageSchema).max(1_000),
});
export type BrowserReport = z.infer<typeof browserReportSchema>;

/** Audio clip on the film's time axis. */
export const audioTrackSchema = z.object({
  src: z.string().min(1).max(500),
  startSeconds: z.number().min(0),
  /** Length of the skipped start of the file. */
  offsetSeconds: z.number().min(0).default(0),
  /** `null` plays to the end of the file or of the film. */
  durationSeconds: z.number().positive().nullable().default(null),
  gainDb: z.number().min(-60).max(24).default(0),
  fadeInSeconds: z.number().min(0).default(0),
  fadeOutSeconds: z.number().min(0).default(0),
});
export type AudioTrack = z.infer<typeof audioTrackSchema>;

/** What a project's film page declares about itself (`window.__exportInfo`). */
export const stageInfoSchema = z.object({
  durationSeconds: z.number().positive(),
  width: z.int(),
  height: z.int(),
  fps: z.number(),
  /** Scenes on the timeline. Adjacent ones may overlap. */
  scenes: z
    .array(
      z.object({
        id: z.string().min(1).max(64),
        title: z.string().max(200).default(''),
        startSeconds: z.number().min(0),
        durationSeconds: z.number().positive(),
        /** Whether only one of the designed formats draws it, and no code of its own. Missing in films of an earlier version. */
        isFormat: z.boolean().optional(),
      }),
    )
    .max(500)
    .default([]),
  audio: z.array(audioTrackSchema).max(64).default([]),
  parameters: z.array(parameterInfoSchema).max(200).default([]),
});
export type StageInfo = z.infer<typeof stageInfoSchema>;

/** Layout problem that occurs while the film is static. */
export const layoutFindingSchema = z.object({
  /**
   * Kind of problem. `amount` is the lost fraction, 0 to 1, for `text_clipped` (by a parent), `text_beyond_frame`,
   * `text_overflow` (of its painted box) and `outside_frame` (of an element); the font size as a fraction of the frame's shorter
   * side for `text_small`; the fraction of the smaller text for `text_overlap`; the WCAG ratio, 1 to 21, for `text_contrast`;
   * the fraction of the requested size for `text_shrunk`, 1 if the text only has more lines; the fraction of the title for
   * `title_touched` (by the drawing `otherText`). `scene_empty`, `scene_still` and `scene_unstable` (by the fraction of pixels
   * that a second drawing changes) have the scene's id as their selector, `accent_unused` the colour as its text.
   */
  kind: z.enum([
    'text_clipped',
    'text_beyond_frame',
    'text_overflow',
    'text_small',
    'text_overlap',
    'text_contrast',
    'outside_frame',
    'text_shrunk',
    'title_touched',
    'scene_empty',
    'scene_still',
    'scene_unstable',
    'accent_unused',
  ]),
  selector: z.string().max(300),
  /** Start of the text. Empty for elements without text. */
  text: z.string().max(200),
  otherText: z.string().max(200).nullable(),
  amount: z.number(),
  seconds: z.array(z.number()).max(32),
});
export type LayoutFinding = z.infer<typeof layoutFindingSchema>;

export const inspectReportSchema = z.object({
  info: stageInfoSchema.nullable(),
  /** Uncaught errors and error messages of the film page, oldest first. */
  console: z.array(consoleMessageSchema).max(1_000),
  frames: z
    .array(
      z.object({
        seconds: z.number(),
        /** Standard deviation of luma, 0 to 127. Below about 1.5 the frame looks blank. */
        contrast: z.number(),
        /** Mean absolute difference in luma from the previous frame, 0 to 255. `null` for the first frame. */
        change: z.number().nullable(),
        sha256: textUpTo(64),
      }),
    )
    .max(32),
  /** Validation problems of each of `parameterSets`. `null` if a set is valid. Empty if the film page failed earlier. */
  parameterProblems: z.array(textUpTo(4_000).nullable()).max(500).default([]),
  layout: z.array(layoutFindingSchema).max(100).default([]),
  /** Cast members and texts that were visible at any time. `null` if the film page does not report its cast. */
  seen: z
    .object({
      /** `name`: as in the keyframes. `most`: maximum number of bodies visible at once. */
      cast: z.array(z.object({ scene: textUpTo(100), name: textUpTo(100), most: z.int().min(0) })).max(1_000),
      texts: z.array(textUpTo(200)).max(400),
    })
    .nullable()
    .default(null),
  /** JPEG in base64 with the frames in rows, in order. `null` if not requested or if there are no frames. */
  contactSheet: z.base64().max(1_500_000).nullable().default(null),
});
export type InspectReport = z.infer<typeof inspectReportSchema>;

export const renderJobSchema = z.object({
  id: z.string().regex(/^[a-z0-9_]{1,64}$/),
  /** `dev`: the running dev server, which starts fast (for previews); `build`: a production build (for finals). */
  source: z.enum(['dev', 'build']),
  width: z.int().min(16).max(7680),
  height: z.int().min(16).max(7680),
  fps: z.int().min(1).max(120),
  durationSeconds: z.number().positive().max(600),
  format: renderFormatSchema,
  crf: z.int().min(0).max(63),
  transparent: z.boolean(),
  /** `null` for the whole film. Scenes are resolved from the film page's declaration. */
  range: renderRangeSchema.nullable(),
  /** Parameter values, set before the film page loads. `null` for the project's defaults. */
  parameters: parameterValuesSchema.nullable(),
  /** Shape in which the film page lays the film out. `null` for the film's own. */
  aspect: aspectSchema.nullable(),
  /** Whether the file lists the film's scenes as chapters, if there are several. */
  chapters: z.boolean(),
  verify: z.boolean(),
  /** How much time the encoder takes: `ultrafast` for previews, `fast` for finals, `medium` for finals with small files. */
  speed: z.enum(['ultrafast', 'fast', 'medium']),
  /** Number of parallel browsers. Does not affect the frames. */
  workers: z.int().min(1).max(16),
  /** Whether to prepare the final that often follows a preview: its build, and a browser with its page. */
  preparesFinal: z.boolean(),
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
