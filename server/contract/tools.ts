import { z } from 'zod';
import { projectIdSchema } from './ids.ts';
import { todoStatusSchema } from './project.ts';
import { presetSchema, resolutionSchema } from './render.ts';
import { applyLimits, applyRequestSchema, svgRequestSchema } from './sandbox/answers.ts';
import { isTerminalName, maxShellWaitMs, shellNameSchema } from './sandbox/shells.ts';
import { notesSchema, speechSchema } from './sandbox/sounds.ts';
import { surfaceMessagesSchema } from './surface/surface.ts';

export const riskSchema = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof riskSchema>;
/** Actions that need permission in the user's settings: a long final render, and discarding unsaved work. */
export const agentPermissionSchema = z.enum(['final_render', 'discard']);
export type AgentPermission = z.infer<typeof agentPermissionSchema>;
export const toolCategorySchema = z.enum([
  'sandbox',
  'file',
  'command',
  'shell',
  'browser',
  'preview',
  'render',
  'code',
  'communication',
  'plan',
  'search',
  'outside',
]);
export type ToolCategory = z.infer<typeof toolCategorySchema>;

/** Codes that every tool may return. Each tool adds its own. */
export type CommonToolErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNKNOWN_TOOL'
  | 'TOOL_TIMEOUT'
  | 'CANCELLED'
  | 'SANDBOX_DEAD'
  | 'EXECUTION_FAILED';

const path = z.string().min(1).max(512).describe('relative to the project, e.g. src/App.tsx');

const shellSession = shellNameSchema
  .refine((name) => !isTerminalName(name), 'this name belongs to a user terminal: use another name')
  .default('main')
  .describe('name of the session');
const shellTimeoutMs = z.int().min(100).max(maxShellWaitMs).default(30_000);
const selector = z.string().min(1).max(500).describe('CSS selector');

/** Enough for a question, and too little for a document. */
const maxQueryCharacters = 100;

const assetName = z.string().min(1).max(60).describe('file name without extension');

const maxScreenshots = 12;
/** Maximum length of an image's longer side in pixels. The model's service downscales larger images anyway. */
export const maxImageSide = 1280;

/**
 * Inputs of the tools that every kind may offer, by name. The schemas provide the validation, the definitions that the model
 * sees, and the types for the handlers.
 */
