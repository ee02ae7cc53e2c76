import { hasAttached } from '#contract/attached-text.ts';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import {
  allowLasting,
  allowOnce,
  canLast,
  covers,
  isSameTool,
  type LastingPermission,
  type PermissionReason,
  refuse,
} from '#contract/permission.ts';
import type { Principal } from '#contract/principal.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { ApprovalRequest, PermissionRequest } from '../tools/context.ts';
import { readsUntrusted } from '../tools/untrusted.ts';
import { approvalEvents } from './approvals.ts';
import { kindOf, type ProjectCore } from './deps.ts';

interface Asked {
  readonly projectId: string;
  readonly runId: string;
  readonly callId: string;
  readonly by: Principal;
}

/**
 * Returns the user's answer to a call that needs permission: a lasting one that covers it, which is counted, or `null` after it
 * has opened the question.
 */
export function permissionFor(
  core: ProjectCore,
  { projectId, runId, callId, by }: Asked,
  request: ApprovalRequest & { readonly permission: PermissionRequest },
): Promise<ApprovalResponse | null> {
  const { isSearch, ...call } = request.permission;
  return core.lock.run(projectId, async () => {
    const state = await core.store.state(projectId);
    if (state.approval !== null) return null;
    const isTainted = await mayBeTold(core, state, { runId, isSearch });
    const lasting = isTainted ? undefined : state.permissions.find((given) => covers(given, call));
    if (lasting !== undefined) {
      const used: EventBody = { type: 'permission.used', approvalId: lasting.approvalId, input: call.input };
      await core.store.record(projectId, [used], { by });
      return { outcome: 'option', optionId: allowLasting };
    }
    const reason = isTainted ? 'untrusted' : reasonFor(state.permissions, call);
    const options = [
      { id: allowOnce, label: 'Allow once' },
      ...(!isTainted && canLast(call.input) ? [{ id: allowLasting, label: 'Allow for this project' }] : []),
      { id: refuse, label: 'Refuse' },
    ];
    const events = approvalEvents(core, state, { ...request, options }, { ...call, reason });
    await core.store.record(projectId, events, { by, callId });
    return null;
  });
}

function reasonFor(given: readonly LastingPermission[], call: Omit<PermissionRequest, 'isSearch'>): PermissionReason {
  const sameTool = given.filter((one) => isSameTool(one, call));
  if (sameTool.length === 0) return 'first';
  return sameTool.some(({ digest }) => digest === call.digest) ? 'shape' : 'changed';
}

/**
 * Returns whether content that the model has read may have told it what to send. For a search, this run counts; for any call in a
 * conversation, all runs count, because the model reads earlier turns again.
 */
async function mayBeTold(
  core: ProjectCore,
  { project, messages }: ProjectState,
  { runId, isSearch }: { readonly runId: string; readonly isSearch: boolean },
): Promise<boolean> {
  const kind = kindOf(core, project);
  const isConversation = kind.workflow.type === 'conversation';
  if (!isSearch && !isConversation) return false;
  if (messages.some(({ role, content }) => role === 'user' && hasAttached(content))) return true;
  const tools = core.toolsOf(kind);
  const called = await core.runs.endedCalls(isConversation ? { projectId: project.id } : { runId });
  return called.some((name) => {
    const tool = tools.find(name);
    // A tool of a server that has been removed since.
    return tool === null || readsUntrusted(tool);
  });
}

/** Returns the events that end a lasting permission. Throws NOT_FOUND. */
export function revokeEvents({ permissions }: ProjectState, approvalId: string): EventBody[] {
  if (permissions.every((given) => given.approvalId !== approvalId))
    throw new KodaError('NOT_FOUND', 'This permission does not exist. It may already have been revoked.');
  return [{ type: 'permission.revoked', approvalId }];
}
