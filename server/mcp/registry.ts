import type { z } from 'zod';
import { toolInputs } from '#contract/tools.ts';
import type { Scope } from '../access/caller.ts';
import type { OwnTool, ToolResult } from '../tools/tool.ts';
import { defineProjectTool, type McpTool, type ToolCall } from './tool.ts';

/** A tool's failure, with the code that the tool returned. */
export class ToolFailure extends Error {
  readonly result: Extract<ToolResult, { status: 'error' }>;

  constructor(result: Extract<ToolResult, { status: 'error' }>) {
    super(result.message);
    this.name = 'ToolFailure';
    this.result = result;
  }
}

export interface CompletedCall {
  readonly output: unknown;
  readonly images: readonly { readonly mediaType: string; readonly base64: string }[];
}

/** Calls a tool of the project on the client's behalf. Throws ToolFailure, and KodaError if the call is refused. */
export async function callProjectTool(
  { studio, caller, signal }: ToolCall,
  projectId: string,
  { name, input }: { name: string; input: unknown },
): Promise<CompletedCall> {
  const actor = { type: 'client' as const, ...caller };
  // A program that works on a project keeps its sandbox, as a user does.
  await studio.projects.active(projectId);
  const { result } = await studio.projects.callTool(projectId, name, input, { actor, signal });
  switch (result.status) {
    case 'completed':
      return { output: result.output, images: result.images ?? [] };
    case 'error':
      throw new ToolFailure(result);
    case 'suspended':
      throw new Error(`The tool ${name} waits for an author.`);
  }
}

/** Offers a project's tool under another name. Input, description and hints are those of its declaration. */
export function offered<Output extends z.ZodObject>(
  tool: OwnTool,
  {
    output: schema,
    ...options
  }: { name: string; title: string; scope: Scope; idempotent?: boolean; description?: string; output: Output },
): McpTool {
  return defineProjectTool({
    description: tool.description,
    ...options,
    hints: {
      readOnly: tool.readOnly,
      destructive: !tool.readOnly && tool.risk !== 'low',
      idempotent: options.idempotent ?? tool.readOnly,
    },
    input: toolInputs[tool.declaredAs] as z.ZodObject,
    output: schema,
    async run(projectId, input, call) {
      const { output, images } = await callProjectTool(call, projectId, { name: tool.name, input });
      return { output: schema.parse(output) as z.input<Output>, images };
    },
  });
}
