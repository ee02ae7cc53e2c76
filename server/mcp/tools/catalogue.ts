import type { McpTool } from '../tool.ts';
import { batchTools } from './batches.ts';
import { fileTools } from './files.ts';
import { historyTools } from './history.ts';
import { projectTools } from './projects.ts';
import { workTools } from './work.ts';

/** Tools that only one kind of project has, and the tool of every kind after which clients list them. */
export interface PlacedTools {
  readonly after: string;
  readonly tools: readonly McpTool[];
}

/** Returns all tools. A client sees those that its scopes allow. */
export function mcpToolsWith(placed: readonly PlacedTools[]): readonly McpTool[] {
  return [...projectTools, ...workTools, ...batchTools, ...fileTools, ...historyTools].flatMap((tool) => [
    tool,
    ...placed.filter(({ after }) => after === tool.name).flatMap(({ tools }) => tools),
  ]);
}
