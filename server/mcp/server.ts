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
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { Caller, Scope } from '../access/policies.ts';
import { hasScope } from '../access/policies.ts';
import { errorForCaller } from '../projects/errors.ts';
import { errorContent, failed } from '../tools/tool.ts';
import type { CallOf } from './call.ts';
import { askUser } from './elicitation.ts';
import { isPicture, leftOut } from './pictures.ts';
import { CallProgress } from './progress.ts';
import { complete, listResources, readResource, resourceTemplates } from './resources.ts';
import type { Studio } from './studio.ts';
import { runTaskRequest } from './tasks.ts';
import { type McpTool, type ToolCall, ToolFailure, type ToolOutput } from './tool.ts';
import { mcpToolsWith, type PlacedTools } from './tools/catalogue.ts';
import { renderOutput } from './tools/work.ts';
import { type McpView, showsViews, viewContents, viewMetaOf, viewResource } from './view.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** JSON-RPC code of a resource that does not exist, as the specification defines it. */
const resourceNotFound = -32_002;

/** What MCP clients are offered of one kind of project. */
export interface KindMcp {
  /** What a model has to know about the kind's tools. */
  readonly instructions: string;
  readonly tools: readonly PlacedTools[];
  readonly views: readonly McpView[];
}

interface DescribedTool {
  readonly tool: McpTool;
  readonly description: Tool;
}

/** What a server offers. Its descriptions are costly enough to be made once for all sessions. */
export interface Offer {
  readonly instructions: string;
  readonly tools: readonly DescribedTool[];
  readonly views: readonly McpView[];
}

export function offerOf(kinds: readonly KindMcp[]): Offer {
  return {
    instructions: kinds.map(({ instructions }) => instructions).join(' '),
    tools: mcpToolsWith(kinds.flatMap(({ tools }) => tools)).map(describedTool),
    views: kinds.flatMap(({ views }) => views),
  };
}

function describedTool(tool: McpTool): DescribedTool {
  const { name, title, description, input, output, hints } = tool;
  return {
    tool,
    description: {
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
  };
}

function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  return z
    .object({ type: z.literal('object') })
    .loose()
    .parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
}

interface McpServerOptions {
  readonly studioFor: (caller: Caller) => Studio;
  readonly offer: Offer;
  readonly callOf: CallOf;
  readonly version: string;
  readonly log: Logger;
}

/** Creates the MCP server of a session. Each request sees the tools and resources that its caller's scopes allow. */
export function createMcpServer({ studioFor, offer, callOf, version, log }: McpServerOptions): Server {
  const { instructions, tools, views } = offer;
  const server = new Server(
    { name: 'koda', title: 'Koda', version },
    { capabilities: { tools: {}, resources: {}, completions: {} }, instructions },
  );

  const progressOf = (extra: Extra, name: string) =>
    new CallProgress(name, async ({ progress, total, message }) => {
      const progressToken = extra._meta?.progressToken;
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message, ...(total !== null && { total }) };
      // A client that has left cancels the call, or comes back for its result.
      await extra.sendNotification({ method: 'notifications/progress', params }).catch((error: Error) => server.onerror?.(error));
    });
  const toolCall = (extra: Extra, progress: CallProgress): ToolCall => {
    const call = callOf(extra.requestId);
    return {
      ...call,
      studio: studioFor(call.caller),
      ask: (question) => askUser(server, { requestId: extra.requestId, signal: call.signal }, question),
      progress: (done, total, message) => progress.report(done, total, message),
    };
  };

  const hasViews = () => showsViews(server.getClientCapabilities());

  /** Runs work that has no tool. Its failures are protocol errors. */
  const serving = async <T>(
    extra: Extra,
    { scope, what }: { scope: Scope; what: string },
    work: (call: ToolCall) => Promise<T>,
  ): Promise<T> => {
    using progress = progressOf(extra, 'The request');
    const call = toolCall(extra, progress);
    try {
      assertScope(call, scope, what);
      return await work(call);
    } catch (error) {
      if (error instanceof McpError) throw error;
      const { code, message } = known(error, log);
      throw new McpError(code === 'NOT_FOUND' ? resourceNotFound : ErrorCode.InvalidRequest, message, { code });
    }
  };

  const reading = <T>(extra: Extra, work: (call: ToolCall) => Promise<T>) =>
    serving(extra, { scope: 'read', what: 'resources' }, work);

  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => {
    const { caller } = callOf(extra.requestId);
    const withViews = hasViews();
    const listed = tools.filter(({ tool }) => hasScope(caller, tool.scope));
    return {
      tools: listed.map(({ description }) => ({ ...description, ...(withViews && viewMetaOf(views, description.name)) })),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = tools.find(({ description }) => description.name === params.name)?.tool;
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}.`);
    using progress = progressOf(extra, tool.title);
    const call = toolCall(extra, progress);
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
      return { ...listed, resources: [...views.map(viewResource), ...listed.resources] };
    }),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) =>
    reading(extra, async (call) => {
      const view = hasViews() ? views.find(({ uri }) => uri === params.uri) : undefined;
      if (view !== undefined) return viewContents(view, await call.studio.view(view.page));
      return await readResource(call, params.uri);
    }),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }, extra) => reading(extra, (call) => complete(call, params)));
  // The SDK does not know the requests of protocol extensions.
  server.fallbackRequestHandler = (request, extra) => {
    if (!callOf(extra.requestId).takesTasks) throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    return serving(extra, { scope: 'render', what: 'tasks' }, (call) =>
      runTaskRequest(call, { method: request.method, params: request.params }, (render) => {
        try {
          return resultOf(renderOutput(render, call.address));
        } catch (error) {
          return errorResult(error, log);
        }
      }),
    );
  };
  return server;
}

function assertScope({ caller }: ToolCall, scope: Scope, what: string): void {
  if (hasScope(caller, scope)) return;
  throw new KodaError('FORBIDDEN', `${what} needs the scope “${scope}”, which this token does not have.`, {
    details: { scope },
    recovery: 'use_other_token',
  });
}

function resultOf({ output, images = [], links = [], task }: ToolOutput<Record<string, unknown>>): CallToolResult {
  if (task !== undefined) return { ...task, resultType: 'task', content: [] };
  return {
    structuredContent: output,
    content: [
      { type: 'text', text: JSON.stringify(output) },
      ...images.map((image) =>
        isPicture(image)
          ? { type: 'image' as const, mimeType: image.mediaType, data: image.base64 }
          : { type: 'text' as const, text: leftOut },
      ),
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
  const shown = errorForCaller(error);
  if (shown !== null) return shown;
  const requestId = newId('req');
  log.error({ err: error, requestId }, 'MCP call failed');
  return new KodaError('INTERNAL_ERROR', `Koda failed because of an internal error. Search the server log for ${requestId}.`, {
    details: { requestId },
  });
}
