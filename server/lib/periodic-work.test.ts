import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const server = join(import.meta.dirname, '..');

/** Their callbacks are synchronous and cannot reject. */
const synchronous = [
  'http/server.ts',
  'mcp/progress.ts',
  'mcp/stateless.ts',
  'http/edge/body.ts',
  'lib/watchdog-worker.ts',
  'lib/watchdog.ts',
  'tools/outside/connection-host.ts',
  'tools/outside/connections-process.ts',
];

it('M12: all periodic work runs through startRecurring, because a rejection in a timer ends the server', () => {
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const own = sources.filter((path) => /\bsetInterval\(/.test(readFileSync(join(server, path), 'utf8')));
  expect(own.sort()).toEqual([...synchronous, 'lib/recurring.ts'].sort());
});
