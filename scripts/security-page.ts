import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controls } from '../server/controls.ts';

/** `node scripts/security-page.ts` writes the table of controls into SECURITY.md. */
export const pagePath = join(import.meta.dirname, '../SECURITY.md');
const marks = ['<!-- controls: made by scripts/security-page.ts -->', '<!-- end of controls -->'] as const;

/** Returns the page with its table replaced by one made from the controls. */
export function withControls(page: string): string {
  const [before = '', rest = ''] = page.split(marks[0]);
  const after = rest.split(marks[1])[1];
  if (after === undefined) throw new Error(`SECURITY.md lacks “${marks[0]}” or “${marks[1]}”.`);
  const areas = Map.groupBy(controls, ({ area }) => area);
  const tables = [...areas].map(([area, rows]) => {
    const lines = rows.map(({ name, byDefault, stops, risk, test: [file] }) =>
      ['', name, byDefault, stops, risk, `[test](${file})`, ''].join(' | ').trim(),
    );
    return [`### ${area}`, '', '| control | by default | stops | if relaxed | proof |', '|---|---|---|---|---|', ...lines].join(
      '\n',
    );
  });
  return `${before}${marks[0]}\n\n${tables.join('\n\n')}\n\n${marks[1]}${after}`;
}

if (import.meta.main) writeFileSync(pagePath, withControls(readFileSync(pagePath, 'utf8')));
