import { Mutex } from 'async-mutex';
import type { Logger } from 'pino';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import {
  type McpRisk,
  type McpServer,
  type McpServerRequest,
  type McpSettings,
  maxMcpServers,
  mcpRiskSchema,
} from '#contract/mcp-servers.ts';
import type { PrivateAddresses } from '../../lib/outbound-fetch.ts';
import type { SecretFile } from '../../storage/secret-file.ts';
import type { Tool } from '../tool.ts';
import { ConnectionHost } from './connection-host.ts';
import type { OutsideConnection } from './outside-connection.ts';
import { outsideTool } from './outside-tool.ts';
import type { DeclaredTool, Endpoint, McpTimeouts } from './protocol.ts';
import type { FileServer } from './server-file.ts';

/** `digest` is that of the declaration that the operator saw. */
const riskSchema = z.object({ risk: mcpRiskSchema, digest: z.string() });
export const storedServersSchema = z.object({
  servers: z.array(z.object({ name: z.string(), url: z.string(), token: z.string().nullable() })),
  /** By server, then by tool. */
  risks: z.record(z.string(), z.record(z.string(), riskSchema)),
  search: z.object({ server: z.string(), tool: z.string() }).nullable(),
});
type Stored = z.output<typeof storedServersSchema>;
type StoredServer = Stored['servers'][number];

interface Deps {
  readonly file: Pick<SecretFile<typeof storedServersSchema>, 'read' | 'write'>;
  readonly listed: ReadonlyMap<string, FileServer>;
  readonly hasSearchServer: boolean;
  readonly version: string;
  readonly timeouts: McpTimeouts;
  /** For addresses from the settings page. Those of the file are the operator's own. */
  readonly privateAddresses: PrivateAddresses;
  readonly log: Logger;
}

interface Listed {
  readonly source: McpServer['source'];
  /** URL or command. Its query may contain a key. */
  readonly address: string;
  readonly hasToken: boolean;
  readonly connection: OutsideConnection;
}

/** A call at which no person can answer a question. */
interface UnattendedCall {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const nothingStored: Stored = { servers: [], risks: {}, search: null };

/** MCP servers of the operator's choice: those of the settings page, and those of a file. Tokens are write-only. */
export class McpServers {
  readonly #deps: Deps;
  readonly #host: ConnectionHost;
  readonly #changing = new Mutex();
  readonly #listed = new Map<string, Listed>();
  #stored: Stored;

  private constructor(deps: Deps, stored: Stored) {
    this.#deps = deps;
    this.#host = new ConnectionHost(deps);
    this.#stored = stored;
    for (const server of stored.servers) this.#add(server);
    // The file wins, because it is not open to requests.
    for (const [name, server] of deps.listed) this.#connect(name, 'file', fileEndpoint(server));
  }

  /** Opens the settings and starts to connect, without waiting for any server. */
  static async open(deps: Deps): Promise<McpServers> {
    try {
      return new McpServers(deps, (await deps.file.read()) ?? nothingStored);
    } catch (error) {
      deps.log.error({ err: error }, 'failed to read MCP servers, add them again on the settings page');
      return new McpServers(deps, nothingStored);
    }
  }

  view(): McpSettings {
    const servers = [...this.#listed].map(([name, { source, address, hasToken, connection }]) => ({
      ...{ name, source, address: shownAddress(address), hasToken, state: connection.state, error: connection.error },
      tools: connection.tools.map((tool) => ({
        ...{ name: tool.name, description: tool.description, problem: tool.problem },
        risk: this.#riskOf(name, tool),
      })),
    }));
    return { servers, search: this.#stored.search, hasSearchServer: this.#deps.hasSearchServer };
  }

  /** Returns the agent's tools, from the last known lists. The operator may have chosen one to be `search`. */
  tools(): Tool[] {
    const { search } = this.#stored;
    const { hasSearchServer, timeouts } = this.#deps;
    return [...this.#listed].flatMap(([server, { address, connection }]) =>
      connection.tools.flatMap((declared) => {
        const risk = this.#riskOf(server, declared);
        if (declared.problem !== null || risk === 'off') return [];
        const isSearch = !hasSearchServer && search?.server === server && search.tool === declared.name;
        const name = isSearch ? 'search' : declared.offeredAs;
        return [outsideTool({ server, connection, declared, risk, name, timeoutMs: timeouts.callMs, address })];
      }),
    );
  }

