import { readFileSync } from 'node:fs';
import { assistantKindId, jobNamed } from '#kinds/assistant/contract/assistant.ts';
import type { Kind } from '../../projects/kind.ts';
import { operatorLimits } from '../../sandbox/sandbox.ts';
import { approvalTool } from '../../tools/communication.ts';
import { readyJobsAuthor } from './author.ts';
import { jsonPath } from './model/author.ts';
import type { StudioFor } from './studio.ts';
import { hintsSchema, toolsOffIn, unknownTools } from './tool-limits.ts';
import { assistantTools } from './tools.ts';

const workflow = readFileSync(new URL('./workflow.md', import.meta.url), 'utf8');

/** Kind of a conversation that acts on other projects, for the person to whom it belongs. It has no files of its own. */
export function assistantKind(studioFor: StudioFor): Kind {
  const ownTools = [...assistantTools(studioFor), approvalTool(null)];
  return {
    id: assistantKindId,
    title: 'Assistant',
    noun: 'conversation',
    template: 'film',
    writableRoots: [],
    sandbox: { ...operatorLimits, idleMinutes: 1 },
    limits: { maxSteps: 200, maxIdenticalCalls: 5, maxRunMinutes: 24 * 60, maxTokens: 5_000_000, maxCostUsd: 10 },
    // Kinds that search also get the tools of listed MCP servers.
    tools: ['add_message', 'show_surface', 'set_thinking', 'search', ...ownTools.map(({ name }) => name)],
    ownTools,
    author: readyJobsAuthor,
    jsonPath: jsonPath(studioFor),
    // A conversation that began with a ready job stays one.
    usesNoModel: ([prompt = '']) => jobNamed(prompt) !== null,
    forPeopleOnly: true,
    hints: {
      schema: hintsSchema,
      problem: (hints, tools) => unknownTools(toolsOffIn(hints), tools),
      chips: () => [],
    },
    workflow: { type: 'conversation', prompt: workflow },
  };
}
