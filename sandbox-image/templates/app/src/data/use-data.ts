import type { AppDocument, List } from '../../model/document.ts';
import type { AppRecord, Change, Values } from '../../model/record.ts';

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
  /** `saving`: not all changes are on the server. `offline`: they wait for it. `failed`: the server has refused one. */
  useStatus(): {
    readonly state: 'saved' | 'saving' | 'offline' | 'failed';
    readonly problem: string | null;
    readonly canUndo: boolean;
    readonly canRedo: boolean;
  };
  retry(): void;
  /** Stores an image, and returns its id. Rejects with a message for the user. */
  upload(file: File): Promise<string>;
}

declare const contract: AppData;
export default contract;