  /**
   * Throws NOT_FOUND, CONFLICT, FORBIDDEN or SERVICE_UNAVAILABLE if a tool cannot be called without a person, and VALIDATION_ERROR
   * for its input.
   */
  async assertCallable(call: UnattendedCall, { signal }: { signal: AbortSignal }): Promise<void> {
    const { server, tool, input } = call;
    const { connection } = this.#find(server);
    // The list of tools is empty until the first connection.
    await connection.connect();
    const declared = this.#findTool(server, tool);
    if (this.#riskOf(server, declared) !== 'allowed') {
      const message = `Koda asks before each call of “${tool}” of “${server}”, and nobody can answer at the time of a run. Allow the tool in Settings.`;
      throw new KodaError('FORBIDDEN', message);
    }
    const [problem] = await connection.check(declared, input, { signal });
    if (problem !== undefined)
      throw new KodaError('VALIDATION_ERROR', `“${tool}” does not take this input: ${problem}.`, {
        details: { field: 'source.input' },
      });
  }

  /** Calls a tool without a person, and returns its text. Throws as `assertCallable` and the call do, EXECUTION_ERROR or TOO_LARGE. */
  async callUnattended(call: UnattendedCall, { signal }: { signal: AbortSignal }): Promise<string> {
    const { server, tool, input } = call;
    await this.assertCallable(call, { signal });
    const { isError, text, leftOutCharacters } = await this.#find(server).connection.call(tool, input, { signal });
    const subject = `“${tool}” of “${server}”`;
    if (isError) throw new KodaError('EXECUTION_ERROR', `${subject} failed: ${text.slice(0, 200) || 'it gave no reason'}`);
    if (leftOutCharacters > 0)
      throw new KodaError('TOO_LARGE', `The result of ${subject} is longer than ${text.length} characters.`);
    return text;
  }

