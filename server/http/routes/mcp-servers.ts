import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { requireSameOrigin } from '../edge/guard.ts';
import { described } from '../route.ts';

/** Registers the MCP servers whose tools the agent may use. The operator may refuse private addresses (`KODA_PRIVATE_ADDRESSES`). */
export function registerMcpServers(app: HttpApp, { hosts, settings }: Pick<HttpDeps, 'hosts' | 'settings'>): void {
  const { mcpServers } = settings;
  app.openapi(described(routes.mcpServers, 'MCP servers whose tools the agent may use, without their tokens'), (c) => {
    requireSameOrigin(hosts, c);
    return c.json(mcpServers.view(), 200);
  });
  app.openapi(described(routes.saveMcpServer, 'Add or change an MCP server; its token is never shown again'), async (c) =>
    c.json(await mcpServers.save(c.req.valid('param').name, c.req.valid('json')), 200),
  );
  app.openapi(described(routes.removeMcpServer, 'Remove an MCP server and its token'), async (c) =>
    c.json(await mcpServers.remove(c.req.valid('param').name), 200),
  );
  app.openapi(described(routes.testMcpServer, 'Connect to an MCP server and count its tools, without saving it'), async (c) => {
    const { name } = c.req.valid('param');
    return c.json({ server: name, tools: await mcpServers.test(name, c.req.valid('json')) }, 200);
  });
  app.openapi(described(routes.setMcpRisk, 'Allow a tool of an MCP server, turn it off, or ask before each call'), async (c) =>
    c.json(await mcpServers.setRisk(c.req.valid('json')), 200),
  );
  app.openapi(described(routes.setMcpSearch, 'Choose the tool that the agent searches the web with'), async (c) =>
    c.json(await mcpServers.setSearch(c.req.valid('json').search), 200),
  );
}
