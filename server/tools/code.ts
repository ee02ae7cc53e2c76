import { KodaError } from '#contract/errors.ts';
import { isWritablePath, normalizeProjectPath } from '#contract/paths.ts';
import type { PlanDraft } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';
import { readAll } from '../lib/bytes.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import { applyFiles, shortLine } from './apply.ts';
import type { CheckReport, Correction, ToolContext } from './context.ts';
import { sheetImages } from './images.ts';
import { completed, defineTool, failed, type ToolImage, type ToolResult, workPhases } from './tool.ts';

/** Size limit for text under src/. The generator's context determines how much of it is shown. */
const maxContextBytes = 400_000;
const summaryCharacters = 100;
/** Corrections by the code generator of what its check found, before the agent has to act. */
const maxCorrections = 2;

/**
 * Time for all attempts at one response. Each attempt has its own limits, which end a stuck model
 * (`llm/models/resilient-model.ts`).
 */
const timeoutMs = 80 * 60_000;

export const generateCode = defineTool('generate_code', {
  isForAuthors: true,
  category: 'code',
  risk: 'low',
  timeoutMs,
  phases: workPhases,
  label: (input) => labelOf(input),
  async run(task, context) {
    const { sandbox } = await context.sandbox();
    const named = task.task === 'modify_existing' ? task.files : [];
    const files = await currentFiles(sandbox, context.signal, named);
    const corrections: Correction[] = [];
    const changed = new Map<string, string | null>();
    let next: GeneratedCode | null = await context.generate(task, files, corrections);
    const { summary } = next;
    let report = nothingChecked;
    let hasRemarked = false;
    while (next !== null) {
      const generated: GeneratedCode = next;
      const forbidden = forbiddenPath(generated, context);
      if (forbidden !== null && corrections.length === 0) return notAllowed(forbidden);
      if (forbidden !== null) break;
      const changes = changesIn(generated);
      await applyFiles(context, changes);
      for (const { path, content } of changes) changed.set(path, content);
      report = changes.length === 0 ? report : await checkGenerated(context, task);
      const { problems, contactSheet } = report;
      // Sent once, because the generator may have intended them.
      const remarks: readonly string[] = hasRemarked ? [] : remarksOf(report);
      if (problems.length + remarks.length === 0 || corrections.length === maxCorrections) break;
      hasRemarked ||= remarks.length > 0;
      corrections.push({ generated, problems, remarks, contactSheet });
      next = await corrected(context, task, { files, corrections });
    }
    const title = shortLine(summary, summaryCharacters);
    await context.saveWork(title);
    return resultOf({
      changed,
      summary,
      title,
      report,
      images: context.supportsImages ? sheetImages(report.contactSheet) : undefined,
    });
  },
});

const nothingChecked: CheckReport = { problems: [], warnings: [], differences: [], info: null, contactSheet: null };

export const remarksOf = ({ warnings, differences }: Pick<CheckReport, 'warnings' | 'differences'>): readonly string[] => [
  ...warnings,
  ...differences,
];

/** Reports a check that could not run as a remark: the files are written, and `update_todo` checks them again. */
async function checkGenerated(context: ToolContext, task: GenerateCodeTask): Promise<CheckReport> {
  try {
    return await context.checkGenerated(task);
  } catch (error) {
    if (context.signal.aborted || !(error instanceof SandboxdError)) throw error;
    return { ...nothingChecked, warnings: [`The files could not be checked: ${error.message}`] };
  }
}

/** Requests a correction. Returns `null` if the generator fails, so that the files stay as they are and the problems are reported. */
async function corrected(
  context: ToolContext,
  task: GenerateCodeTask,
  { files, corrections }: { files: readonly { path: string; content: string }[]; corrections: readonly Correction[] },
): Promise<GeneratedCode | null> {
  await context.emit({ type: 'thinking', text: 'Correcting what the check found' });
  try {
    return await context.generate(task, files, corrections);
  } catch (error) {
    if (context.signal.aborted || !(error instanceof KodaError)) throw error;
    return null;
  }
}

