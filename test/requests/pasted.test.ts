import { describe, expect, it } from 'vitest';
import { readRequest } from '../../server/kinds/film/author/read/read.ts';
import pasted from './pasted.json' with { type: 'json' };

/** A text that somebody pasted behind an introductory sentence, and what has to be read in it. */
interface Pasted {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  /** The names of the columns and the cells, missing ones empty. */
  readonly columns?: readonly string[] | null;
  readonly rows?: readonly (readonly string[])[] | null;
  /** Words that have to be read exactly. */
  readonly texts?: readonly string[] | null;
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  chat: ['chat'],
  agenda: ['list', 'table'],
  list: ['list'],
  code: ['code', 'terminal'],
  json: ['table', 'list', 'code', 'text'],
};
const plain = (text: string) => text.replace(/\s+/gu, ' ').trim();
const cells = (row: readonly string[], count: number) => Array.from({ length: count }, (_, at) => plain(row[at] ?? ''));

describe('pasted texts behind an introductory sentence', () => {
  it.each((pasted as unknown as readonly Pasted[]).map((one) => [one.id, one.kind, one] as const))(
    'A33: %s, %s, is read with all its cells and words',
    (_, kind, { text, columns, rows, texts }) => {
      const { blocks, brand } = readRequest(text);
      if (rows == null) {
        const read = plain(JSON.stringify([blocks, brand]));
        expect((texts ?? []).filter((one) => !read.includes(plain(JSON.stringify(one).slice(1, -1))))).toEqual([]);
        expect(blocks.some((block) => (kinds[kind] ?? [block.kind]).includes(block.kind))).toBe(true);
        return;
      }
      const count = Math.max(...rows.map(({ length }) => length));
      const tables = blocks.flatMap((block) => (block.kind === 'table' ? [block] : []));
      expect(tables.map((table) => table.rows.map((row) => cells(row, count)))).toContainEqual(
        rows.map((row) => cells(row, count)),
      );
      if (columns != null) expect(tables.map(({ header }) => cells(header ?? [], count))).toContainEqual(cells(columns, count));
    },
  );
});
