import type { ProjectSnapshot } from '../contract/api.ts';
import type { ToolCall } from '../contract/tool-calls.ts';
import type { ProjectState } from './projects.ts';

/** What a client may see of a project: without the hints, the preview's secret label and the agent's call ids. */
export function toSnapshot(state: ProjectState, tools: readonly ToolCall[]): ProjectSnapshot {
  const { hints: _, previewLabel: __, ...project } = state.project;
  return {
    project,
    plan: state.plan,
    todos: [...state.todos],
    messages: [...state.messages],
    approval: state.approval === null ? null : withoutCallId(state.approval),
    assets: [...state.assets],
    renders: [...state.renders],
    tools: [...tools],
    usage: state.usage,
    seq: state.seq,
  };
}

function withoutCallId(approval: NonNullable<ProjectState['approval']>): ProjectSnapshot['approval'] {
  const { callId: _, ...visible } = approval;
  return visible;
}
