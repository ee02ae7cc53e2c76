import { useEffect, useRef, useState } from 'react';
import type {
  BuiltJournal,
  JournalRequest,
  RowsRequest,
  ShownRow,
  TableDecisions,
  TableFacts,
  TableList,
  TypeFit,
} from './table-reader.ts';
import type { TableAnswer, TableRequest } from './table-worker.ts';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A table that is read in a thread of its own, because thousands of rows would make typing wait. */
export class OpenTable {
  private readonly worker = new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  private count = 0;

  constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<TableAnswer>) => {
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ('error' in data) asked?.reject(new Error(data.error));
      else asked?.resolve(data.result as never);
    });
    this.worker.addEventListener('error', ({ message }) => this.fail(new Error(message || 'The table could not be read.')));
  }

  open(text: string, decisions: TableDecisions): Promise<TableFacts> {
    return this.ask({ ask: 'open', text, decisions, todayIso: localDay(new Date()) });
  }

  decide(decisions: TableDecisions): Promise<TableFacts> {
    return this.ask({ ask: 'decide', decisions });
  }

  rows(request: RowsRequest): Promise<{ readonly rows: readonly ShownRow[]; readonly total: number }> {
    return this.ask({ ask: 'rows', ...request });
  }

  typesOf(column: number): Promise<readonly TypeFit[]> {
    return this.ask({ ask: 'types', column });
  }

  misfitTexts(column: number): Promise<readonly string[]> {
    return this.ask({ ask: 'misfits', column });
  }

  list(name: string, types: TableDecisions['types'] = {}): Promise<TableList> {
    return this.ask({ ask: 'list', name, types });
  }

  journal(request: JournalRequest): Promise<BuiltJournal> {
    return this.ask({ ask: 'journal', ...request });
  }

  close(): void {
    this.worker.terminate();
    this.fail(new Error('The table was closed.'));
  }

  private ask<T>(request: Without<TableRequest, 'id'>): Promise<T> {
    this.count += 1;
    const id = this.count;
    const answer = new Promise<T>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.worker.postMessage({ ...request, id });
    return answer;
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** Today where the user is, as `yyyy-mm-dd`. */
function localDay(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

export interface TableState {
  /** `null` while there is no table. */
  readonly table: OpenTable | null;
  /** `null` while the table is read for the first time. The facts before stay while decisions are applied. */
  readonly facts: TableFacts | null;
  /** Counts the readings, so that shown rows are asked for again. */
  readonly version: number;
}

const noTable: TableState = { table: null, facts: null, version: 0 };

/** Reads a text as a table, and again after each decision. */
export function useTable(text: string | null, decisions: TableDecisions): TableState {
  const [state, setState] = useState(noTable);
  const current = useRef({ decisions, asked: decisions });
  current.current.decisions = decisions;
  useEffect(() => {
    if (text === null) {
      setState(noTable);
      return;
    }
    const table = new OpenTable();
    const asked = current.current.decisions;
    current.current.asked = asked;
    setState({ table, facts: null, version: 0 });
    let isOpen = true;
    table.open(text, asked).then(
      (facts) => isOpen && setState({ table, facts, version: 1 }),
      (error: Error) => isOpen && setState({ table, facts: { problem: error.message }, version: 1 }),
    );
    return () => {
      isOpen = false;
      table.close();
    };
  }, [text]);
  const { table } = state;
  useEffect(() => {
    if (table === null || current.current.asked === decisions) return;
    current.current.asked = decisions;
    let isOpen = true;
    table.decide(decisions).then(
      (facts) => isOpen && setState((old) => ({ ...old, facts, version: old.version + 1 })),
      (error: Error) => isOpen && setState((old) => ({ ...old, facts: { problem: error.message } })),
    );
    return () => {
      isOpen = false;
    };
  }, [table, decisions]);
  return state;
}
