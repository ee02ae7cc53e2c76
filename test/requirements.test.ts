import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from './requirements.ts';

const root = join(import.meta.dirname, '..');
const skipped = new Set(['node_modules', 'dist', 'data', 'test-results']);

function* testFiles(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    if (skipped.has(name) || name.startsWith('.')) continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* testFiles(path);
    else if (/\.(test|spec)\.tsx?$/.test(name)) yield path;
  }
}

/** The ids cited in test titles: `'A1: refuses…'`, `'A20, A22: …'`, `'A1 G9: …'`. */
const citation = /['"`](?<ids>(?:[ATGVCX]\d+(?:,? )?)+): /g;

function citedIds(): Set<string> {
  const ids = new Set<string>();
  for (const path of testFiles(root)) {
    for (const { groups } of readFileSync(path, 'utf8').matchAll(citation)) {
      for (const id of groups?.['ids']?.split(/,? /) ?? []) ids.add(id);
    }
  }
  return ids;
}

describe('requirements', () => {
  it('has every id once', () => {
    expect(new Set(requirements.map((row) => row.id)).size).toBe(requirements.length);
  });

  it('says what is missing of a row that is built in part, and only then', () => {
    for (const row of requirements) expect(row.missing !== null, row.id).toBe(row.state === 'partly');
  });

  it('cites every row that is built or partly built in a test', () => {
    const cited = citedIds();
    const uncited = requirements.filter((row) => row.state !== 'open' && !cited.has(row.id)).map((row) => row.id);
    expect(uncited).toEqual([]);
  });

  it('cites no id that does not exist', () => {
    const known = new Set(requirements.map((row) => row.id));
    expect([...citedIds()].filter((id) => !known.has(id))).toEqual([]);
  });
});