export const toolInputs = {
  sandbox_create: z.object({ reuse_existing: z.boolean().default(true) }),
  sandbox_destroy: z.object({ save_state: z.boolean().default(true) }),
  sandbox_write_file: z.object({ path, content: z.string(), encoding: z.enum(['utf8', 'base64']).default('utf8') }),
  sandbox_read_file: z.object({
    path,
    range: z
      .tuple([z.int().min(1), z.int().min(-1)])
      .optional()
      .describe('first and last line, counted from 1; -1 = to the end'),
  }),
  sandbox_list_files: z.object({ path: z.string().default('.'), recursive: z.boolean().default(false) }),
  file_edit: z.object({
    path,
    edits: z.array(z.object({ find: z.string().min(1), replace: z.string(), all: z.boolean().default(false) })).min(1),
  }),
  file_append: z.object({ path, text: z.string().min(1) }),
  file_view: z.object({
    path: z.string().min(1).max(512).describe('an image of the project, e.g. public/assets/logo.png, or a PDF'),
    page: z.int().min(1).max(100_000).default(1).describe('of a PDF'),
  }),
  match_glob: z.object({
    pattern: z.string().min(1).max(500).describe('e.g. *.tsx (in any folder), /src/*.ts, src/**/*.{ts,tsx}'),
    path: z.string().max(512).default('.').describe('the folder to look in'),
  }),
  match_grep: z.object({
    pattern: z.string().min(1).max(1000).describe('a regular expression in the syntax of ripgrep'),
    path: z.string().max(512).default('.').describe('the folder or file to look in'),
    glob: z.string().min(1).max(500).optional().describe('only files like this, e.g. *.tsx'),
    ignore_case: z.boolean().default(false),
  }),
  sandbox_run_command: z.object({
    command: z.string().min(1),
    background: z.boolean().default(false),
    timeout_ms: z.int().min(100).max(300_000).default(30_000),
    working_dir: z.string().optional(),
  }),
  sandbox_process: z.object({
    pid: z.int().positive(),
    action: z.enum(['log', 'status', 'stop']),
    offset: z.int().min(0).optional().describe('of the log, in bytes; default: its last 50 KB'),
  }),
  shell_exec: z.object({ session: shellSession, command: z.string().min(1), timeout_ms: shellTimeoutMs }),
  shell_view: z.object({ session: shellSession }),
  shell_send: z.object({ session: shellSession, input: z.string().min(1).max(10_000), timeout_ms: shellTimeoutMs }),
  shell_wait: z.object({ session: shellSession, timeout_ms: shellTimeoutMs }),
  shell_kill: z.object({ session: shellSession }),
  sandbox_start_preview: z.object({}),
  sandbox_screenshot: z.object({
    seek_to: z
      .union([z.number().min(0), z.array(z.number().min(0)).min(1).max(maxScreenshots)])
      .describe('seconds, or a list of up to 12 times for one image of all frames'),
    width: z.int().min(16).max(maxImageSide).default(1280),
    height: z.int().min(16).max(maxImageSide).default(720),
  }),
  browser_navigate: z.object({
    url: z
      .string()
      .min(1)
      .max(200_000)
      .default('/')
      .describe("a path of the project's preview, e.g. / or /?export, or a data: URL"),
    width: z.int().min(200).max(1280).default(1280),
    height: z.int().min(200).max(1280).default(720),
  }),
  browser_click: z
    .object({
      selector: selector.optional(),
      text: z.string().min(1).max(200).optional().describe('text that the element shows'),
      x: z.number().min(0).max(4000).optional().describe('px from the left of the element, or of the window when none is named'),
      y: z.number().min(0).max(4000).optional().describe('px from the top'),
    })
    .refine(
      (input) => input.selector !== undefined || input.text !== undefined || (input.x !== undefined && input.y !== undefined),
      'expected "selector", "text", or "x" and "y"',
    ),
  browser_type: z.object({
    selector,
    text: z.string().max(10_000),
    clear: z.boolean().default(true).describe('whether to replace the existing text'),
    submit: z.boolean().default(false).describe('whether to press Enter afterwards'),
  }),
  browser_scroll: z.object({
    selector: selector.optional().describe('scrolls this element into view, or by dy within it when dy is given'),
    dx: z.number().min(-100_000).max(100_000).optional(),
    dy: z.number().min(-100_000).max(100_000).optional().describe('px downwards'),
  }),
  browser_extract: z.object({
    selector: selector.default('body'),
    what: z.enum(['text', 'html', 'elements']).default('text').describe('elements: tag, text, attributes and box of each match'),
  }),
  browser_screenshot: z.object({
    wait_ms: z.int().min(0).max(10_000).default(0).describe('how long the page runs before the screenshot'),
  }),
  browser_console: z.object({ level: z.enum(['all', 'warning', 'error']).default('all') }),
  render_preview: z.object({ duration: z.number().positive().optional() }),
  render_final: z.object({
    duration: z.number().positive().optional(),
    resolution: resolutionSchema.optional(),
    fps: z.union([z.literal(30), z.literal(60)]).optional(),
    format: z.enum(['mp4', 'webm']).optional(),
    preset: presetSchema.optional(),
  }),
  generate_image: z
    .object({
      name: assetName,
      seek_to: z.number().min(0).optional().describe('seconds'),
      svg: svgRequestSchema.shape.svg.optional(),
      width: z.int().min(16).max(3840).default(1920),
      height: z.int().min(16).max(3840).default(1080),
    })
    .refine(({ seek_to: seekTo, svg }) => (seekTo === undefined) !== (svg === undefined), 'expected either "seek_to" or "svg"'),
  generate_audio: z
    .object({ name: assetName, speech: speechSchema.optional(), notes: notesSchema.optional() })
    .refine(({ speech, notes }) => (speech === undefined) !== (notes === undefined), 'expected either "speech" or "notes"'),
  generate_code: z.discriminatedUnion('task', [
    z.object({ task: z.literal('initial_setup'), style: z.string().max(60) }),
    z.object({
      task: z.literal('create_component'),
      name: z.string().min(1),
      description: z.string().min(1),
      animations: z.array(z.object({ property: z.string(), from: z.string(), to: z.string(), easing: z.string() })),
      timing: z.string(),
    }),
    z.object({
      task: z.literal('create_scene'),
      scenes: z.array(z.int().min(1)).min(1).describe('numbers of the plan'),
      components: z.array(z.string()).default([]),
    }),
    z.object({ task: z.literal('modify_existing'), files: z.array(path).min(1), change: z.string().min(1) }),
  ]),
  apply_code: z.object({
    rationale: z.string().min(1).max(2000).describe('what is changed and why, for the history'),
    files: z
      .array(
        z.discriminatedUnion('action', [
          z.object({ action: z.enum(['create', 'update']), path, content: z.string().describe('the complete file') }),
          z.object({ action: z.literal('delete'), path }),
        ]),
      )
      .min(1)
      .max(applyLimits.files),
    dependencies: applyRequestSchema.shape.dependencies
      .default([])
      .describe('packages that the code needs, name or name@version: each has to be installed'),
  }),
  search: z.object({
    query: z.string().trim().min(1).max(maxQueryCharacters),
    category: z.enum(['info', 'image', 'news']).default('info'),
    page: z.int().min(1).max(10).default(1),
  }),
  update_todo: z.object({ todo_id: z.string(), status: todoStatusSchema }),
  set_thinking: z.object({ message: z.string().min(1).max(100) }),
  add_message: z.object({ content: z.string().min(1).max(10_000) }),
  show_surface: z.object({
    content: z.string().min(1).max(4000).describe('what it shows or asks, in words'),
    surface: z
      .union([z.string().min(1), surfaceMessagesSchema.min(1)])
      .describe('messages of A2UI v0.9, as a list or as JSON text'),
    wait: z.boolean().default(false).describe('whether to wait for the answer before continuing; only before the plan'),
  }),
  plan_advance: z.object({}),
} as const;

