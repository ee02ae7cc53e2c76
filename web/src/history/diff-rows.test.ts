import { describe, expect, it } from 'vitest';
import type { FileDiff } from '../../../server/contract/history.ts';
import { diffRows, type FileLines, fileLines, openAtFirst, widestColumns } from './diff-rows.ts';

const file = (path: string, change: Partial<FileDiff> = {}): FileDiff => ({
  path,
  status: 'modified',
  previousPath: null,
  binary: false,
  addedLines: 1,
  deletedLines: 1,
  ...change,
});
const patch = '@@ -1 +1 @@\n-a\n+longer\n';
const rowsOf = (files: FileDiff[], open: string[], lines: FileLines) =>
  diffRows(files, new Set(open), () => lines).map((row) => `${row.kind}${row.kind === 'note' ? ` ${row.note}` : ''}`);

describe('a comparison as a list', () => {
  it('X4: files, and below open ones their lines', () => {
    const files = [file('a'), file('b')];
    expect(rowsOf(files, ['b'], fileLines(patch, false))).toEqual(['file', 'file', 'line', 'line']);
    const keys = diffRows(files, new Set(['a', 'b']), () => fileLines(patch, false)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(widestColumns(diffRows(files, new Set(['a']), () => fileLines(patch, false)))).toBe('longer'.length);
  });

  it('X4: says what is not there to be read: binary, nothing but a name, too long, not yet there, failed', () => {
    expect(rowsOf([file('a', { binary: true })], ['a'], { kind: 'loading' })).toEqual(['file', 'note binary']);
    expect(rowsOf([file('a')], ['a'], fileLines('', false))).toEqual(['file', 'note no-lines']);
    expect(rowsOf([file('a')], ['a'], fileLines(patch, true))).toEqual(['file', 'line', 'line', 'note cut']);
    expect(rowsOf([file('a')], ['a'], { kind: 'loading' })).toEqual(['file', 'note loading']);
    expect(rowsOf([file('a')], ['a'], { kind: 'failed', error: new Error('no') })).toEqual(['file', 'failed']);
  });

  it('X4: what is open at first can be read at a glance', () => {
    expect([...openAtFirst([file('a'), file('b', { binary: true }), file('c')])]).toEqual(['a', 'c']);
    expect([...openAtFirst([file('a'), file('b', { addedLines: 5000 }), file('c')])]).toEqual(['a']);
    expect(openAtFirst(Array.from({ length: 1000 }, (_, index) => file(`${index}`))).size).toBe(8);
  });
});
