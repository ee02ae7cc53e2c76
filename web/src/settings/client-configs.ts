/** Programs whose configuration the settings page shows. Each follows the document named beside it. */
export const clientIds = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'opencode'] as const;
export type ClientId = (typeof clientIds)[number];

export const clientNames: Record<ClientId, string> = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  opencode: 'opencode',
};

interface Connection {
  /** Origin of the studio. */
  readonly origin: string;
  /** `null` for programs on the computer that runs Koda, which need no token. */
  readonly token: string | null;
}

interface ClientConfig {
  /** Where the text belongs. */
  readonly place: string;
  readonly text: string;
  readonly note: string | null;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns what connects a program to Koda's MCP endpoint. */
export function clientConfig(id: ClientId, { origin, token }: Connection): ClientConfig {
  const url = `${origin}/mcp`;
  const headers = token === null ? {} : { headers: { Authorization: `Bearer ${token}` } };
  switch (id) {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers: its file configures only commands, not addresses.
    case 'claude-desktop': {
      const env = { KODA_URL: origin, ...(token !== null && { KODA_TOKEN: token }) };
      return {
        place: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
        text: json({ mcpServers: { koda: { command: '/path/to/koda/scripts/koda.sh', args: ['mcp'], env } } }),
        note: 'Replace /path/to/koda with the folder of Koda on that computer, then restart Claude Desktop.',
      };
    }
    // https://code.claude.com/docs/en/mcp. The header comes last, because its option takes any number of values.
    case 'claude-code': {
      const header = token === null ? '' : ` \\\n  --header "Authorization: Bearer ${token}"`;
      return {
        place: 'Run in a terminal',
        text: `claude mcp add --transport http --scope user koda ${url}${header}`,
        note: null,
      };
    }
    // https://cursor.com/docs/mcp
    case 'cursor':
      return { place: '~/.cursor/mcp.json', text: json({ mcpServers: { koda: { url, ...headers } } }), note: null };
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    case 'vscode':
      return {
        place: 'mcp.json (command “MCP: Open User Configuration”)',
        text: json({ servers: { koda: { type: 'http', url, ...headers } } }),
        note: null,
      };
    // https://opencode.ai/docs/mcp-servers, version 2. Version 1 has the servers directly under "mcp".
    case 'opencode':
      return {
        place: '~/.config/opencode/opencode.json',
        text: json({
          $schema: 'https://opencode.ai/config.json',
          mcp: { servers: { koda: { type: 'remote', url, ...headers } } },
        }),
        note: 'For version 2. In version 1, “koda” belongs directly under “mcp”.',
      };
  }
}
