import { defineConfig } from 'drizzle-kit';

/** `drizzle-kit generate` writes the next migration after a change of the schema; migrations are never edited. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './server/storage/schema.ts',
  out: './server/storage/migrations',
});
