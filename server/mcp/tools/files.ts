import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { applyCode } from '../../tools/apply.ts';
import { appendFile, editFile, listFiles as listFolder, writeFile } from '../../tools/files.ts';
import { viewFile } from '../../tools/images.ts';
import { matchGlob, matchGrep } from '../../tools/search.ts';
import type { Content } from '../studio.ts';
import { callProjectTool, defineProjectTool, type McpTool, offerTool, type ToolCall } from '../tool.ts';

/** Largest file that a text result contains; a resource may be larger. */
const maxInlineBytes = 1024 ** 2;
export const maxFileBytes = 10 * 1024 ** 2;
const retryMs = 500;
const startAttempts = 120;

/** Reads a file byte for byte, and waits for a sandbox that has to start first. */
export async function readBytes(
  { studio, signal }: Pick<ToolCall, 'studio' | 'signal'>,
  projectId: string,
  path: string,
): Promise<Content> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await studio.readFile(projectId, path, { signal, limitBytes: maxFileBytes });
    } catch (error) {
      const isStarting = error instanceof KodaError && error.code === 'SERVICE_UNAVAILABLE' && error.recovery === 'retry';
      if (!isStarting || attempt >= startAttempts) throw error;
      await sleep(retryMs, undefined, { signal });
    }
  }
}

/** Returns the text, or `null` if the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not a text.
    return null;
  }
}

const readFile = defineProjectTool({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Reads a file of the project, all of it or a range of lines, without any change. What is not text is returned in base64. Larger files are resources.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({
    path: z.string().min(1).max(512).describe('relative to the project, e.g. src/film.json'),
    range: z
      .array(z.int().min(-1))
      .length(2)
      .optional()
      .describe('first and last line of a text, counted from 1; -1 = to the end'),
  }),
  output: z.object({ path: z.string(), content: z.string(), encoding: z.enum(['utf8', 'base64']), size_bytes: z.int() }),
  async run(projectId, { path, range }, call) {
    const { bytes } = await readBytes(call, projectId, path);
    const whole = textOf(bytes);
    if (whole === null && range !== undefined)
      throw new KodaError('VALIDATION_ERROR', `${path} is not a text, so it has no lines. Read it without range.`, {
        details: { field: 'range' },
      });
    const content = whole === null ? bytes.toString('base64') : linesOf(whole, range);
    if (content.length > maxInlineBytes)
      throw new KodaError(
        'TOO_LARGE',
        `${path} has ${bytes.length} bytes, but a result contains at most ${maxInlineBytes}. Read a range of lines, or read it as a resource.`,
        { recovery: 'read_resource' },
      );
    return {
      output: { path, content, encoding: whole === null ? ('base64' as const) : ('utf8' as const), size_bytes: bytes.length },
    };
  },
});

function linesOf(text: string, range: readonly number[] | undefined): string {
  if (range === undefined) return text;
  const [first = 1, last = -1] = range;
  const lines = text.split('\n');
  return lines.slice(Math.max(0, first - 1), last === -1 ? lines.length : last).join('\n');
}

const fileSchema = z.object({ path: z.string(), type: z.string(), size_bytes: z.int() });
const listing = z.object({ files: z.array(fileSchema), complete: z.boolean() });

const listFiles = defineProjectTool({
  name: 'list_files',
  title: 'List files',
  description:
    'Lists everything in a folder and in the folders below it, each entry once, sorted by path. Continue with the cursor until next_cursor is null.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({
    path: z.string().max(512).default('.').describe('the folder, relative to the project'),
    recursive: z.boolean().default(true),
    cursor: z.string().max(2100).optional().describe('next_cursor of the previous response'),
    limit: z.int().min(1).max(20_000).default(20_000),
  }),
  output: z.object({
    files: z.array(fileSchema),
    next_cursor: z.string().nullable(),
    complete: z.boolean().describe('false if the folder has more entries than Koda lists: list a folder in it'),
  }),
  async run(projectId, { path, recursive, cursor, limit }, call) {
    const input = { path: path === '' ? '.' : path, recursive };
    const { output } = await callProjectTool(call, projectId, { name: listFolder.name, input });
    const { files, complete } = listing.parse(output);
    // The cursor is a path, so that no entry is repeated or lost if others come and go between two calls.
    const sorted = files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const left = cursor === undefined ? sorted : sorted.filter((file) => file.path > cursor);
    const page = left.slice(0, limit);
    return { output: { files: page, complete, next_cursor: page.length < left.length ? (page.at(-1)?.path ?? null) : null } };
  },
});

const written = z.object({ path: z.string(), size_bytes: z.int() });

export const fileTools: readonly McpTool[] = [
  listFiles,
  readFile,
  offerTool(writeFile, { name: 'write_file', title: 'Write a file', idempotent: true, output: written }),
  offerTool(editFile, {
    ...{ name: 'edit_file', title: 'Edit a file' },
    output: z.object({ edits_applied: z.int() }),
  }),
  offerTool(appendFile, { name: 'append_file', title: 'Append to a file', output: written }),
  offerTool(matchGrep, {
    ...{ name: 'search', title: 'Search in files' },
    output: z.object({ matches: z.array(z.looseObject({})), complete: z.boolean() }),
  }),
  offerTool(matchGlob, {
    ...{ name: 'find_files', title: 'Find files' },
    output: z.object({ paths: z.array(z.string()), complete: z.boolean() }),
  }),
  offerTool(viewFile, {
    ...{ name: 'view_image', title: 'View an image' },
    output: z.object({
      ...{ path: z.string(), width: z.int(), height: z.int(), size_bytes: z.int() },
      ...{ page: z.int().optional(), pages: z.int().optional() },
    }),
  }),
  offerTool(applyCode, {
    ...{ name: 'apply_code', title: 'Change several files at once' },
    output: z.object({
      success: z.boolean(),
      processedFiles: z.array(z.object({ path: z.string(), action: z.string() })),
      deploymentStatus: z.string(),
      error: z.null(),
    }),
  }),
];
