import { KodaError } from '#contract/errors.ts';
import type { Principal } from '#contract/principal.ts';
import { type Caller, hasScope, mayAccessProject, principalOf, scopeOf } from '../access/policies.ts';
import type { KeyedLock } from '../lib/keyed-lock.ts';
import { projectNotFound } from '../storage/project-rows.ts';
import type { Pressed } from '../tools/context.ts';
import { type Tool, ToolRegistry, type ToolResult } from '../tools/tool.ts';
import type { Actor, Authorize } from './actor.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { toolContext } from './tool-context.ts';

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface FinishedCall {
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** What callers other than an author have: they cannot wait for the user, and generate no code. */
const withoutAuthor = {
  canRepair: false,
  priority: 'person',
  services: {
    supportsImages: true,
    requestApproval: () => Promise.reject(new KodaError('FORBIDDEN', 'Only the author can ask the user.')),
  },
  generate: () => Promise.reject(new KodaError('FORBIDDEN', 'Only the author can generate code. Write the files instead.')),
} as const;

/**
 * Calls a tool of a project for any actor: validates and authorises the call, records its events, and creates at most one
 * checkpoint. Failures of the tool are results. `refusal`: the result to record instead of running the tool. `answering`: the action
 * that answers a surface. The message or answer that it adds is its record, so it leaves no other.
 */
export async function callTool(
  core: ProjectCore,
  projectId: string,
  call: RequestedCall,
  {
    actor,
    signal,
    refusal = null,
    answering,
  }: {
    actor: Actor;
    signal: AbortSignal;
    refusal?: ToolResult | null;
    answering?: { readonly tool: Tool; readonly pressed: Pressed };
  },
): Promise<FinishedCall> {
  const { project } = await core.store.state(projectId);
  const kind = kindOf(core, project);
  const tools = answering === undefined ? core.toolsOf(kind) : new ToolRegistry([answering.tool]);
  const tool = tools.find(call.name);
  if (tool !== null) core.authorize?.(actor, project, tool);
  const { canRepair, priority, services, generate } = actor.type === 'run' ? actor : withoutAuthor;
  const context = toolContext(core, {
    ...{ projectId, by: whoIs(actor), canRepair, kind, priority, signal, services, generate },
    ...(answering && { pressed: answering.pressed }),
  });
  const run = () =>
    actor.type === 'run' || tool === null
      ? tools.call(call.name, call.input, project.phase, context)
      : tool.call(call.input, { ...context, isPermitted: async () => true });
  if (answering !== undefined) return { result: await run(), durationMs: 0 };
  const label = tools.label(call.name, call.input);
  return await recordCall(core, projectId, call, { actor, label, run: async () => refusal ?? (await run()) });
}

/** Records a call's start, runs it, and records its result. */
export async function recordCall(
  core: ProjectCore,
  projectId: string,
  call: RequestedCall,
  { actor, label, run }: Recorded & { label: string; run: () => Promise<ToolResult> },
): Promise<FinishedCall> {
  const startedAt = performance.now();
  await recordStart(core, projectId, call, { actor, label });
  const result = await run();
  const durationMs = Math.round(performance.now() - startedAt);
  if (result.status === 'suspended') await recordWait(core, call, actor);
  else await recordEnd(core, projectId, call, { actor, result, durationMs });
  return { result, durationMs };
}

/**
 * Calls a tool for a caller. Calls that may change something run in sequence, and not while an author is working.
 * Throws TOOL_NOT_FOUND, FORBIDDEN and INVALID_TRANSITION.
 */
export async function callToolFor(
  { core, lock, isWorking }: { core: ProjectCore; lock: KeyedLock; isWorking: (projectId: string) => boolean },
  projectId: string,
  call: RequestedCall,
  options: { actor: Caller; signal: AbortSignal },
): Promise<FinishedCall> {
  const project = await core.store.get(projectId);
  const tool = core.toolsOf(kindOf(core, project)).find(call.name);
  if (tool === null || tool.isForAuthors)
    throw new KodaError('TOOL_NOT_FOUND', `There is no tool “${call.name}” for this project.`, { recovery: 'list_tools' });
  if (tool.readOnly) return await callTool(core, projectId, call, options);
  return await lock.run(projectId, async () => {
    if (isWorking(projectId))
      throw new KodaError('INVALID_TRANSITION', 'Koda is working on this project. Wait until it has finished, or stop it.', {
        recovery: 'wait',
      });
    return await callTool(core, projectId, call, options);
  });
}

const whoIs = (actor: Actor): Principal => (actor.type === 'run' ? actor.by : principalOf(actor));

interface Recorded {
  readonly actor: Actor;
}

async function recordStart(
  core: ProjectCore,
  projectId: string,
  { id, name, input }: RequestedCall,
  { actor, label }: Recorded & { label: string },
): Promise<void> {
  if (actor.type === 'run')
    await core.runs.recordToolCall({
      ...{ id, runId: actor.runId, name, input },
      ...{ status: 'running', durationMs: null, summary: null },
    });
  await core.store.record(projectId, [{ type: 'tool.started', callId: id, name, summary: label }], { by: whoIs(actor) });
}

/** A resumed run repeats a call only if it was waiting. One that was running may have had its effect. */
async function recordWait(core: ProjectCore, { id, name, input }: RequestedCall, actor: Actor): Promise<void> {
  if (actor.type !== 'run') return;
  await core.runs.recordToolCall({
    ...{ id, runId: actor.runId, name, input },
    ...{ status: 'waiting', durationMs: null, summary: null },
  });
}

/** Records the result of a started call. */
export async function recordEnd(
  core: ProjectCore,
  projectId: string,
  { id, name, input }: RequestedCall,
  { actor, result, durationMs }: Recorded & FinishedCall,
): Promise<void> {
  const error = result.status === 'error' ? { code: result.code, message: result.message } : null;
  const summary = result.status === 'completed' ? result.summary : (error?.message ?? '');
  const started = result.status === 'completed' ? result.started : undefined;
  const status = error === null ? 'completed' : 'error';
  if (actor.type === 'run') await core.runs.recordToolCall({ id, runId: actor.runId, name, input, status, durationMs, summary });
  await core.store.record(
    projectId,
    [{ type: 'tool.finished', callId: id, name, durationMs, summary, error, ...(started && { started }) }],
    {
      by: whoIs(actor),
    },
  );
}

/** Limits other programs to their projects and scopes. Throws NOT_FOUND for other projects, and FORBIDDEN. */
export const authorize: Authorize = (actor, project, tool) => {
  if (actor.type === 'run') return;
  if (!mayAccessProject(actor, project.id)) throw projectNotFound(project.id);
  const scope = scopeOf(tool);
  if (!hasScope(actor, scope))
    throw new KodaError(
      'FORBIDDEN',
      `“${actor.name}” may not call ${tool.name}: its token lacks the scope “${scope}”. Create a token with that scope.`,
      { details: { scope }, recovery: 'create_token' },
    );
};
