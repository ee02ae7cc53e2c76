import { describe, expect, it } from 'vitest';
import { clientConfig, clientIds } from './client-configs.ts';

const address = 'http://localhost:3000';
const token = 'koda_0123456789';

describe('configurations of other programs', () => {
  it.each(clientIds)('G11: %s gets the address, and the token only if there is one', (id) => {
    const local = clientConfig(id, { address, token: null }).text;
    expect(local).toContain(address);
    expect(local).not.toMatch(/authorization|token/i);
    expect(clientConfig(id, { address, token }).text.split(token)).toHaveLength(2);
  });

  it('G11: have the shape that each program documents', () => {
    const parsed = (id: (typeof clientIds)[number]): unknown => JSON.parse(clientConfig(id, { address, token }).text);
    const [url, headers] = [`${address}/mcp`, { Authorization: `Bearer ${token}` }];
    expect(parsed('claude-desktop')).toEqual({
      mcpServers: {
        koda: { command: '/path/to/koda/scripts/koda.sh', args: ['mcp'], env: { KODA_URL: address, KODA_TOKEN: token } },
      },
    });
    expect(parsed('cursor')).toEqual({ mcpServers: { koda: { url, headers } } });
    expect(parsed('vscode')).toEqual({ servers: { koda: { type: 'http', url, headers } } });
    expect(parsed('opencode')).toMatchObject({ mcp: { servers: { koda: { type: 'remote', url, headers } } } });
    expect(clientConfig('claude-code', { address, token: null }).text).toBe(
      'claude mcp add --scope user koda --env KODA_URL=http://localhost:3000 -- /path/to/koda/scripts/koda.sh mcp',
    );
    expect(clientConfig('claude-code', { address, token }).text).toMatch(
      /\/mcp \\\n {2}--header "Authorization: Bearer koda_\d+"$/,
    );
  });
});
