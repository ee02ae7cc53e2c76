import { z } from 'zod';
import { errorEnvelopeSchema } from './errors.ts';

/** What can be wrong with a data folder. All is damage but the last two, which are worth a warning. */
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
  /** The project concerned; null for what belongs to none. */
  projectId: z.string().nullable(),
  /** What it is: an id, or a path below the data folder. */
  subject: z.string(),
  message: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;

/** What was looked at and what was found; the data folder is whole when `damage` is empty. */
export const verifyReportSchema = z.object({
  checked: z.object({ projects: z.int(), repositories: z.int(), checkpoints: z.int(), assets: z.int(), renders: z.int() }),
  damage: z.array(findingSchema),
  warnings: z.array(findingSchema),
});
export type VerifyReport = z.infer<typeof verifyReportSchema>;

/** How far a check is: it has looked at `done` of `total` histories, uploads or videos. The other steps have one part. */
export const verifyProgressSchema = z.object({
  step: z.enum(['database', 'histories', 'uploads', 'videos', 'leftovers']),
  done: z.int(),
  total: z.int(),
  /** The project whose turn it is; null in a step that is about no single one. */
  projectId: z.string().nullable(),
});
export type VerifyProgress = z.infer<typeof verifyProgressSchema>;

/** One line of a check. Any number of the first kind, then one of the others. */
export const verifyLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), progress: verifyProgressSchema }),
  z.object({ type: z.literal('report'), report: verifyReportSchema }),
  z.object({ type: z.literal('error'), error: errorEnvelopeSchema.shape.error }),
]);
export type VerifyLine = z.infer<typeof verifyLineSchema>;

/** The format that this version writes and reads. A change that older versions would misread takes the next number. */
export const backupFormat = 1;
export const backupHeaderName = 'koda-backup.json';
export const backupManifestName = 'manifest.json';
export const backupDatabaseName = 'koda.db';

/** The first file of a back-up: what it is, before anything of it is read. */
export const backupHeaderSchema = z.object({
  format: z.int().positive(),
  kodaVersion: z.string(),
  /** Time of the newest migration of the database, in milliseconds. */
  schemaVersion: z.number(),
  createdAt: z.iso.datetime(),
  renders: z.boolean(),
});
export type BackupHeader = z.infer<typeof backupHeaderSchema>;

const countsSchema = z.object({ projects: z.int(), checkpoints: z.int(), assets: z.int(), renders: z.int() });

/** The last file of a back-up: every other one with its hash, so that what is cut off or changed is known. */
export const backupManifestSchema = z.object({
  counts: countsSchema,
  files: z.array(z.object({ path: z.string(), sizeBytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** Files that the database refers to and that were not there when the back-up was made. */
  missing: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof backupManifestSchema>;
