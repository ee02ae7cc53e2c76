import type { SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type ProjectFilter, type ProjectOrder, projectOrderSchema } from '../contract/api.ts';
import { KodaError } from '../contract/errors.ts';
import type { Transaction } from './database.ts';
import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from './drizzle.ts';
import { toProjectRecord } from './project-rows.ts';
import type { ListedProject, ProjectQuery } from './projects.ts';
import { projects, renders } from './schema.ts';

const orders: Record<ProjectOrder, { readonly key: SQL<string>; readonly falls: boolean }> = {
  newest: { key: sql`${projects.createdAt}`, falls: true },
  changed: { key: sql`${projects.updatedAt}`, falls: true },
  name: { key: sql`${projects.name} COLLATE NOCASE`, falls: false },
};

const visible = isNull(projects.deletedAt);
const atRest = and(visible, eq(projects.running, false));
const filters: Record<ProjectFilter, SQL | undefined> = {
  working: and(visible, eq(projects.running, true)),
  waiting: and(atRest, isNull(projects.error), inArray(projects.phase, ['question', 'plan', 'preview'])),
  complete: and(atRest, isNull(projects.error), eq(projects.phase, 'complete')),
  failed: and(atRest, isNotNull(projects.error)),
  deleted: isNotNull(projects.deletedAt),
};

/** The order is in it, too: a cursor of another order would leave projects out. */
const cursorSchema = z.tuple([projectOrderSchema, z.string(), z.string()]);

/** A page of projects, in one transaction. Throws BAD_REQUEST for a cursor of another list. */
export function selectProjects(tx: Transaction, query: ProjectQuery): { items: ListedProject[]; nextCursor: string | null } {
  const sort = query.sort ?? 'newest';
  const { key, falls } = orders[sort];
  const direction = falls ? desc : asc;
  const rows = tx
    .select({ row: projects, key })
    .from(projects)
    .where(
      and(
        query.state === undefined ? visible : filters[query.state],
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
    items: shown.map(({ row }) => ({ ...toProjectRecord(row), ...selectFilm(tx, row.id), deletedAt: row.deletedAt })),
    nextCursor: rows.length > query.limit && last !== undefined ? printCursor([sort, last.key, last.row.id]) : null,
  };
}

/** In name or prompt, as it is written, letter case aside (ASCII). */
function matching(search: string | null): SQL | undefined {
  const words = search?.trim() ?? '';
  if (words === '') return undefined;
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${projects.name} LIKE ${pattern} ESCAPE '\\' OR ${projects.prompt} LIKE ${pattern} ESCAPE '\\')`;
}

function after([, value, id]: z.infer<typeof cursorSchema>, { key, falls }: (typeof orders)[ProjectOrder]): SQL {
  const beyond = sql.raw(falls ? '<' : '>');
  return sql`(${key} ${beyond} ${value} OR (${key} = ${value} AND ${projects.id} ${beyond} ${id}))`;
}

/** Of the newest finished video that shows all of the film as it is, and that every browser plays. */
function selectFilm(tx: Transaction, projectId: string): Pick<ListedProject, 'thumbnailUrl' | 'videoUrl'> {
  const setting = (name: string) => sql`json_extract(${renders.settings}, ${`$.${name}`})`;
  const film = tx
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
  return film ?? { thumbnailUrl: null, videoUrl: null };
}

function printCursor(cursor: z.infer<typeof cursorSchema>): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function parseCursor(cursor: string, sort: ProjectOrder): z.infer<typeof cursorSchema> {
  try {
    const parsed = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (parsed[0] === sort) return parsed;
  } catch (cause) {
    throw foreignCursor(cause);
  }
  throw foreignCursor(null);
}

function foreignCursor(cause: unknown): KodaError {
  return new KodaError(
    'BAD_REQUEST',
    'The cursor is not one that this list of projects gave out. Start again without a cursor.',
    {
      recovery: 'drop_cursor',
      ...(cause === null ? {} : { cause }),
    },
  );
}
