import { describe, expect, it } from 'vitest';
import { clientConfig, clientIds } from './client-configs.ts';

const origin = 'http://localhost:3000';
const token = 'koda_0123456789';

describe('configurations of other programs', () => {
  it.each(clientIds)('G11: %s gets the address, and the token only if there is one', (id) => {
    const local = clientConfig(id, { origin, token: null }).text;
    expect(local).toContain(origin);
    expect(local).not.toMatch(/authorization|token/i);
    expect(clientConfig(id, { origin, token }).text.split(token)).toHaveLength(2);
  });

  it('G11: have the shape that each program documents', () => {
    const parsed = (id: (typeof clientIds)[number]): unknown => JSON.parse(clientConfig(id, { origin, token }).text);
    const [url, headers] = [`${origin}/mcp`, { Authorization: `Bearer ${token}` }];
    expect(parsed('claude-desktop')).toEqual({
      mcpServers: {
        koda: { command: '/path/to/koda/scripts/koda.sh', args: ['mcp'], env: { KODA_URL: origin, KODA_TOKEN: token } },
      },
    });
    expect(parsed('cursor')).toEqual({ mcpServers: { koda: { url, headers } } });
    expect(parsed('vscode')).toEqual({ servers: { koda: { type: 'http', url, headers } } });
    expect(parsed('opencode')).toMatchObject({ mcp: { servers: { koda: { type: 'remote', url, headers } } } });
    expect(clientConfig('claude-code', { origin, token: null }).text).toBe(
      'claude mcp add --transport http --scope user koda http://localhost:3000/mcp',
    );
    expect(clientConfig('claude-code', { origin, token }).text).toMatch(
      /\/mcp \\\n {2}--header "Authorization: Bearer koda_\d+"$/,
    );
  });
});
