import { z } from 'zod';
import { type ErrorCode, KodaError } from '#contract/errors.ts';
import { sandboxWait } from '#contract/project.ts';
import {
  appliedSchema,
  type changesRequestSchema,
  type changesResponseSchema,
  type Snapshot,
  sqlResponseSchema,
} from '../../../../sandbox-image/templates/app/model/api.ts';
import type { AppDocument, List } from '../../../../sandbox-image/templates/app/model/document.ts';
import { type AppRecord, recordSchema } from '../../../../sandbox-image/templates/app/model/record.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import type { ProjectService } from '../../../projects/commands.ts';
import { plannedIn } from '../../../projects/document.ts';
import type { ProjectStore } from '../../../storage/projects.ts';
import { readableApp } from '../document.ts';
import { type AppAnswer, AppNotRunningError, type AppRequest, jsonIn, requestApp, unusable } from './app-request.ts';

interface AppDataDeps {
  readonly store: Pick<ProjectStore, 'state'>;
  readonly projects: Pick<ProjectService, 'active' | 'dataStored' | 'ensurePreview'>;
  /** Returns the socket of the app's server in a project's running sandbox, or `null` if none is running. */
  readonly socketPath: (projectId: string) => string | null;
  /** How long an app may take for an answer. */
  readonly timeoutMs?: number;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

type ChangesRequest = z.output<typeof changesRequestSchema>;
type ChangesResponse = z.output<typeof changesResponseSchema>;
type SqlResponse = z.output<typeof sqlResponseSchema>;

const maxBytes = 64 * 1024 * 1024;
const defaultTimeoutMs = 60_000;
/** Ten thousand records with fifty fields have fewer. It takes a fraction of a second to parse them. */
const dataLimits = { structure: 2_000_000 };
/** A thousand rows with 250 columns. */
const rowLimits = { structure: 250_000 };
const maxMessageCharacters = 1_000;

const problemSchema = z.object({ error: z.object({ code: z.string().max(60), message: z.string() }) });

/** Koda's codes for the statuses with which an app refuses something. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  422: 'VALIDATION_ERROR',
  507: 'STORAGE_FULL',
};

/**
 * The data of apps, which their own servers keep. Starts an app whose server is not running. Every method throws NOT_FOUND if the
 * project has no app, INVALID_TRANSITION if it has not been built yet or was stopped, SERVER_FAILED if it does not start or answers
 * nonsense, TIMEOUT, and the app's own message if it refuses the request.
 */
export class AppData {
  readonly #deps: AppDataDeps;

  constructor(deps: AppDataDeps) {
    this.#deps = deps;
  }

