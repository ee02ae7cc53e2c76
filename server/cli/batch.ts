import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type ErrorCode, errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import type { RenderRequest } from '#contract/render.ts';
import type { CommandContext } from './client.ts';
import { fileNames } from './file-names.ts';
import { describeFilm, parameterProblems, typedParameters } from './parameters.ts';
import { extensionOf, renderTo } from './render.ts';
import { assertRows, readRows } from './rows.ts';

export interface BatchOptions {
  readonly request: RenderRequest;
  readonly data: string;
  /** `null` for a folder named after the project. */
  readonly outFolder: string | null;
  readonly nameTemplate: string;
  readonly force: boolean;
  /** Parameters for all rows. A row's own values take precedence. */
  readonly given: readonly (readonly [name: string, text: string])[];
}

/** Errors that would affect every further row as well. */
const fatalCodes: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'NOT_FOUND', 'INVALID_TRANSITION', 'STORAGE_FULL', 'CANCELLED'];

interface PlannedVideo {
  readonly target: string;
  readonly request: RenderRequest;
  readonly label: string;
}

/**
 * Renders one video per row, in sequence. Validates every row before the first render. Skips videos that already exist
 * unless `force` is set, so an interrupted batch resumes. Throws VALIDATION_ERROR if a row is invalid, and RENDER_FAILED at
 * the end if a render failed.
 */
export async function renderBatch(projectId: string, options: BatchOptions, context: CommandContext): Promise<void> {
  const { terminal, signal } = context;
  const all = await plan(projectId, options, context);
  const pending: PlannedVideo[] = [];
  for (const video of all) if (options.force || !(await exists(video.target))) pending.push(video);
  const skipped = all.length - pending.length;
  if (skipped > 0) terminal.note(`${skipped} of ${all.length} videos already exist. Use --force to render them again.`);

  const failed: string[] = [];
  for (const { target, request, label } of pending) {
    signal.throwIfAborted();
    try {
      await renderTo(target, { projectId, request, label }, context);
      terminal.result(target);
    } catch (error) {
      if (signal.aborted || (error instanceof KodaError && fatalCodes.includes(error.code))) throw error;
      terminal.note(`${label}${errorMessage(error)}`);
      failed.push(relative('', target));
    }
  }
  if (failed.length > 0)
    throw new KodaError('RENDER_FAILED', `${failed.length} of ${all.length} videos failed: ${failed.join(', ')}`, {
      recovery: 'retry',
    });
  terminal.note(`${all.length} videos are in ${relative('', folderOf(projectId, options)) || '.'}`);
}

async function plan(projectId: string, options: BatchOptions, context: CommandContext): Promise<PlannedVideo[]> {
  const film = await describeFilm(projectId, context);
  const rows = await readRows(options.data, (texts) => typedParameters(texts, film.parameters));
  const common = typedParameters(options.given, film.parameters);
  const defaults = Object.fromEntries(film.parameters.map((parameter) => [parameter.name, parameter.default]));
  const naming = {
    template: options.nameTemplate,
    ending: extensionOf(options.request.format),
    defaults: { ...defaults, ...common },
  };
  const sets = rows.map(({ parameters }) => ({ ...common, ...parameters }));
  const problems = await parameterProblems(projectId, sets, context);
  assertRows(rows.map(({ problem }, index) => problem ?? problems[index] ?? null));
  const names = fileNames(rows, naming);
  return names.map((name, index) => ({
    target: join(folderOf(projectId, options), name),
    request: { ...options.request, parameters: sets[index] },
    label: `[${index + 1}/${names.length}] ${name}: `,
  }));
}

function folderOf(projectId: string, { outFolder }: BatchOptions): string {
  return resolve(outFolder ?? projectId);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
