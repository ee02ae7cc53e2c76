import { describe, expect, it } from 'vitest';
import type { FileDiff } from '#contract/history.ts';
import { diffRows, type FileLines, fileLines, openAtFirst, parsePatch, widestColumns } from './diff-rows.ts';

const head = 'diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n';
const brief = (patch: string) =>
  parsePatch(patch).map(({ kind, oldNumber, newNumber, text }) => `${kind} ${oldNumber ?? ''}:${newNumber ?? ''} ${text}`);

describe('unified diff', () => {
  it('X4: yields lines with numbers before and after, without file headers', () => {
    expect(brief(`${head}@@ -1,3 +1,3 @@\n one\n-two\n+three\n four\n`)).toEqual([
      'same 1:1 one',
      'removed 2: two',
      'added :2 three',
      'same 3:3 four',
    ]);
  });

  it('X4: shows gaps and the section that they belong to', () => {
    expect(brief(`${head}@@ -10,1 +12,2 @@ function draw() {\n a\n+b\n`)).toEqual([
      'gap 10:12 function draw() {',
      'same 10:12 a',
      'added :13 b',
    ]);
  });

  it('X4: reads lines that resemble headers as lines', () => {
    expect(brief(`${head}@@ -1,2 +1,2 @@\n--- a\n-@@ -1 +1 @@\n+++ b\n+diff --git\n`)).toEqual([
      'removed 1: -- a',
      'removed 2: @@ -1 +1 @@',
      'added :1 ++ b',
      'added :2 diff --git',
    ]);
  });

  it('X4: handles omitted counts of one and a missing final line break', () => {
    expect(brief(`${head}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n`)).toEqual([
      'removed 1: a',
      'remark : ',
      'added :1 b',
    ]);
  });

  it('X4: may end within a line or contain no lines', () => {
    expect(brief(`${head}@@ -1,9 +1,9 @@\n one\n+tw`)).toEqual(['same 1:1 one', 'added :1 tw'.replace(':1', ':2')]);
    expect(brief('diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n')).toEqual([]);
    expect(brief('')).toEqual([]);
  });

  it('X4: shows control characters and direction marks as symbols', () => {
    const [line] = parsePatch(`${head}@@ -0,0 +1 @@\n+a\u001b[2J\u0000b\u202Ec\td\r\n`);
    expect(line?.text).toBe('a\uFFFD[2J\uFFFDb\uFFFDc\td␍');
  });

  it('X4: truncates an overlong line visibly', () => {
    const [line] = parsePatch(`${head}@@ -0,0 +1 @@\n+${'x'.repeat(500_000)}`);
    expect(line?.text).toHaveLength(1001);
    expect(line?.text.endsWith('…')).toBe(true);
  });

  it('X4: marks differences within replaced lines', () => {
    const [removed, added] = parsePatch(`${head}@@ -1 +1 @@\n-const size = 12;\n+const size = 240;\n`);
    expect([removed?.mark, added?.mark]).toEqual([
      { start: 13, end: 15 },
      { start: 13, end: 16 },
    ]);
    const others = parsePatch(`${head}@@ -1 +1,2 @@\n-one\n+two\n+three\n`);
    expect(others.map(({ mark }) => mark)).toEqual([null, null, null]);
    expect(parsePatch(`${head}@@ -1 +1 @@\n-abcdef\n+uvwxyz\n`)[0]?.mark).toBeNull();
  });
});

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

describe('comparison as a list', () => {
  it('X4: contains the files, and the lines of open files', () => {
    const files = [file('a'), file('b')];
    expect(rowsOf(files, ['b'], fileLines({ patch, truncated: false }))).toEqual(['file', 'file', 'line', 'line']);
    const keys = diffRows(files, new Set(['a', 'b']), () => fileLines({ patch, truncated: false })).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(widestColumns(diffRows(files, new Set(['a']), () => fileLines({ patch, truncated: false })))).toBe('longer'.length);
  });

  it('X4: explains missing lines: binary, only renamed, too long, loading, failed', () => {
    expect(rowsOf([file('a', { binary: true })], ['a'], { kind: 'loading' })).toEqual(['file', 'note binary']);
    expect(rowsOf([file('a')], ['a'], fileLines({ patch: '', truncated: false }))).toEqual(['file', 'note no-lines']);
    expect(rowsOf([file('a')], ['a'], fileLines({ patch, truncated: true }))).toEqual(['file', 'line', 'line', 'note cut']);
    expect(rowsOf([file('a')], ['a'], { kind: 'loading' })).toEqual(['file', 'note loading']);
    expect(rowsOf([file('a')], ['a'], { kind: 'failed', error: new Error('no'), retry: () => undefined })).toEqual([
      'file',
      'failed',
    ]);
  });

  it('X4: opens only as many files as fit at a glance', () => {
    expect([...openAtFirst([file('a'), file('b', { binary: true }), file('c')])]).toEqual(['a', 'c']);
    expect([...openAtFirst([file('a'), file('b', { addedLines: 5000 }), file('c')])]).toEqual(['a']);
    expect(openAtFirst(Array.from({ length: 1000 }, (_, index) => file(`${index}`))).size).toBe(8);
  });
});
