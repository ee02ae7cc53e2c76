import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isCancelled, KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { Scope } from '../access/caller.ts';
import { errorContent, failed } from '../tools/tool.ts';
import { askUser } from './elicitation.ts';
import { ToolFailure } from './registry.ts';
import { complete, listResources, readResource, resourceTemplates } from './resources.ts';
import type { CallOf } from './sessions.ts';
import type { Studio } from './studio.ts';
import type { McpTool, ToolCall, ToolOutput } from './tool.ts';
import { mcpTools } from './tools/catalogue.ts';
import { showsViews, viewContents, viewMetaOf, viewResource, viewUri } from './view.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const instructions =
  'Koda makes films in a sandbox. make_film creates one from a sentence or from formats (list_formats); accept_plan, send_feedback and accept_preview lead it to its end, and render makes the video. The file and command tools work on the film’s code, while Koda does not.';
/** JSON-RPC code of a resource that does not exist, as the specification defines it. */
const resourceNotFound = -32_002;

const described: ReadonlyMap<string, Tool> = new Map(
  mcpTools.map(({ name, title, description, input, output, hints }) => [
    name,
    {
      ...{ name, title, description },
      inputSchema: schemaOf(input, 'input'),
      outputSchema: schemaOf(output, 'output'),
      annotations: {
        title,
        readOnlyHint: hints.readOnly,
        destructiveHint: hints.destructive,
        idempotentHint: hints.idempotent,
        openWorldHint: false,
      },
    },
  ]),
);

function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  return z
    .object({ type: z.literal('object') })
    .loose()
    .parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
}

/** Creates the server of a session: Koda's tools and resources, as far as each request's caller may use them. */
export function createMcpServer({ studio, callOf, log }: { studio: Studio; callOf: CallOf; log: Logger }): Server {
  const server = new Server(
    { name: 'koda', title: 'Koda', version: studio.version },
    { capabilities: { tools: {}, resources: {}, completions: {} }, instructions },
  );

  const toolCall = (extra: Extra, call = callOf(extra.requestId)): ToolCall => ({
    ...call,
    studio,
    ask: (question) => askUser(server, { requestId: extra.requestId, signal: call.signal }, question),
    async progress(progress, total, message) {
      const progressToken = extra._meta?.progressToken;
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message, ...(total !== null && { total }) };
      await extra.sendNotification({ method: 'notifications/progress', params });
    },
  });

  const hasViews = () => showsViews(server.getClientCapabilities());

  /** Runs work on resources. Its failures are protocol errors. */
  const reading = async <T>(extra: Extra, work: (call: ToolCall) => Promise<T>): Promise<T> => {
    const call = toolCall(extra);
    try {
      assertScope(call, 'read', 'resources');
      return await work(call);
    } catch (error) {
      const { code, message } = known(error, log);
      throw new McpError(code === 'NOT_FOUND' ? resourceNotFound : ErrorCode.InvalidRequest, message, { code });
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => {
    const { caller } = callOf(extra.requestId);
    const withViews = hasViews();
    const listed = mcpTools.filter(({ scope }) => caller.scopes.has(scope));
    return { tools: listed.map(({ name }) => ({ ...toolNamed(name), ...(withViews && viewMetaOf(name)) })) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = mcpTools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}.`);
    const call = toolCall(extra);
    try {
      assertScope(call, tool.scope, tool.name);
      return resultOf(await tool.run(params.arguments ?? {}, call));
    } catch (error) {
      return errorResult(call.signal.aborted ? new KodaError('CANCELLED', 'The call was cancelled.') : error, log);
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) =>
    reading(extra, async (call) => {
      const listed = await listResources(call, params?.cursor);
      if (!hasViews() || params?.cursor !== undefined) return listed;
      return { ...listed, resources: [viewResource, ...listed.resources] };
    }),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) =>
    reading(extra, async (call) => {
      if (hasViews() && params.uri === viewUri) return viewContents(await studio.view());
      return await readResource(call, params.uri);
    }),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }, extra) => reading(extra, (call) => complete(call, params)));
  return server;
}

function toolNamed(name: McpTool['name']): Tool {
  const tool = described.get(name);
  if (tool === undefined) throw new Error(`The tool ${name} has no description.`);
  return tool;
}

function assertScope({ caller }: ToolCall, scope: Scope, what: string): void {
  if (caller.scopes.has(scope)) return;
  throw new KodaError('FORBIDDEN', `${what} needs the scope “${scope}”, which this token does not have.`, {
    details: { scope },
    recovery: 'use_other_token',
  });
}

function resultOf({ output, images = [], links = [] }: ToolOutput<Record<string, unknown>>): CallToolResult {
  return {
    structuredContent: output,
    content: [
      { type: 'text', text: JSON.stringify(output) },
      ...images.map(({ mediaType, base64 }) => ({ type: 'image' as const, mimeType: mediaType, data: base64 })),
      ...links.map(({ uri, name, mediaType }) => ({ type: 'resource_link' as const, uri, name, mimeType: mediaType })),
    ],
  };
}

/** Formats a failure like a tool's failure for a language model: what failed, and what to do next. */
function errorResult(error: unknown, log: Logger): CallToolResult {
  const content = error instanceof ToolFailure ? errorContent(error.result) : kodaContent(known(error, log));
  // Clients validate structured content against the tool's schema, even that of a failure.
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: content }) }] };
}

function kodaContent({ code, message, details }: KodaError): Record<string, unknown> {
  return errorContent(failed(code, message, details));
}

/** Returns an error that a client may see. Any other error is a bug, which is logged and hidden. */
function known(error: unknown, log: Logger): KodaError {
  if (error instanceof ToolFailure) return new KodaError('EXECUTION_ERROR', error.message, { cause: error });
  if (error instanceof KodaError) return error;
  if (isCancelled(error)) return new KodaError('CANCELLED', 'The call was cancelled.', { cause: error });
  const requestId = newId('req');
  log.error({ err: error, requestId }, 'MCP call failed');
  return new KodaError('INTERNAL_ERROR', `Koda failed because of an internal error. Search the server log for ${requestId}.`, {
    details: { requestId },
  });
}
