import { createRequire } from 'node:module';

// Loads Drizzle's CommonJS build. For each of its 113 ES modules, Node reads the 180 KB package.json again, which takes half
// of the server's startup time.
const load = createRequire(import.meta.url);
const core = load('drizzle-orm') as typeof import('drizzle-orm');
const tables = load('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core');

export type { SQL } from 'drizzle-orm';
export const { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, ne, lt, lte, or, sql } = core;
export const { foreignKey, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } = tables;
export const { drizzle } = load('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3');
export const { migrate } = load('drizzle-orm/better-sqlite3/migrator') as typeof import('drizzle-orm/better-sqlite3/migrator');
