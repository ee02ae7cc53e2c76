import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { terminalColours } from './theme.ts';

it('derives every terminal colour from the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../tokens.css'), 'utf8');
  for (const [name, css] of Object.entries(terminalColours)) {
    const tokens = [...css.matchAll(/var\((--[a-z0-9-]+)\)/g)].map(([, token]) => token);
    expect(tokens.length, name).toBeGreaterThan(0);
    for (const token of tokens) expect(page, name).toContain(`${token}:`);
  }
});
