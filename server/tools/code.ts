import { isWritablePath, normalizeProjectPath } from '#contract/paths.ts';
import type { GenerateCodeTask } from '#contract/tools.ts';
import { readAll } from '../lib/read-all.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { applyFiles } from './apply.ts';
import { shortLine } from './short-line.ts';
import { completed, defineTool, failed, workPhases } from './tool.ts';

/** Size limit for text under src/. The generator's context determines how much of it is shown. */
const maxContextBytes = 400_000;
const summaryCharacters = 100;

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
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const generated = await context.generate(input, () => currentFiles(sandbox, context.signal));
    const forbidden = [...generated.files.map((file) => file.path), ...generated.deleted].find((path) => {
      const normalized = normalizeProjectPath(path);
      return !normalized.ok || normalized.path !== path || !isWritablePath(path, context.writableRoots);
    });
    if (forbidden !== undefined)
      return failed(
        'INVALID_PATH',
        `The code generator tried to write "${forbidden}", which is not allowed. Nothing was written.`,
      );
    const changes = new Map<string, string | null>(generated.files.map(({ path, content }) => [path, content]));
    for (const path of generated.deleted) changes.set(path, null);
    await applyFiles(
      context,
      [...changes].map(([path, content]) => ({ path, content })),
    );
    const files = [...changes].flatMap(([path, content]) =>
      content === null ? [] : [{ path, content, size_bytes: Buffer.byteLength(content) }],
    );
    return completed(
      { files, deleted: generated.deleted, summary: generated.summary },
      shortLine(generated.summary, summaryCharacters),
    );
  },
});

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

const rankOf = (path: string) => (/^src\/(?:scenes\/|[^/]*$)/.test(path) ? 0 : 1);

/** Returns the text files under `src/`, up to `maxContextBytes`. */
export async function currentFiles(sandbox: Sandbox, signal: AbortSignal): Promise<{ path: string; content: string }[]> {
  const { files } = await sandbox.listFiles('src', { recursive: true, signal });
  const texts: { path: string; content: string }[] = [];
  let bytesLeft = maxContextBytes;
  // The project's own code comes first, because the limit may cut off template files.
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
