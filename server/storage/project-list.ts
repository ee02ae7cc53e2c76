import type { SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type ProjectFilter, type ProjectOrder, projectOrderSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { Transaction } from './database.ts';
import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from './drizzle.ts';
import { toProjectRecord } from './project-rows.ts';
import type { ListedProject, ProjectQuery } from './projects.ts';
import { approvals, projects, renders } from './schema.ts';

const orders: Record<ProjectOrder, { readonly key: SQL<string>; readonly descending: boolean }> = {
  newest: { key: sql`${projects.createdAt}`, descending: true },
  changed: { key: sql`${projects.updatedAt}`, descending: true },
  name: { key: sql`${projects.name} COLLATE NOCASE`, descending: false },
};

const visible = isNull(projects.deletedAt);
const idle = and(visible, eq(projects.running, false));
/** A question or permission can be open in any phase. */
const isAsked = sql`EXISTS (SELECT 1 FROM ${approvals} WHERE ${approvals.projectId} = ${projects.id} AND ${approvals.response} IS NULL)`;
const filters: Record<ProjectFilter, SQL | undefined> = {
  working: and(visible, eq(projects.running, true)),
  waiting: and(idle, isNull(projects.error), or(inArray(projects.phase, ['question', 'plan', 'preview']), isAsked)),
  complete: and(idle, isNull(projects.error), eq(projects.phase, 'complete')),
  failed: and(idle, isNotNull(projects.error)),
  deleted: isNotNull(projects.deletedAt),
};

/** Includes the sort order, because a cursor from another order would skip projects. */
const cursorSchema = z.tuple([projectOrderSchema, z.string(), z.string()]);

/** Returns a page of projects. Throws BAD_REQUEST for another list's cursor. */
export function selectProjects(tx: Transaction, query: ProjectQuery): { items: ListedProject[]; nextCursor: string | null } {
  const sort = query.sort ?? 'newest';
  const { key, descending } = orders[sort];
  const direction = descending ? desc : asc;
  const rows = tx
    .select({ row: projects, key })
    .from(projects)
    .where(
      and(
        query.state === undefined ? visible : filters[query.state],
        query.kind === undefined ? undefined : eq(projects.kind, query.kind),
        query.exceptKind === undefined ? undefined : ne(projects.kind, query.exceptKind),
        matching(query.search),
        query.cursor === null ? undefined : after(parseCursor(query.cursor, sort), orders[sort]),
      ),
    )
    .orderBy(direction(key), direction(projects.id))
    .limit(query.limit + 1)
    .all();
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ row }) => ({ ...toProjectRecord(row), ...selectVideo(tx, row.id), deletedAt: row.deletedAt })),
    nextCursor: rows.length > query.limit && last !== undefined ? printCursor([sort, last.key, last.row.id]) : null,
  };
}

/** Matches name or prompt literally. Ignores case for ASCII letters. */
function matching(search: string | null): SQL | undefined {
  const words = search?.trim() ?? '';
  if (words === '') return undefined;
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${projects.name} LIKE ${pattern} ESCAPE '\\' OR ${projects.prompt} LIKE ${pattern} ESCAPE '\\')`;
}

function after([, value, id]: z.infer<typeof cursorSchema>, { key, descending }: (typeof orders)[ProjectOrder]): SQL {
  const operator = sql.raw(descending ? '<' : '>');
  return sql`(${key} ${operator} ${value} OR (${key} = ${value} AND ${projects.id} ${operator} ${id}))`;
}

/** Selects the newest complete render of the whole project in a format that every browser plays. */
function selectVideo(tx: Transaction, projectId: string): Pick<ListedProject, 'thumbnailUrl' | 'videoUrl'> {
  const setting = (name: string) => sql`json_extract(${renders.settings}, ${`$.${name}`})`;
  const video = tx
    .select({ thumbnailUrl: renders.thumbnailUrl, videoUrl: renders.videoUrl })
    .from(renders)
    .where(
      and(
        eq(renders.projectId, projectId),
        eq(renders.status, 'complete'),
        isNull(setting('range')),
        isNull(setting('parameters')),
        inArray(setting('format'), ['mp4', 'webm']),
      ),
    )
    .orderBy(desc(renders.createdAt), desc(renders.id))
    .limit(1)
    .get();
  return video ?? { thumbnailUrl: null, videoUrl: null };
}

function printCursor(cursor: z.infer<typeof cursorSchema>): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function parseCursor(cursor: string, sort: ProjectOrder): z.infer<typeof cursorSchema> {
  try {
    const parsed = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (parsed[0] === sort) return parsed;
  } catch (cause) {
    throw invalidCursor(cause);
  }
  throw invalidCursor(null);
}

function invalidCursor(cause: unknown): KodaError {
  return new KodaError('BAD_REQUEST', 'The cursor does not come from this list of projects. Start again without a cursor.', {
    recovery: 'drop_cursor',
    ...(cause === null ? {} : { cause }),
  });
}