function resultOf({
  changed,
  summary,
  title,
  report,
  images,
}: {
  changed: ReadonlyMap<string, string | null>;
  summary: string;
  title: string;
  report: CheckReport;
  images: readonly ToolImage[] | undefined;
}): ToolResult {
  const written = writtenFiles(changed);
  const { problems } = report;
  if (problems.length === 0) {
    const remarks = remarksOf(report);
    return completed({ ...written, summary, ...(remarks.length > 0 && { remarks }) }, title, images);
  }
  const list = problems.map((problem) => `\n- ${problem}`).join('');
  return {
    ...failed('CHECK_FAILED', `The files are written, but these problems remain:${list}`, { ...written, summary }),
    images,
  };
}

/** Returns what a model learns about changed files. It has no use for their text, and would receive it again with every request. */
function writtenFiles(changed: ReadonlyMap<string, string | null>) {
  const files = [...changed].flatMap(([path, content]) =>
    content === null ? [] : [{ path, size_bytes: Buffer.byteLength(content) }],
  );
  return { files, deleted: [...changed].flatMap(([path, content]) => (content === null ? [path] : [])) };
}

function forbiddenPath({ files, deleted }: GeneratedCode, { writableRoots }: ToolContext): string | null {
  const isForbidden = (path: string) => {
    const normalized = normalizeProjectPath(path);
    return !normalized.ok || normalized.path !== path || !isWritablePath(path, writableRoots);
  };
  return [...files.map(({ path }) => path), ...deleted].find(isForbidden) ?? null;
}

function notAllowed(path: string): ToolResult {
  return failed('INVALID_PATH', `The code generator tried to write "${path}", which is not allowed. Nothing was written.`);
}

function changesIn({ files, deleted }: GeneratedCode): { path: string; content: string | null }[] {
  const changes = new Map<string, string | null>(files.map(({ path, content }) => [path, content]));
  for (const path of deleted) changes.set(path, null);
  return [...changes].map(([path, content]) => ({ path, content }));
}

/**
 * Writes an author's files (all or none) and stores the new plan, then saves both as a checkpoint. A `plan` of `null` keeps the
 * stored one. Errors from the sandbox propagate.
 */
export async function writeFiles(
  context: ToolContext,
  { plan, ...generated }: GeneratedCode & { readonly plan: PlanDraft | null },
): Promise<ToolResult> {
  const forbidden = forbiddenPath(generated, context);
  if (forbidden !== null) return notAllowed(forbidden);
  const changes = changesIn(generated);
  await applyFiles(context, changes);
  // Comes before the checkpoint, which includes its plan.
  if (plan !== null) await context.updatePlan(plan);
  const title = shortLine(generated.summary, summaryCharacters);
  await context.saveWork(title);
  const changed = new Map(changes.map(({ path, content }) => [path, content]));
  return completed({ ...writtenFiles(changed), summary: generated.summary }, title);
}

function labelOf(task: GenerateCodeTask): string {
  switch (task.task) {
    case 'initial_setup':
      return 'Writing the base files';
    case 'create_scene':
      return `Writing scene ${task.scenes.join(', ')}`;
    case 'create_component':
      return `Writing ${task.name}`;
    case 'modify_existing':
      return 'Changing the code';
  }
}

/** Returns the text files under `src/`, up to `maxContextBytes`, those that are `named` first. */
export async function currentFiles(
  sandbox: Sandbox,
  signal: AbortSignal,
  named: readonly string[] = [],
): Promise<{ path: string; content: string }[]> {
  const { files } = await sandbox.listFiles('src', { recursive: true, signal });
  const texts: { path: string; content: string }[] = [];
  let bytesLeft = maxContextBytes;
  // The project's own code comes next, because the limit may cut off template files.
  const ownCode = /^src\/(?:scenes\/|pages\/|code\/|[^/]*$)/;
  const rankOf = (path: string) => (named.includes(path) ? 0 : Number(!ownCode.test(path)) + 1);
  for (const file of files.toSorted((one, other) => rankOf(one.path) - rankOf(other.path))) {
    if (file.type !== 'file' || !/\.(tsx?|json|css|html|md)$/.test(file.path) || file.sizeBytes > bytesLeft) continue;
    const content = await readAll(await sandbox.readFile(file.path, { signal }), bytesLeft);
    // Counts bytes read instead of declared sizes, because a sandbox may declare 20,000 large files as empty.
    bytesLeft -= Buffer.byteLength(file.path) + content.length;
    texts.push({ path: file.path, content: content.toString('utf8') });
    if (bytesLeft <= 0) break;
  }
  return texts;
}
