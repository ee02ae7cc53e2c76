import { readAll } from '../lib/bytes.ts';
import { applyFiles, isError, writable } from './apply.ts';
import type { ToolContext } from './context.ts';
import { allPhases, completed, defineTool, failed, workPhases } from './tool.ts';

const maxReadBytes = 10 * 1024 * 1024;
const maxResultCharacters = 100 * 1024;

async function writeOne(
  context: ToolContext,
  { path, content, encoding = 'utf8' }: { path: string; content: string; encoding?: 'utf8' | 'base64' },
): Promise<{ path: string; sizeBytes: number }> {
  const { written } = await applyFiles(context, [{ path, content, encoding }]);
  return written[0] ?? { path, sizeBytes: 0 };
}

export const writeFile = defineTool('sandbox_write_file', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: workPhases,
  label: (input) => `Writing ${input.path}`,
  async run(input, context) {
    const target = writable(input.path, context.writableRoots);
    if (isError(target)) return target;
    const { path, sizeBytes } = await writeOne(context, { ...target, content: input.content, encoding: input.encoding });
    return completed({ path, size_bytes: sizeBytes }, `Wrote ${path}`);
  },
});

export const readFile = defineTool('sandbox_read_file', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Reading ${input.path}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const entry = await sandbox.statFile(input.path, { signal: context.signal });
    if (entry.sizeBytes > maxReadBytes) {
      return failed(
        'FILE_TOO_LARGE',
        `${entry.path} is ${entry.sizeBytes} bytes long, but at most ${maxReadBytes} can be read. Read part of it with a command.`,
      );
    }
    const whole = (await readAll(await sandbox.readFile(input.path, { signal: context.signal }), maxReadBytes)).toString('utf8');
    const text = input.range ? lines(whole, input.range) : whole;
    const truncated = text.length > maxResultCharacters;
    return completed(
      { content: truncated ? text.slice(0, maxResultCharacters) : text, size_bytes: entry.sizeBytes, truncated },
      `Read ${entry.path}`,
    );
  },
});

function lines(text: string, [first, last]: readonly [number, number]): string {
  const all = text.split('\n');
  return all.slice(first - 1, last === -1 ? all.length : last).join('\n');
}

export const listFiles = defineTool('sandbox_list_files', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Listing ${input.path}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const list = await sandbox.listFiles(input.path, { recursive: input.recursive, signal: context.signal });
    const files = list.files.map((file) => ({ path: file.path, type: file.type, size_bytes: file.sizeBytes }));
    return completed({ files, complete: list.complete }, `Listed ${input.path}: ${files.length} entries`);
  },
});

export const editFile = defineTool('file_edit', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: workPhases,
  label: (input) => `Editing ${input.path}`,
  async run(input, context) {
    const target = writable(input.path, context.writableRoots);
    if (isError(target)) return target;
    const { sandbox } = await context.sandbox();
    let text = (await readAll(await sandbox.readFile(target.path, { signal: context.signal }), maxReadBytes)).toString('utf8');
    for (const [index, edit] of input.edits.entries()) {
      const parts = text.split(edit.find);
      const found = parts.length - 1;
      if (found === 0)
        return failed(
          'NO_MATCH',
          `Edit ${index + 1}: the text to find does not occur in ${target.path}. Read the file and copy it exactly.`,
        );
      if (found > 1 && !edit.all) {
        return failed(
          'AMBIGUOUS_MATCH',
          `Edit ${index + 1}: the text to find occurs ${found} times in ${target.path}. Include more of the surrounding text, or set "all".`,
        );
      }
      const growthBytes = found * (Buffer.byteLength(edit.replace) - Buffer.byteLength(edit.find));
      const sizeBytes = Buffer.byteLength(text) + growthBytes;
      if (sizeBytes > maxReadBytes) {
        return failed(
          'TOO_LARGE',
          `Edit ${index + 1} would make ${target.path} ${sizeBytes} bytes long, but at most ${maxReadBytes} are allowed. Nothing was changed.`,
        );
      }
      text = parts.join(edit.replace);
    }
    const { path } = await writeOne(context, { ...target, content: text });
    return completed({ edits_applied: input.edits.length }, `Edited ${path}`);
  },
});

export const appendFile = defineTool('file_append', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: workPhases,
  label: (input) => `Adding to ${input.path}`,
  async run(input, context) {
    const target = writable(input.path, context.writableRoots);
    if (isError(target)) return target;
    const { sandbox } = await context.sandbox();
    const before = await readAll(await sandbox.readFile(target.path, { signal: context.signal }), maxReadBytes);
    // Appends bytes, so that a non-text file stays intact.
    const content = Buffer.concat([before, Buffer.from(input.text)]).toString('base64');
    const { path, sizeBytes } = await writeOne(context, { ...target, content, encoding: 'base64' });
    return completed({ path, size_bytes: sizeBytes }, `Added to ${path}`);
  },
});