  /** Returns the document of an app that has been built, with the revision of its plan. */
  async document(projectId: string): Promise<{ readonly document: AppDocument; readonly revision: number }> {
    const plan = plannedIn(await this.#deps.store.state(projectId));
    const { document } = readableApp(plan);
    if (plan.accepted) return { document, revision: plan.revision };
    throw new KodaError('INVALID_TRANSITION', 'The app has not been built yet, so it has no data. Accept its plan first.', {
      recovery: 'accept_plan',
    });
  }

  /** Returns the records of one list, or of all lists. */
  async records(projectId: string, list: string | null, options: CallOptions): Promise<Snapshot> {
    const { document } = await this.document(projectId);
    const wanted = list === null ? document.lists : [listIn(document, list)];
    const answer = await this.#answer(projectId, { method: 'GET', path: '/api/records' }, options);
    const found = checked(z.object({ seq: z.int(), lists: z.record(z.string(), z.unknown()) }), jsonIn(answer, dataLimits));
    const lists: [string, AppRecord[]][] = [];
    for (const { id } of wanted) lists.push([id, await checkedItems(recordSchema, found.lists[id] ?? [])]);
    return { seq: found.seq, lists: Object.fromEntries(lists) };
  }

  /** Applies a batch of changes, all or none. Resolves once they are on the app's disk, and they are saved within a second. */
  async change(projectId: string, request: ChangesRequest, options: CallOptions): Promise<ChangesResponse> {
    await this.document(projectId);
    const answer = await this.#answer(projectId, { method: 'POST', path: '/api/changes', body: request }, options);
    this.#deps.projects.dataStored(projectId);
    const found = checked(z.object({ seq: z.int(), applied: z.unknown() }), jsonIn(answer, dataLimits));
    return { seq: found.seq, applied: await checkedItems(appliedSchema, found.applied) };
  }

  /** Runs a query that changes nothing. The app limits it to 5 s and 1,000 rows. */
  async sql(projectId: string, query: string, options: CallOptions): Promise<SqlResponse> {
    await this.document(projectId);
    const answer = await this.#answer(projectId, { method: 'POST', path: '/api/sql', body: { query } }, options);
    return checked(sqlResponseSchema, jsonIn(answer, rowLimits));
  }

  /** Returns a list as CSV. Its text is untrusted. */
  async exportCsv(projectId: string, list: string, options: CallOptions): Promise<Buffer> {
    const { id } = listIn((await this.document(projectId)).document, list);
    return (await this.#answer(projectId, { method: 'GET', path: `/api/lists/${id}/export.csv` }, options)).body;
  }

  async #answer(
    projectId: string,
    request: Pick<AppRequest, 'method' | 'path' | 'body'>,
    { signal }: CallOptions,
  ): Promise<AppAnswer> {
    const { projects, timeoutMs = defaultTimeoutMs } = this.#deps;
    await projects.active(projectId);
    const call = { ...request, maxBytes, timeoutMs, signal };
    let answer = await this.#tried(projectId, call);
    if (answer === null) {
      await projects.ensurePreview(projectId);
      signal.throwIfAborted();
      answer = await this.#tried(projectId, call);
    }
    if (answer === null) throw await this.#notRunning(projectId);
    if (answer.status !== 200) throw refusal(answer);
    return answer;
  }

  /** Returns `null` if the app's server does not run. Repeating a batch of changes is harmless, because it takes effect once. */
  async #tried(projectId: string, call: AppRequest): Promise<AppAnswer | null> {
    const path = this.#deps.socketPath(projectId);
    if (path === null) return null;
    try {
      return await requestApp(path, call);
    } catch (error) {
      if (error instanceof AppNotRunningError) return null;
      throw error;
    }
  }

  async #notRunning(projectId: string): Promise<KodaError> {
    const { project } = await this.#deps.store.state(projectId);
    const waits = sandboxWait(project);
    if (waits !== null)
      return new KodaError('SERVICE_UNAVAILABLE', `The app is not running yet. ${waits} Try again in a moment.`, {
        recovery: 'retry',
      });
    if (project.previewError !== null)
      return new KodaError(
        'SERVER_FAILED',
        `The app does not start, so its data cannot be reached: ${plainText(project.previewError.message)} Correct its code, or tell Koda to repair the app.`,
        { details: { log: project.previewError.log } },
      );
    return new KodaError('INVALID_TRANSITION', 'The app is stopped. Start its preview in the studio, then try again.', {
      recovery: 'start_preview',
    });
  }
}

/** Returns a list of the app. Throws NOT_FOUND with the lists that there are. */
export function listIn({ lists }: AppDocument, id: string): List {
  const list = lists.find((one) => one.id === id);
  if (list !== undefined) return list;
  throw new KodaError('NOT_FOUND', `There is no list “${id}”. The lists are: ${lists.map((one) => one.id).join(', ')}.`);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unusable('it does not have the form of the app’s data', parsed.error);
}

/** Checks a list in parts, so that a large one does not block the studio. */
async function checkedItems<Schema extends z.ZodType>(schema: Schema, items: unknown): Promise<z.output<Schema>[]> {
  const good: z.output<Schema>[] = [];
  for await (const item of inSlices(checked(z.array(z.unknown()), items))) good.push(checked(schema, item));
  return good;
}

/** Returns the app's own words for what it refuses. */
function refusal(answer: AppAnswer): KodaError {
  const { code, message } = checked(problemSchema, jsonIn(answer, rowLimits)).error;
  return new KodaError(codes[answer.status] ?? 'SERVER_FAILED', plainText(message) || `The app refuses this (${code}).`, {
    recovery: answer.status === 409 ? 'read_again' : 'correct_request',
  });
}

const plainText = (text: string) =>
  text
    .slice(0, maxMessageCharacters)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
