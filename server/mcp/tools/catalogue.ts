import type { McpTool } from '../tool.ts';
import { fileTools } from './files.ts';
import { historyTools } from './history.ts';
import { projectTools } from './projects.ts';
import { workTools } from './work.ts';

/** All tools that clients see, as far as their scopes go. */
export const mcpTools: readonly McpTool[] = [...projectTools, ...workTools, ...fileTools, ...historyTools];
