import { createRequire } from 'node:module';

// Drizzle by its CommonJS files: for each of its 113 ES modules Node reads the 180 KB of its package.json anew, which is
// half of what a start of the server costs.
const load = createRequire(import.meta.url);
const core = load('drizzle-orm') as typeof import('drizzle-orm');
const tables = load('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core');

export const { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, lt, lte, or, sql } = core;
export const { foreignKey, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } = tables;
export const { drizzle } = load('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3');
export const { migrate } = load('drizzle-orm/better-sqlite3/migrator') as typeof import('drizzle-orm/better-sqlite3/migrator');
