import { describeRoots, isWritablePath, normalizeProjectPath } from '#contract/paths.ts';
import type { ApplyChange, ApplyResult } from '#contract/sandbox/answers.ts';
import type { AppliedCode, ToolInput } from '#contract/tools.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';
import { typeCheck, typeReport } from './checks/type-check.ts';
import type { ToolContext } from './context.ts';
import { completed, defineTool, failed, type ToolResult, workPhases } from './tool.ts';

const summaryCharacters = 100;
const timeoutMs = typeCheck.timeoutMs + 60_000;

export const applyCode = defineTool('apply_code', {
  category: 'code',
  risk: 'low',
  timeoutMs,
  phases: workPhases,
  label: ({ files: [first, ...others] }) => `Writing ${first?.path}${others.length > 0 ? ` and ${others.length} more` : ''}`,
  async run({ rationale, files, dependencies }, context) {
    const forbidden = files.map(({ path }) => writable(path, context.writableRoots)).find(isError);
    if (forbidden?.status === 'error') return unchangedResult(forbidden.code, forbidden.message);
    const { sandbox } = await context.sandbox();
    const request = { changes: files.map(changeOf), dependencies, check: typeCheck.command, timeoutMs: typeCheck.timeoutMs };
    try {
      const result = await sandbox.applyFiles(request, { signal: context.signal });
      if (!result.applied) return uncompiled(typeReport(result.check).problems);
      await announce(context, result);
    } catch (error) {
      if (!(error instanceof SandboxdError)) throw error;
      return unchangedResult(error.code, error.message, error.details);
    }
    const { state } = await sandbox.previewStatus({ signal: context.signal });
    const applied: AppliedCode = {
      success: true,
      processedFiles: files.map(({ path, action }) => ({ path, action })),
      deploymentStatus: state === 'running' ? 'live' : 'written',
      error: null,
    };
    return completed(applied, shortLine(rationale, summaryCharacters));
  },
});

function changeOf(file: ToolInput<'apply_code'>['files'][number]): ApplyChange {
  const { path, action } = file;
  const content = action === 'delete' ? null : file.content;
  return { path, content, encoding: 'utf8', expects: action === 'create' ? 'nothing' : 'file' };
}

function uncompiled(problems: readonly string[]): ToolResult {
  const message = `The project does not compile with these files, so nothing was changed:\n${problems.join('\n')}`;
  return unchangedResult('APPLY_FAILED', message, { problems });
}

function unchangedResult(code: string, message: string, details: Record<string, unknown> = {}): ToolResult {
  const unchanged: AppliedCode = {
    success: false,
    processedFiles: [],
    deploymentStatus: 'unchanged',
    error: { code, message },
  };
  return failed(code, message, { ...details, ...unchanged });
}

/** Validates a path for writing. Returns the error result if it is not allowed. */
export function writable(path: string, roots: readonly string[]): { path: string } | ToolResult {
  const result = normalizeProjectPath(path);
  if (!result.ok) return failed('INVALID_PATH', `"${path}" is not allowed: ${result.reason}.`);
  if (!isWritablePath(result.path, roots)) {
    return failed('INVALID_PATH', `"${result.path}" is not writable. Only ${describeRoots(roots)} can be changed.`);
  }
  return { path: result.path };
}

export const isError = (value: { path: string } | ToolResult): value is ToolResult => 'status' in value;

/** A file's new state, whatever the current one. `null` deletes it. */
type FileChange = Pick<ApplyChange, 'path' | 'content'> & Partial<Pick<ApplyChange, 'encoding'>>;

type Applied = Pick<Extract<ApplyResult, { applied: true }>, 'written' | 'deleted'>;

/** Changes files atomically without a type check, and reports them to the user. Errors from the sandbox propagate. */
export async function applyFiles(context: ToolContext, files: readonly FileChange[]): Promise<Applied> {
  if (files.length === 0) return { written: [], deleted: [] };
  const changes = files.map((file) => ({ encoding: 'utf8' as const, ...file, expects: 'any' as const }));
  const { sandbox } = await context.sandbox();
  const request = { changes, dependencies: [], check: null, timeoutMs: 0 };
  const result = await sandbox.applyFiles(request, { signal: context.signal });
  if (!result.applied) throw new Error('The sandbox ran a check that was not requested.');
  await announce(context, result);
  return result;
}

async function announce(context: ToolContext, { written, deleted }: Applied): Promise<void> {
  await context.emit(
    ...written.map((file) => ({ type: 'file.written' as const, ...file })),
    ...deleted.map((path) => ({ type: 'file.deleted' as const, path })),
  );
}

const sentenceEnd = /[.!?…]["”’»)]?(?=\s)/g;

/** Truncates text to whole sentences, or to whole words if the first sentence is too long. */
export function shortLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxCharacters) return line;
  const ends = [...line.matchAll(sentenceEnd)].map(({ index, 0: end }) => index + end.length);
  const last = ends.findLast((end) => end <= maxCharacters);
  if (last !== undefined) return line.slice(0, last);
  const space = line.slice(0, maxCharacters).lastIndexOf(' ');
  // Cuts inside a word if it is very long or the language has no spaces, but never inside a surrogate pair.
  const isWord = space > maxCharacters / 2;
  const cut = isWord ? line.slice(0, space) : line.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/[\s,;:–-]+$/, '')}…`;
}
