import type { ViewOf } from '../../model/document.ts';
import appData from '../data/use-data.ts';

/** Lists the titles of all records. */
export function Table({ id, list }: ViewOf<'table'>) {
  const records = appData.useRecords(list);
  const title = appData.listOf(list).fields[0]?.id ?? '';
  return (
    <ul data-view={id}>
      {records.map((record) => (
        <li key={record.id}>{String(record.values[title] ?? '')}</li>
      ))}
    </ul>
  );
}
