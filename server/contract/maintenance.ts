import { z } from 'zod';
import { errorEnvelopeSchema } from './errors.ts';

/** Problems found in a data folder. All are damage, except for the last two, which are warnings. */
export const findingKindSchema = z.enum([
  'database-damaged',
  'reference-broken',
  'repository-missing',
  'repository-damaged',
  'checkpoint-missing',
  'asset-missing',
  'asset-damaged',
  'render-missing',
  'render-damaged',
  'asset-without-hash',
  'unreferenced',
]);
export type FindingKind = z.infer<typeof findingKindSchema>;

export const findingSchema = z.object({
  kind: findingKindSchema,
  /** `null` if no single project is affected. */
  projectId: z.string().nullable(),
  subject: z.string(),
  message: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;

export const verifyReportSchema = z.object({
  checked: z.object({ projects: z.int(), repositories: z.int(), checkpoints: z.int(), assets: z.int(), renders: z.int() }),
  damage: z.array(findingSchema),
  warnings: z.array(findingSchema),
});
export type VerifyReport = z.infer<typeof verifyReportSchema>;

export const verifyProgressSchema = z.object({
  step: z.enum(['database', 'histories', 'uploads', 'videos', 'leftovers']),
  done: z.int(),
  total: z.int(),
  /** Current project. `null` in a step that is not about a single project. */
  projectId: z.string().nullable(),
});
export type VerifyProgress = z.infer<typeof verifyProgressSchema>;

/** One line of a check's output: any number of `progress` lines, then one of the others. */
export const verifyLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), progress: verifyProgressSchema }),
  z.object({ type: z.literal('report'), report: verifyReportSchema }),
  z.object({ type: z.literal('error'), error: errorEnvelopeSchema.shape.error }),
]);
export type VerifyLine = z.infer<typeof verifyLineSchema>;

/** Backup format that this version reads and writes. Incremented by changes that older versions would misread. */
export const backupFormat = 1;
export const backupHeaderName = 'koda-backup.json';
export const backupManifestName = 'manifest.json';
export const backupDatabaseName = 'koda.db';

/** First file of a backup. It identifies the backup before the rest is read. */
export const backupHeaderSchema = z.object({
  format: z.int().positive(),
  kodaVersion: z.string(),
  /** Time of the database's newest migration, in milliseconds. */
  schemaVersion: z.number(),
  createdAt: z.iso.datetime(),
  renders: z.boolean(),
});
export type BackupHeader = z.infer<typeof backupHeaderSchema>;

const countsSchema = z.object({ projects: z.int(), checkpoints: z.int(), assets: z.int(), renders: z.int() });

/** Last file of a backup: the hashes of all others, so that truncated or changed data is detected. */
export const backupManifestSchema = z.object({
  counts: countsSchema,
  files: z.array(z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** Referenced files that were missing when the backup was created. */
  missing: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof backupManifestSchema>;
