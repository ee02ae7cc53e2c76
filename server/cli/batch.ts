import { readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type BatchDetail, type BatchRow, maxBatchRows } from '#contract/batch.ts';
import { errorCodeSchema, errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import type { ParameterValues, RenderRequest } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { assertRows, parseRows, typedParameters } from '../renders/rows.ts';
import { type CommandContext, pageTimeoutMs, saveDownload } from './client.ts';
import { fileNames } from './file-names.ts';
import { describeFilm, parameterProblems } from './parameters.ts';
import { extensionOf } from './render.ts';

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

interface PlannedVideo {
  readonly target: string;
  readonly parameters: ParameterValues;
  readonly label: string;
}

/** A request has at most 1 MiB. */
const maxBatchCharacters = 800_000;

/**
 * Renders one video per row, as batches of the studio, and saves each video when it is finished. Validates every row before the
 * first render. Skips videos that already exist unless `force` is set, so that a second run makes the missing ones. Throws
 * VALIDATION_ERROR if a row is invalid, and RENDER_FAILED at the end if a render failed. Ctrl+C cancels the batch.
 */
export async function renderBatch(projectId: string, options: BatchOptions, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const all = await plan(projectId, options, context);
  const pending: PlannedVideo[] = [];
  for (const video of all) if (options.force || !(await exists(video.target))) pending.push(video);
  const skipped = all.length - pending.length;
  if (skipped > 0) terminal.note(`${skipped} of ${all.length} videos already exist. Use --force to render them again.`);

  const failed: string[] = [];
  for (const videos of inBatches(pending)) failed.push(...(await renderVideos(projectId, videos, options, context)));
  if (failed.length > 0)
    throw new KodaError('RENDER_FAILED', `${failed.length} of ${all.length} videos failed: ${failed.join(', ')}`, {
      recovery: 'retry',
    });
  terminal.note(`${all.length} videos are in ${shortPath(folderOf(projectId, options)) || '.'}`);
}

/** Renders videos as one batch and saves them. Returns the paths of those that failed. */
async function renderVideos(
  projectId: string,
  videos: readonly PlannedVideo[],
  options: BatchOptions,
  context: CommandContext,
): Promise<string[]> {
  const { client, terminal, signal } = context;
  signal.throwIfAborted();
  const { seq } = await client.call(routes.project, { id: projectId });
  const { kind: _, ...render } = options.request;
  const body = { render, rows: videos.map(({ parameters }) => parameters) };
  // A cancelled request would leave a batch that nobody follows, so it is awaited even after Ctrl+C.
  const patient = { signal: new AbortController().signal, timeoutMs: pageTimeoutMs };
  const { id: batchId } = await client.call(routes.startBatch, { id: projectId, body }, patient);
  const batch = { id: projectId, batchId };
  terminal.note(`Rendering ${videos.length} videos`);
  const results = new Results(videos, context);
  try {
    for await (const event of client.events(projectId, { afterSeq: seq, signal })) {
      if (event.type === 'render.progress') results.progress(event.renderId, event.percent);
      if (event.type !== 'batch.updated' || event.batch.id !== batchId) continue;
      const detail = await client.call(routes.batch, batch);
      await results.take(detail);
      if (detail.state === 'paused') throw pausedError(detail);
      if (detail.state === 'complete' || detail.state === 'cancelled') return results.failed;
    }
    throw new KodaError('SERVICE_UNAVAILABLE', 'The studio closed the event stream before the batch ended.');
  } catch (error) {
    const isCancelled = await client.call(routes.cancelBatch, batch).then(
      () => true,
      () => false,
    );
    const folder = shortPath(folderOf(projectId, options)) || '.';
    const kept = `${results.saved} of ${videos.length} videos are in ${folder}. The same command makes the missing ones.`;
    terminal.note(`${isCancelled ? 'Cancelled.' : 'The studio does not answer, so its batch was not cancelled.'} ${kept}`);
    throw error;
  }
}

/** What has become of the rows so far. */
class Results {
  readonly failed: string[] = [];
  saved = 0;
  readonly #videos: readonly PlannedVideo[];
  readonly #context: CommandContext;
  readonly #settled = new Set<number>();
  #labels = new Map<string, string>();

  constructor(videos: readonly PlannedVideo[], context: CommandContext) {
    this.#videos = videos;
    this.#context = context;
  }

  progress(renderId: string, percent: number): void {
    const label = this.#labels.get(renderId);
    if (label !== undefined) this.#context.terminal.progress(`${label}${percent.toFixed(0)} %`);
  }

  /** Saves the videos of the rows that have ended since the last call. */
  async take({ rows }: BatchDetail): Promise<void> {
    for (const row of rows) {
      const video = this.#videos[row.number - 1];
      if (video === undefined || this.#settled.has(row.number)) continue;
      if (row.renderId !== null) this.#labels.set(row.renderId, video.label);
      if (row.state === 'waiting' || row.state === 'rendering') continue;
      this.#settled.add(row.number);
      await this.#settle(row, video);
    }
  }

  async #settle({ state, videoUrl, error }: BatchRow, { target, label }: PlannedVideo): Promise<void> {
    const { terminal } = this.#context;
    if (state === 'complete' && videoUrl !== null) {
      await saveDownload(videoUrl, target, this.#context);
      this.saved += 1;
      terminal.result(target);
      return;
    }
    terminal.note(`${label}${error?.message ?? 'The video has been deleted.'}`);
    this.failed.push(shortPath(target));
  }
}

function pausedError({ reason }: BatchDetail): KodaError {
  const code = errorCodeSchema.safeParse(reason?.code);
  return new KodaError(code.success ? code.data : 'RENDER_FAILED', reason?.message ?? 'The batch was paused.', {
    recovery: 'retry',
  });
}

function inBatches(videos: readonly PlannedVideo[]): PlannedVideo[][] {
  const batches: PlannedVideo[][] = [];
  let characters = 0;
  for (const video of videos) {
    const length = JSON.stringify(video.parameters).length;
    const batch = batches.at(-1);
    characters += length;
    if (batch && batch.length < maxBatchRows && characters <= maxBatchCharacters) batch.push(video);
    else {
      batches.push([video]);
      characters = length;
    }
  }
  return batches;
}

async function plan(projectId: string, options: BatchOptions, context: CommandContext): Promise<PlannedVideo[]> {
  const { parameters: declared } = await describeFilm(projectId, context);
  const rows = parseRows(await read(options.data), { name: options.data, declared });
  const common = typedParameters(options.given, declared);
  const defaults = Object.fromEntries(declared.map((parameter) => [parameter.name, parameter.default]));
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
    parameters: sets[index] ?? {},
    label: `[${index + 1}/${names.length}] ${name}: `,
  }));
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new KodaError('NOT_FOUND', `The rows cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

function folderOf(projectId: string, { outFolder }: BatchOptions): string {
  return resolve(outFolder ?? projectId);
}

const shortPath = (path: string) => relative('', path);

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
