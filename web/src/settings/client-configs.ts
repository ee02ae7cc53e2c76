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
  /** Address of the studio, without a slash at its end. */
  readonly address: string;
  /** `null` for programs on the computer that runs Koda, which start Koda's command instead. */
  readonly token: string | null;
}

interface ClientConfig {
  /** Where the text belongs. */
  readonly place: string;
  readonly text: string;
  readonly note: string | null;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const launcher = '/path/to/koda/scripts/koda.sh';
const pathNote = 'Replace /path/to/koda with the folder of Koda on that computer.';

/** Returns what connects a program to Koda: without a token by Koda's own command, which has the key of its computer. */
export function clientConfig(id: ClientId, { address, token }: Connection): ClientConfig {
  const command = { command: launcher, args: ['mcp'], env: { KODA_URL: address, ...(token !== null && { KODA_TOKEN: token }) } };
  const remote = { url: `${address}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  const note = token === null ? pathNote : null;
  switch (id) {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers: its file configures only commands, not addresses.
    case 'claude-desktop':
      return {
        place: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
        text: json({ mcpServers: { koda: command } }),
        note: `${pathNote} Then restart Claude Desktop.`,
      };
    // https://code.claude.com/docs/en/mcp. Options with any number of values come last.
    case 'claude-code':
      return {
        place: 'Run in a terminal',
        text:
          token === null
            ? `claude mcp add --scope user koda --env KODA_URL=${address} -- ${launcher} mcp`
            : `claude mcp add --transport http --scope user koda ${remote.url} \\\n  --header "Authorization: ${remote.headers.Authorization}"`,
        note,
      };
    // https://cursor.com/docs/mcp
    case 'cursor':
      return { place: '~/.cursor/mcp.json', text: json({ mcpServers: { koda: token === null ? command : remote } }), note };
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    case 'vscode':
      return {
        place: 'mcp.json (command “MCP: Open User Configuration”)',
        text: json({ servers: { koda: token === null ? { type: 'stdio', ...command } : { type: 'http', ...remote } } }),
        note,
      };
    // https://opencode.ai/docs/mcp-servers, version 2. Version 1 has the servers directly under "mcp".
    case 'opencode': {
      const local = { type: 'local', command: [launcher, 'mcp'], environment: command.env };
      return {
        place: '~/.config/opencode/opencode.json',
        text: json({
          $schema: 'https://opencode.ai/config.json',
          mcp: { servers: { koda: token === null ? local : { type: 'remote', ...remote } } },
        }),
        note: `${note === null ? '' : `${note} `}For version 2. In version 1, “koda” belongs directly under “mcp”.`,
      };
    }
  }
}
