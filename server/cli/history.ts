import { openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { CheckpointEntry, FileDiff } from '#contract/history.ts';
import { notableName } from '#contract/principal.ts';
import { cloneUrl, type RouteResponse, routes, routeUrl } from '#contract/routes.ts';
import { type CommandContext, pageTimeoutMs, saveDownload } from './client.ts';
import { safeName } from './file-names.ts';
import { counted, sanitizeText } from './output-text.ts';

const statusLetters: Record<FileDiff['status'], string> = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' };

export async function showHistory(projectId: string, limit: number, { client, terminal }: CommandContext): Promise<void> {
  let cursor: string | null = null;
  let left = limit;
  do {
    const query: { limit: number; cursor?: string } = { limit: Math.min(left, 100), ...(cursor !== null && { cursor }) };
    const { items, nextCursor }: RouteResponse<typeof routes.checkpoints> = await client.call(routes.checkpoints, {
      id: projectId,
      query,
    });
    for (const entry of items) terminal.result(describeCheckpoint(entry));
    left -= items.length;
    cursor = nextCursor;
  } while (cursor !== null && left > 0);
  if (left === limit) terminal.note('This project has no checkpoints yet.');
  else
    terminal.note(
      `Clone it (the password is an access token or the studio’s key): git clone ${client.address}${cloneUrl(projectId)}`,
    );
}

export async function makeCheckpoint(
  projectId: string,
  name: string,
  { client, terminal, signal }: CommandContext,
): Promise<void> {
  const options = { timeoutMs: pageTimeoutMs, signal };
  const { checkpoint } = await client.call(routes.keepCheckpoint, { id: projectId, body: { name } }, options);
  terminal.result(describeCheckpoint(checkpoint));
}

/** Shows the files that a checkpoint changed (the newest by default), or the changed lines in one file. */
export async function showDiff(
  projectId: string,
  { checkpointId, path, against }: { checkpointId: string | null; path: string | null; against: string | null },
  context: CommandContext,
): Promise<void> {
  const { client, terminal } = context;
  const cid = checkpointId ?? (await newest(projectId, context)).id;
  const query = { ...(path !== null && { path }), ...(against !== null && { against }) };
  const diff = await client.call(routes.checkpointDiff, { id: projectId, cid, query });
  if (diff.patch !== null) {
    terminal.result(diff.patch.trimEnd());
    if (diff.truncated) terminal.note('The output is truncated. Clone the project to see the whole difference.');
    return;
  }
  for (const file of diff.files) terminal.result(describeFile(file));
  const hidden = path === null ? diff.changedFiles - diff.files.length : 0;
  if (hidden > 0) terminal.note(`… and ${hidden} more.`);
  if (diff.changedFiles === 0) terminal.note('No files changed.');
}

/** Restores a checkpoint's files and shows how to undo it. */
export async function rewind(
  projectId: string,
  checkpointId: string,
  { client, terminal, signal }: CommandContext,
): Promise<void> {
  const options = { timeoutMs: pageTimeoutMs, signal };
  const { restored } = await client.call(routes.restoreCheckpoint, { id: projectId, cid: checkpointId }, options);
  if (!restored) {
    terminal.note(`Nothing to restore: the files of ${projectId} already match ${checkpointId}.`);
    return;
  }
  terminal.result(`Restored the files of ${projectId} from ${checkpointId}.`);
  const { items } = await client.call(routes.checkpoints, { id: projectId, query: { limit: 2 } });
  if (items[1] !== undefined) terminal.note(`Undo it: koda rewind ${projectId} ${items[1].id}`);
}

export async function branch(
  projectId: string,
  { checkpointId, name }: { checkpointId: string | null; name: string | null },
  { client, terminal, signal }: CommandContext,
): Promise<void> {
  const body = { ...(checkpointId !== null && { checkpointId }), ...(name !== null && { name }) };
  const options = { timeoutMs: pageTimeoutMs, signal };
  const project = await client.call(routes.branchProject, { id: projectId, body }, options);
  terminal.result(`${project.id}  ${project.name}`);
  terminal.note(`${client.address}/p/${project.id}`);
}

export async function exportZip(
  projectId: string,
  { file, checkpointId }: { file: string | null; checkpointId: string | null },
  context: CommandContext,
): Promise<void> {
  const target = resolve(file ?? `${safeName(projectId)}.zip`);
  const url =
    checkpointId === null
      ? routeUrl(routes.archive, { id: projectId })
      : routeUrl(routes.checkpointArchive, { id: projectId, cid: checkpointId });
  await saveDownload(url, target, context);
  context.terminal.result(target);
}

export async function importFile(file: string, { client, terminal, signal }: CommandContext): Promise<void> {
  const content = await open(file);
  const project = await client.import({ name: basename(file), content }, { signal });
  terminal.result(`${project.id}  ${project.name}`);
  terminal.note(`${client.address}/p/${project.id}`);
}

async function open(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch (cause) {
    throw new KodaError('NOT_FOUND', `${file} cannot be read: ${errorMessage(cause)}.`, { cause });
  }
}

async function newest(projectId: string, { client }: CommandContext): Promise<CheckpointEntry> {
  const { items } = await client.call(routes.checkpoints, { id: projectId, query: { limit: 1 } });
  const [entry] = items;
  if (entry !== undefined) return entry;
  throw new KodaError('NOT_FOUND', 'This project has no checkpoints yet.', { recovery: 'wait' });
}

function describeCheckpoint({ id, at, by, title, name, restoredFrom, changedFiles, files }: CheckpointEntry): string {
  const what = sanitizeText(name === null ? title : `“${name}”`);
  const from = restoredFrom === null ? '' : ` from ${restoredFrom}`;
  const who = notableName(by);
  const named = files.slice(0, 3).map(({ path }) => path);
  const more = changedFiles > named.length ? ', …' : '';
  const changed = changedFiles === 0 ? 'no files' : `${counted(changedFiles, 'file')}: ${named.join(', ')}${more}`;
  return `${id}  ${at.slice(0, 19).replace('T', ' ')}  ${what}${from}${who === null ? '' : ` by ${sanitizeText(who)}`}  (${changed})`;
}

function describeFile({ status, path, previousPath, binary, addedLines, deletedLines }: FileDiff): string {
  const name = previousPath === null ? path : `${previousPath} → ${path}`;
  return `${statusLetters[status]}  ${name}  ${binary ? 'binary' : `+${addedLines} -${deletedLines}`}`;
}
