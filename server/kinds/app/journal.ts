import type { AppRecord } from '../../../sandbox-image/templates/app/model/record.ts';

/** Path of the app's data: one batch of changes a line. */
export const recordsPath = 'data/records.ndjson';

/** Returns the journal of an app whose first batch creates these records. */
export function journalOf(records: readonly { readonly list: string; readonly record: AppRecord }[]): string {
  const applied = records.map(({ list, record }) => ({ list, id: record.id, record }));
  const atMs = records[0]?.record.createdMs ?? 0;
  return `${JSON.stringify({ seq: 1, batch: 'sample-records', atMs, applied })}\n`;
}
