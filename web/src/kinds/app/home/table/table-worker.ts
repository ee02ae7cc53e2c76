import type { JournalRequest, RowsRequest, TableDecisions } from './table-reader.ts';
import { TableReader } from './table-reader.ts';

/** What the page asks of the worker. Each request is answered with its `id`, in order. */
export type TableRequest = { readonly id: number } & (
  | { readonly ask: 'open'; readonly text: string; readonly todayIso: string; readonly decisions: TableDecisions }
  | { readonly ask: 'decide'; readonly decisions: TableDecisions }
  | ({ readonly ask: 'rows' } & RowsRequest)
  | { readonly ask: 'types' | 'misfits'; readonly column: number }
  | { readonly ask: 'list'; readonly name: string; readonly types: TableDecisions['types'] }
  | ({ readonly ask: 'journal' } & JournalRequest)
);

export type TableAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string });

let reader: TableReader | null = null;

function answerTo(request: TableRequest): unknown {
  if (request.ask === 'open') {
    reader = new TableReader(request.text, request);
    return reader.decide(request.decisions);
  }
  if (reader === null) throw new Error('No table is open.');
  switch (request.ask) {
    case 'decide':
      return reader.decide(request.decisions);
    case 'rows':
      return reader.rows(request);
    case 'types':
      return reader.typesOf(request.column);
    case 'misfits':
      return reader.misfitTexts(request.column);
    case 'list':
      return reader.list(request.name, request.types);
    case 'journal':
      return reader.journal(request);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<TableRequest>) => {
  const { id } = data;
  try {
    const answer: TableAnswer = { id, result: answerTo(data) };
    self.postMessage(answer);
  } catch (error) {
    const answer: TableAnswer = { id, error: error instanceof Error ? error.message : String(error) };
    self.postMessage(answer);
  }
});
