import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type ErrorCode, errorMessage, hasCode, KodaError } from '../contract/errors.ts';
import type { RenderRequest } from '../contract/render.ts';
import type { CommandContext } from './client.ts';
import { fileNames } from './file-names.ts';
import { describeFilm, parameterProblems, typedParameters } from './parameters.ts';
import { endingOf, renderTo } from './render.ts';
import { assertRows, readRows } from './rows.ts';

export interface BatchOptions {
  readonly request: RenderRequest;
  /** The file of rows. */
  readonly data: string;
  /** Null: a folder that is called as the project. */
  readonly outFolder: string | null;
  readonly nameTemplate: string;
  /** Renders also what is there already. */
  readonly force: boolean;
  /** Parameters of all rows; a row's own go before. */
  readonly given: readonly (readonly [name: string, text: string])[];
}

/** What would fail for every further row, too. */
const hopeless: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'NOT_FOUND', 'INVALID_TRANSITION', 'STORAGE_FULL', 'CANCELLED'];

interface Wanted {
  readonly target: string;
  readonly request: RenderRequest;
  /** `[3/10] hello.mp4: `. */
  readonly label: string;
}

/**
 * One video for each row of a file, one after another (T11). All rows are checked before the first is rendered. Videos
 * that are there are left alone, so that a run that was interrupted goes on where it was. Throws VALIDATION_ERROR for rows
 * that cannot be rendered, and RENDER_FAILED at the end when a row failed.
 */
export async function renderBatch(projectId: string, options: BatchOptions, context: CommandContext): Promise<void> {
  const { terminal, signal } = context;
  const all = await plan(projectId, options, context);
  const wanted: Wanted[] = [];
  for (const video of all) if (options.force || !(await exists(video.target))) wanted.push(video);
  const skipped = all.length - wanted.length;
  if (skipped > 0) terminal.note(`${skipped} of ${all.length} videos are there already; --force renders them again.`);

  const failed: string[] = [];
  for (const { target, request, label } of wanted) {
    signal.throwIfAborted();
    try {
      await renderTo(target, { projectId, request, label }, context);
      terminal.result(target);
    } catch (error) {
      if (signal.aborted || (error instanceof KodaError && hopeless.includes(error.code))) throw error;
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

/** Reads, completes and checks the rows. Nothing is begun before all are good. */
async function plan(projectId: string, options: BatchOptions, context: CommandContext): Promise<Wanted[]> {
  const rows = await readRows(options.data);
  const film = await describeFilm(projectId, context);
  const common = typedParameters(options.given, film.parameters);
  const defaults = Object.fromEntries(film.parameters.map((parameter) => [parameter.name, parameter.default]));
  const naming = {
    template: options.nameTemplate,
    ending: endingOf(options.request.format),
    defaults: { ...defaults, ...common },
  };
  const sets = rows.map(({ parameters }) => ({ ...common, ...parameters }));
  const unsuitable = await parameterProblems(projectId, sets, context);
  assertRows(rows.map(({ problem }, index) => problem ?? unsuitable[index] ?? null));
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
