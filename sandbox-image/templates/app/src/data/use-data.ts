import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AppDocument, List } from '../../model/document.ts';
import type { AppRecord, Change, Values } from '../../model/record.ts';
import { appDocument, listOf } from '../document.ts';
import { DataClient, type DataState, randomId } from './client.ts';
import { serverTransport } from './transport.ts';

/** What every view knows of the app's data. The implementation keeps all records in the page, and applies changes at once. */
export interface AppData {
  readonly document: AppDocument;
  listOf(id: string): List;
  /** Records of a list, in the order of their creation. The same array until one of them changes. */
  useRecords(list: string): readonly AppRecord[];
  useRecord(list: string, id: string): AppRecord | undefined;
  /** Applies a batch, sends it, and offers it to Undo under this name: “Deleted 3 tools”. Returns false if a value is not allowed. */
  change(name: string, changes: readonly Change[]): boolean;
  /** Creates a record with these values, and returns its id. */
  add(list: string, values: Values): string;
  set(list: string, id: string, values: Values): boolean;
  remove(list: string, ids: readonly string[]): void;
  undo(): void;
  redo(): void;
  /**
   * `saving`: not all changes are on the server. `offline`: they wait for it. `failed`: the server has refused one. `loaded`: the records
   * have arrived. `lastStep`: for a message that names what happened.
   */
  useStatus(): Omit<DataState, 'lists' | 'foreign'>;
  /** When someone else last changed this record, in milliseconds since the epoch. `null` if nobody has since the page was opened. */
  useForeign(list: string, id: string): number | null;
  retry(): void;
  /** Ends a conflict of `useStatus`: “mine” replaces what someone else has entered, “theirs” leaves the user's values out. */
  resolve(conflict: string, keep: 'mine' | 'theirs'): void;
  /** Stores an image, and returns its id. Rejects with a message for the user. */
  upload(file: File): Promise<string>;
}

const client = new DataClient({ transport: serverTransport, document: appDocument, storage: window.sessionStorage });
void client.start();
window.addEventListener('online', () => client.retry());
window.addEventListener('beforeunload', (event) => {
  const { state } = client.store.getState();
  if (state === 'offline' || state === 'conflict') event.preventDefault();
});

const none: readonly AppRecord[] = [];
const count = (list: string, ids: readonly unknown[]): string => {
  const { one, name } = listOf(list);
  return ids.length === 1 ? one : `${ids.length} ${name.toLowerCase()}`;
};

const appData: AppData = {
  get document() {
    return appDocument();
  },
  listOf,
  useRecords: (list) => useStore(client.store, ({ lists }) => lists[list] ?? none),
  useRecord: (list, id) => useStore(client.store, () => client.record(list, id)),
  change: (name, changes) => client.change(name, changes),
  add(list, values) {
    const id = randomId();
    client.change(`Added ${count(list, [id])}`, [{ op: 'put', list, id, values: { ...values } }]);
    return id;
  },
  set: (list, id, values) => client.change(`Changed ${count(list, [id])}`, [{ op: 'put', list, id, values: { ...values } }]),
  remove(list, ids) {
    client.change(
      `Deleted ${count(list, ids)}`,
      ids.map((id) => ({ op: 'delete', list, id })),
    );
  },
  undo: () => client.undo(),
  redo: () => client.redo(),
  useStatus: () =>
    useStore(
      client.store,
      useShallow(({ lists: _lists, foreign: _foreign, ...status }) => status),
    ),
  useForeign: (list, id) => useStore(client.store, ({ foreign }) => foreign[`${list}/${id}`] ?? null),
  retry: () => client.retry(),
  resolve: (conflict, keep) => client.resolve(conflict, keep),
  upload: (file) => client.upload(file),
};
export default appData;
