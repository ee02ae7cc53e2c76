import { formatBytes } from '#contract/display.ts';
import { hasTable } from '../../../../../sandbox-image/templates/app/model/tables.ts';
import { describePaste } from '../../../home/paste.ts';
import { decoded, workbookProblem } from '../../../uploads/text-file.ts';

/** Lines that show whether a text has rows. */
const headLines = 40;

/** Whether a pasted text has rows, so that it is a table rather than a sentence. */
export function hasRows(text: string): boolean {
  const lines = text
    .slice(0, 100_000)
    .split(/\r?\n/u)
    .filter((line) => line.trim() !== '')
    .slice(0, headLines);
  if (lines.length < 2) return false;
  if (lines.filter((line) => line.includes('\t')).length > lines.length / 2) return true;
  const kind = describePaste(lines.join('\n'))?.kind;
  if (kind === 'json' || kind === 'code') return false;
  return kind === 'table' || kind === 'list' || kind === 'checklist' || hasTable(text);
}

/** Endings of files with rows. */
export const rowsEndings = ['.csv', '.tsv', '.txt', '.md'] as const;
const mostFileBytes = 40_000_000;

/** Reads a file of rows. Returns a sentence that says what to do if it has none. */
export async function readRowsFile(file: File): Promise<{ text: string; name: string } | { problem: string }> {
  const { name, size } = file;
  const ending = name.slice(name.lastIndexOf('.')).toLowerCase();
  const workbook = workbookProblem(name);
  if (workbook !== null) return { problem: workbook };
  if (!rowsEndings.some((one) => one === ending)) return { problem: `${name} has no rows. Drop a CSV file.` };
  if (size > mostFileBytes)
    return { problem: `${name} is ${formatBytes(size)}; at most 40 MB can be read. Split it and drop one part.` };
  const text = decoded(new Uint8Array(await file.arrayBuffer()));
  return { text, name: name.slice(0, name.lastIndexOf('.')) };
}