/** A tool as clients see it. */
export const toolInfoSchema = z.object({
  name: z.string(),
  description: z.string(),
  category: toolCategorySchema,
  risk: riskSchema,
  /** Whether a call changes nothing. */
  readOnly: z.boolean(),
  inputSchema: z.record(z.string(), z.unknown()),
});
export type ToolInfo = z.infer<typeof toolInfoSchema>;

export const toolCallResultSchema = z.object({
  durationMs: z.int(),
  result: z.discriminatedUnion('status', [
    z.object({
      status: z.literal('completed'),
      output: z.unknown(),
      summary: z.string(),
      /** Base64. */
      images: z.array(z.object({ mediaType: z.enum(['image/jpeg', 'image/png']), base64: z.string() })).optional(),
    }),
    z.object({
      status: z.literal('error'),
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).nullable(),
    }),
  ]),
});

/** A registered action. A button sends its surface and its own id; without them, the action belongs to no surface. */
export const actionCallSchema = z.strictObject({
  projectId: projectIdSchema,
  surfaceId: z.string().min(1).max(100).optional(),
  sourceComponentId: z.string().min(1).max(100).optional(),
  parameters: z.record(z.string().max(100), z.unknown()).default({}),
});

export const actionResultSchema = z.object({
  success: z.boolean(),
  /** Result of the action. `null` if it failed. */
  data: z.unknown(),
  error: z
    .object({
      code: z.enum(['TOOL_NOT_FOUND', 'VALIDATION_ERROR', 'EXECUTION_ERROR']),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    })
    .nullable(),
  /** In milliseconds. */
  executionTime: z.int(),
  toolName: z.string(),
});

export type ToolName = keyof typeof toolInputs;
export type ToolInput<Name extends ToolName> = z.output<(typeof toolInputs)[Name]>;
export const toolNames = Object.keys(toolInputs) as ToolName[];

export const generatedCodeSchema = z.object({
  files: z.array(z.object({ path, content: z.string() })),
  deleted: z.array(path).default([]),
  summary: z.string().min(1).max(2000),
});
export type GenerateCodeTask = ToolInput<'generate_code'>;
export type GeneratedCode = z.infer<typeof generatedCodeSchema>;

/** Result of `apply_code`. A failure includes it in its details. */
export const appliedCodeSchema = z.object({
  success: z.boolean(),
  processedFiles: z.array(z.object({ path: z.string(), action: z.enum(['create', 'update', 'delete']) })),
  /** `live`: the running preview shows it; `written`: no preview is running; `unchanged`: no file changed. */
  deploymentStatus: z.enum(['live', 'written', 'unchanged']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type AppliedCode = z.infer<typeof appliedCodeSchema>;
