import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorMessage } from '#contract/errors.ts';
import { maxMcpServers, serverNameSchema } from '#contract/mcp-servers.ts';
import { isMissing } from '../../storage/durable-file.ts';

const texts = z.record(z.string(), z.string()).default({});
const commandSchema = z.object({ command: z.string().min(1), args: z.array(z.string()).default([]), env: texts });
const remoteSchema = z.object({ url: z.url({ protocol: /^https?$/ }), headers: texts });
const fileSchema = z.object({ mcpServers: z.record(serverNameSchema, z.union([commandSchema, remoteSchema])) });

export type FileServer = z.output<typeof commandSchema> | z.output<typeof remoteSchema>;

/**
 * Reads the servers that the operator lists in a file, in the format of other MCP clients. Their commands run on the host, so
 * no request can change them. A missing file has none, unless it was named. Throws an Error that shows none of the content.
 */
export async function readServerFile(path: string, { mustExist }: { mustExist: boolean }): Promise<Map<string, FileServer>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error) && !mustExist) return new Map();
    throw new Error(`The list of MCP servers cannot be read: ${errorMessage(error)}. Correct KODA_MCP_SERVERS.`);
  }
  const parsed = fileSchema.safeParse(jsonOrNull(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`The list of MCP servers in ${path} is not valid at ${issue?.path.join('.') || 'its start'}. Correct it.`);
  }
  const servers = new Map(Object.entries(parsed.data.mcpServers));
  if (servers.size > maxMcpServers) throw new Error(`The list of MCP servers in ${path} has more than ${maxMcpServers}.`);
  return servers;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would repeat secrets.
    return null;
  }
}
