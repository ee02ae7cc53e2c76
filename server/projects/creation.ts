import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { lookOf } from '#contract/film-outline.ts';
import type { BranchRequest } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import type { Message, Plan, PlanDraft } from '#contract/project.ts';
import type { ProjectSeed } from '../history/checkpoints.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { ProjectCore } from './deps.ts';
import { newMessage } from './phases.ts';
import { runningSandbox } from './workspace.ts';

interface CallOptions {
  readonly signal: AbortSignal;
}

const nameCharacters = 80;
const importedKind = 'animation';

/**
 * Creates a project from another project's checkpoint or current files, with the messages up to then. If there is a plan, the
 * new project is complete and a message changes it; otherwise, the next message starts a plan.
 */
export async function branchProject(
  core: ProjectCore,
  projectId: string,
  request: BranchRequest,
  { id, signal }: CallOptions & { id: string },
): Promise<ProjectRecord> {
  const isNew = !(await exists(core, id));
  if (isNew) await createFrom(core, projectId, request, { id, signal });
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
  { id, signal }: CallOptions & { id: string },
): Promise<void> {
  const source = await core.store.get(projectId);
  if (request.checkpointId === undefined && (await runningSandbox(core, projectId, { signal })) !== null) {
    await core.checkpoints.save(projectId, 'before_branch', { signal });
  }
  const { id: checkpointId, seq, at } = await core.checkpoints.find(projectId, request.checkpointId ?? null);
  const { plan, messages } = await core.store.stateAt(projectId, seq);
  const seed: ProjectSeed = {
    name: request.name ?? `${source.name.slice(0, nameCharacters - ' (branch)'.length)} (branch)`,
    kind: source.kind,
    prompt: source.prompt,
    hints: source.hints,
    style: source.style,
    aspect: source.aspect,
    ...(plan?.accepted === true
      ? completeProject(plan, [...messages, newMessage('system', `Branched from “${source.name}” as it was on ${at}.`)])
      : { events: [] }),
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
  upload: { readonly name: string; readonly content: AsyncIterable<Uint8Array> },
  { id, signal }: CallOptions & { id: string },
): Promise<ProjectRecord> {
  const name = projectNameOf(upload.name);
  await core.creator.import(
    upload.content,
    async (read) => {
      const kind = core.kinds.get(importedKind);
      if (kind === undefined) throw new Error(`There is no kind "${importedKind}".`);
      const draft = await kind.document.imported(read, { name });
      return {
        name,
        kind: importedKind,
        prompt: `Imported: ${name}`,
        hints: { style: null, aspect: null, durationSeconds: null },
        ...completeProject(draft, [newMessage('system', `Imported from ${upload.name}.`)]),
      };
    },
    { id, signal },
  );
  return await core.store.get(id);
}

function completeProject(
  draft: PlanDraft,
  messages: readonly Message[],
): Pick<ProjectSeed, 'style' | 'aspect'> & { events: readonly EventBody[] } {
  const plan: Plan = { ...draft, id: newId('plan'), revision: 1, accepted: true };
  return {
    ...lookOf(draft),
    events: [
      ...messages.map(
        (message): EventBody => ({
          type: 'message.added',
          message: { ...message, id: newId('msg'), queued: false },
        }),
      ),
      { type: 'plan.proposed', plan },
      { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
    ],
  };
}

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