  /** Stores a server and connects to it in the background. Throws CONFLICT, LIMIT_EXCEEDED or STORAGE_FULL. */
  save(name: string, request: McpServerRequest): Promise<McpSettings> {
    return this.#change(name, (stored) => {
      const before = stored.servers.find((server) => server.name === name);
      if (before === undefined && stored.servers.length >= maxMcpServers)
        throw new KodaError('LIMIT_EXCEEDED', `Koda uses at most ${maxMcpServers} MCP servers. Remove one first.`);
      const server = this.#requested(name, request);
      const others = stored.servers.filter((other) => other.name !== name);
      return {
        stored: {
          ...stored,
          servers: [...others, server],
          // What was decided for another address does not apply to this one.
          ...(before?.url === server.url ? {} : without(stored, name)),
        },
        apply: () => this.#replace(name, server),
      };
    });
  }

  /** Removes a server. Throws NOT_FOUND or CONFLICT. */
  remove(name: string): Promise<McpSettings> {
    return this.#change(name, (stored) => {
      this.#find(name);
      const servers = stored.servers.filter((server) => server.name !== name);
      return { stored: { ...stored, servers, ...without(stored, name) }, apply: () => this.#replace(name, null) };
    });
  }

  /** Connects to a server without storing it. Returns the number of its tools. Throws SERVICE_UNAVAILABLE. */
  async test(name: string, request: McpServerRequest): Promise<number> {
    this.#refuseListed(name);
    const server = this.#requested(name, request);
    const connection = this.#host.open(name, this.#endpointOf(server));
    try {
      await connection.connect();
      return connection.tools.length;
    } finally {
      connection.close();
    }
  }

  /** Sets a tool's risk for as long as its declaration stays the same. Throws NOT_FOUND or CONFLICT. */
  setRisk({ server, tool, risk }: { server: string; tool: string; risk: McpRisk }): Promise<McpSettings> {
    return this.#change(null, (stored) => {
      const { digest } = this.#findTool(server, tool);
      const risks = { ...stored.risks, [server]: { ...stored.risks[server], [tool]: { risk, digest } } };
      return { stored: { ...stored, risks } };
    });
  }

  /** Sets the tool that the agent sees as `search`. Throws NOT_FOUND or CONFLICT. */
  setSearch(search: Stored['search']): Promise<McpSettings> {
    return this.#change(null, (stored) => {
      if (search !== null) this.#findTool(search.server, search.tool);
      return { stored: { ...stored, search } };
    });
  }

  async close(): Promise<void> {
    await this.#host.close();
  }

  #riskOf(server: string, { name, digest }: DeclaredTool): McpRisk {
    const known = this.#stored.risks[server]?.[name];
    if (known === undefined) return 'ask';
    return known.digest === digest || known.risk === 'off' ? known.risk : 'ask';
  }

  /** `name`: the server that the change is about, which must not come from the file. */
  #change(name: string | null, next: (stored: Stored) => { stored: Stored; apply?: () => void }): Promise<McpSettings> {
    return this.#changing.runExclusive(async () => {
      const { file, log } = this.#deps;
      if (name !== null) this.#refuseListed(name);
      const { stored, apply } = next(this.#stored);
      await file.write(stored);
      this.#stored = stored;
      apply?.();
      const servers = stored.servers.map((server) => ({
        name: server.name,
        url: shownAddress(server.url),
        hasToken: server.token !== null,
      }));
      log.info({ audit: 'settings.mcp', servers, risks: stored.risks, search: stored.search }, 'MCP servers changed');
      return this.view();
    });
  }

  #refuseListed(name: string): void {
    if (!this.#deps.listed.has(name)) return;
    throw new KodaError('CONFLICT', `The server “${name}” comes from a file on the computer that runs Koda. Change it there.`);
  }

  #requested(name: string, { url: requested, token }: McpServerRequest): StoredServer {
    const before = this.#stored.servers.find((server) => server.name === name);
    // The page shows the address without its query, and sends it like that unless the user has changed it.
    const url = before !== undefined && shownAddress(before.url) === requested ? before.url : requested;
    // A token is never sent to another address.
    const kept = before?.url === url ? before.token : null;
    return { name, url, token: token === undefined ? kept : token };
  }

  #find(name: string): Listed {
    const listed = this.#listed.get(name);
    if (listed === undefined) throw new KodaError('NOT_FOUND', `There is no MCP server “${name}”. Reload the page.`);
    return listed;
  }

  #findTool(server: string, tool: string): DeclaredTool {
    const found = this.#find(server).connection.tools.find(({ name }) => name === tool);
    if (found === undefined) throw new KodaError('NOT_FOUND', `The server “${server}” has no tool “${tool}”. Reload the page.`);
    if (found.problem !== null) throw new KodaError('CONFLICT', `The tool “${tool}” cannot be used. ${found.problem}`);
    return found;
  }

  #replace(name: string, server: StoredServer | null): void {
    this.#listed.get(name)?.connection.close();
    this.#listed.delete(name);
    if (server !== null) this.#add(server);
  }

  #add(server: StoredServer): void {
    this.#connect(server.name, 'settings', this.#endpointOf(server));
  }

  #connect(name: string, source: Listed['source'], endpoint: Endpoint): void {
    this.#listed.get(name)?.connection.close();
    const connection = this.#host.open(name, endpoint);
    this.#listed.set(name, { source, ...identityOf(endpoint), connection });
  }

  #endpointOf({ url, token }: StoredServer): Endpoint {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return { url, headers, privateAddresses: this.#deps.privateAddresses };
  }
}

function without({ risks, search }: Stored, name: string): Pick<Stored, 'risks' | 'search'> {
  const { [name]: _, ...others } = risks;
  return { risks: others, search: search?.server === name ? null : search };
}

const fileEndpoint = (server: FileServer): Endpoint => ('url' in server ? { ...server, privateAddresses: 'allow' } : server);

const identityOf = (endpoint: Endpoint): Pick<Listed, 'address' | 'hasToken'> =>
  'url' in endpoint
    ? { address: endpoint.url, hasToken: Object.keys(endpoint.headers).length > 0 }
    : { address: endpoint.command, hasToken: false };

/** Hides what follows “?”, where some servers expect a key. */
const shownAddress = (address: string): string => address.replace(/\?.+$/s, '?***');
