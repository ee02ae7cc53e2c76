import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cycleKindId } from '#kinds/cycle/contract/cycle.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { StudioClient } from '../../server/cli/client.ts';
import { zipOf } from '../../server/kinds/cycle/cli/archive.ts';
import { readTree } from '../../server/kinds/cycle/cli/tree.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { connectMcp, type McpClient } from '../fixtures/mcp-client.ts';

const repository = join(import.meta.dirname, '../fixtures/cycle-python');
/** Importing and opening a project starts its sandbox. */
const startMs = 240_000;

let studio: TestStudio;
let mcp: McpClient;
let projectId: string;

beforeAll(async () => {
  studio = await startTestStudio();
  mcp = await connectMcp(studio.url);
  const content = new Blob([await zipOf(readTree(repository), '# Greeting\n')]);
  const options = { signal: AbortSignal.timeout(startMs), kind: cycleKindId };
  projectId = (
    await new StudioClient(studio.url, () => readLocalKey(studio.dataDir)).import({ name: 'CYCLE03.zip', content }, options)
  ).id;
});
afterAll(async () => {
  await mcp?.[Symbol.asyncDispose]();
  await studio?.[Symbol.asyncDispose]();
});

const call = (name: string, input: Record<string, unknown> = {}) => mcp.call(name, { project_id: projectId, ...input });

it('G11 C4: the tools of a cycle work over MCP under the names of MCP', async () => {
  // Without a model, the cycle itself stops, and says why.
  await expect.poll(async () => (await call('show_project'))['phase'], { timeout: startMs }).toBe('error');
  expect(await call('show_project')).toMatchObject({
    error: expect.objectContaining({ message: expect.stringContaining('model') }),
  });

  expect(await call('list_files', { path: 'src' })).toMatchObject({
    files: expect.arrayContaining([expect.objectContaining({ path: 'src/words.py' })]),
  });
  expect(await call('read_file', { path: 'SPEC.md' })).toMatchObject({ content: '# Greeting\n' });
  const code = 'print("hello")\n';
  expect(await call('write_file', { path: 'src/hello.py', content: code })).toMatchObject({ path: 'src/hello.py' });
  expect(await call('read_file', { path: 'src/hello.py' })).toMatchObject({ content: code });
  const edits = [{ find: 'hello', replace: 'hello there' }];
  await call('edit_file', { path: 'src/hello.py', edits });
  expect(await call('run_command', { command: 'cat src/hello.py' })).toMatchObject({
    stdout: 'print("hello there")\n',
    exit_code: 0,
  });
});

it('G11 C4: over MCP, only src/ of a cycle can be written', async () => {
  for (const path of ['SPEC.md', 'package.json', 'public/a.txt']) {
    const { isError, content } = await mcp.result('write_file', { project_id: projectId, path, content: 'x' });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('Only src/ can be changed')]);
  }
});
