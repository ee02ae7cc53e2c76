import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { BranchRequest } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import type { Principal } from '#contract/principal.ts';
import type { Message, Plan, PlanDraft } from '#contract/project.ts';
import type { ProjectSeed } from '../history/checkpoints.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import { buildOf, capabilityOf, type ProjectCore } from './deps.ts';
import type { Kind } from './kind.ts';
import { newMessage, newTodos } from './phases.ts';
import { runningSandbox } from './workspace.ts';

interface CallOptions {
  readonly signal: AbortSignal;
}

/** An archive from which a project of a kind is created. */
export interface ArchiveUpload {
  readonly kind: string;
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

const nameCharacters = 80;

/**
 * Creates a project from another project's checkpoint or current files, with the messages up to then. If there is a plan, the
 * new project is complete and a message changes it; a conversation goes on; otherwise, the next message starts a plan.
 */
export async function branchProject(
  core: ProjectCore,
  projectId: string,
  request: BranchRequest,
  { id, by, signal }: CallOptions & { id: string; by: Principal },
): Promise<ProjectRecord> {
  const isNew = !(await exists(core, id));
  if (isNew) await createFrom(core, projectId, request, { id, by, signal });
  try {
    await copyAssets(core, projectId, id, { signal });
  } catch (error) {
    // Creating a branch is all or nothing. One from an earlier call may already be in use.
    if (isNew) {
      await core.store.delete(id);
      await core.assets.removeAll(id);
      await core.checkpoints.removeAll(id);
    }
    throw error;
  }
  return await core.store.get(id);
}

async function createFrom(
  core: ProjectCore,
  projectId: string,
  request: BranchRequest,
  { id, by, signal }: CallOptions & { id: string; by: Principal },
): Promise<void> {
  const source = await core.store.get(projectId);
  if (request.checkpointId === undefined && (await runningSandbox(core, projectId, { signal })) !== null) {
    await core.checkpoints.save(projectId, 'before_branch', { by, signal });
  }
  const { id: checkpointId, seq, at } = await core.checkpoints.find(projectId, request.checkpointId ?? null);
  const { plan, messages } = await core.store.stateAt(projectId, seq);
  const said = [...messages, newMessage('system', `Branched from “${source.name}” as it was on ${at}.`)];
  const isConversation = core.kinds.get(source.kind)?.workflow.type === 'conversation';
  const seed: ProjectSeed = {
    name: request.name ?? `${source.name.slice(0, nameCharacters - ' (branch)'.length)} (branch)`,
    kind: source.kind,
    prompt: source.prompt,
    hints: source.hints,
    chips: source.chips,
    by,
    events: isConversation ? [...copies(said), ...conversationEvents('conversation')] : [],
    ...(plan?.accepted === true && completeProject(plan, said)),
  };
  await core.creator.branch({ projectId, checkpointId }, seed, { id, signal });
}

async function exists({ store }: Pick<ProjectCore, 'store'>, projectId: string): Promise<boolean> {
  try {
    await store.get(projectId);
    return true;
  } catch (error) {
    if (error instanceof KodaError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

export async function importProject(
  core: ProjectCore,
  upload: ArchiveUpload,
  { id, by, signal }: CallOptions & { id: string; by: Principal },
): Promise<ProjectRecord> {
  const name = projectNameOf(upload.name);
  const kind = requestedKind(core, upload.kind);
  const archive = capabilityOf(kind, 'archive');
  await core.creator.import(
    upload.content,
    async (read) => {
      const draft = await archive.imported(read, { name });
      const messages = [newMessage('system', `Imported from ${upload.name}.`)];
      return {
        name,
        kind: kind.id,
        prompt: `Imported: ${name}`,
        hints: {},
        by,
        ...(archive.startsWork ? startedProject(kind, draft, messages) : completeProject(draft, messages)),
      };
    },
    { id, requiredFiles: archive.requiredFiles, signal },
  );
  return await core.store.get(id);
}

/** Throws VALIDATION_ERROR if this version does not have the kind. */
export function requestedKind({ kinds }: Pick<ProjectCore, 'kinds'>, id: string): Kind {
  const kind = kinds.get(id);
  if (kind !== undefined) return kind;
  throw new KodaError(
    'VALIDATION_ERROR',
    `The project kind "${id}" does not exist. Use one of: ${[...kinds.keys()].join(', ')}.`,
    {
      details: { field: 'kind' },
    },
  );
}

/** The upload is the acceptance of the plan that it contains. */
function startedProject(kind: Kind, draft: PlanDraft, messages: readonly Message[]): InitialState {
  const plan = acceptedPlan(draft);
  return {
    chips: draft.chips ?? [],
    events: [
      ...messages.map((message): EventBody => ({ type: 'message.added', message })),
      { type: 'plan.proposed', plan },
      { type: 'todo.updated', todos: newTodos(buildOf(kind).planTodos(plan)) },
      { type: 'project.phase', phase: 'executing', previous: 'idle', error: null },
    ],
  };
}

type InitialState = Pick<ProjectSeed, 'chips' | 'events'>;

function acceptedPlan(draft: PlanDraft): Plan {
  return { ...draft, id: newId('plan'), revision: 1, accepted: true };
}

function completeProject(draft: PlanDraft, messages: readonly Message[]): InitialState {
  return {
    chips: draft.chips ?? [],
    events: [
      ...copies(messages),
      { type: 'plan.proposed', plan: acceptedPlan(draft) },
      { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
    ],
  };
}

const copies = (messages: readonly Message[]): EventBody[] =>
  messages.map((message) => ({ type: 'message.added', message: { ...message, id: newId('msg'), queued: false } }));

/** Returns the first phase of a new conversation, which never waits for a plan. */
export const conversationEvents = (phase: 'conversation' | 'executing'): EventBody[] => [
  { type: 'project.phase', phase, previous: 'idle', error: null },
];

function projectNameOf(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? '';
  const name = base
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return name === '' ? 'Imported project' : name.slice(0, nameCharacters);
}

/** Copies uploads with their rows, so that the branch can resolve its images. */
async function copyAssets(core: ProjectCore, from: string, to: string, { signal }: CallOptions): Promise<void> {
  const existing = new Set((await core.assets.list(to)).map(({ name }) => name));
  for (const { id, name } of await core.assets.list(from)) {
    if (existing.has(name)) continue;
    const { open } = await core.assets.read(from, id);
    await core.assets.add(to, { name, content: open(), signal });
  }
}
