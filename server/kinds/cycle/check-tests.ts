import { z } from 'zod';
import type { FileEntry } from '#contract/sandbox/answers.ts';
import { sourceFolder } from '#kinds/cycle/contract/cycle.ts';
import { readAll } from '../../lib/bytes.ts';
import type { CallOptions, Sandbox } from '../../sandbox/sandbox.ts';
import type { CheckReport } from '../../tools/context.ts';

interface TestRun {
  readonly command: string;
  readonly cwd: string | null;
}

interface TestResult extends TestRun {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
}

const timeoutMs = 300_000;
/** The end of the output, where the test runners summarise the failures. */
const maxOutputCharacters = 8_000;
const maxManifestBytes = 1024 * 1024;

const nodeSource = /\.[cm]?[jt]sx?$/;
const nodeTest = /\.(test|spec)\.[cm]?[jt]sx?$/;
const pythonSource = /\.py$/;
const pythonTest = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

/** The packages of the template are read-only, so the runners must not write caches into them. */
const vitest = 'node_modules/.bin/vitest run --dir src --cache=false';
const pytest = 'python3 -m pytest -q -p no:cacheprovider src';
const environment = { CI: '1', NO_COLOR: '1', PYTHONPATH: sourceFolder, PYTHONDONTWRITEBYTECODE: '1' };

const emptyReport = { warnings: [], differences: [], contactSheet: null };

/** Runs the tests in `src/` of a sandbox. Their failures are the problems. Errors from the sandbox propagate. */
export async function checkTests(sandbox: Sandbox, options: CallOptions): Promise<CheckReport> {
  const { files } = await sandbox.listFiles('.', { recursive: true, ...options });
  const isSource = ({ type, path }: FileEntry) => type === 'file' && path.startsWith(`${sourceFolder}/`);
  const paths = files.filter(isSource).map(({ path }) => path);
  const runs = testRunsFor(paths, paths.includes(manifestPath) ? await manifestOf(sandbox, options) : null);
  if (runs.length === 0) return untested(paths);
  const results: TestResult[] = [];
  // One after the other, because both may need all processors.
  for (const run of runs) results.push(await runTests(sandbox, run, options));
  const info = { tests: results.map(({ command, exitCode }) => ({ command, exit_code: exitCode })) };
  return { ...emptyReport, problems: results.flatMap(problemIn), info };
}

const manifestPath = `${sourceFolder}/package.json`;
const manifestSchema = z.object({ scripts: z.object({ test: z.string().min(1) }) });

/** Returns the commands that test a project with these files. `manifest`: text of `src/package.json`. */
export function testRunsFor(paths: readonly string[], manifest: string | null): TestRun[] {
  const runs: TestRun[] = [];
  if (manifest !== null && hasTestScript(manifest)) runs.push({ command: 'npm test --silent', cwd: sourceFolder });
  else if (paths.some((path) => nodeTest.test(path))) runs.push({ command: vitest, cwd: null });
  if (paths.some((path) => pythonTest.test(path))) runs.push({ command: pytest, cwd: null });
  return runs;
}

/** A coder could otherwise leave out the tests. Code in other languages cannot be tested here, which must not end the cycle. */
function untested(paths: readonly string[]): CheckReport {
  const hasCode = paths.some((path) => nodeSource.test(path) || pythonSource.test(path));
  if (!hasCode) return { ...emptyReport, problems: [], warnings: ['src/ has no code that vitest or pytest can test.'], info: {} };
  const problem = `There are no tests in src/. Write them next to the code: *.test.ts for vitest, test_*.py for pytest.`;
  return { ...emptyReport, problems: [problem], info: {} };
}

async function runTests(sandbox: Sandbox, run: TestRun, options: CallOptions): Promise<TestResult> {
  let output = '';
  for await (const event of sandbox.exec({ ...run, env: environment, timeoutMs }, options)) {
    switch (event.type) {
      case 'stdout':
      case 'stderr':
        output = (output + event.text).slice(-maxOutputCharacters);
        break;
      case 'exit':
        return { ...run, exitCode: event.exitCode, timedOut: event.timedOut, output };
      case 'error':
        return { ...run, exitCode: null, timedOut: false, output: event.message };
      default:
        break;
    }
  }
  return { ...run, exitCode: null, timedOut: false, output: `${output}\nThe connection to the sandbox closed.` };
}

function problemIn({ command, exitCode, timedOut, output }: TestResult): string[] {
  if (timedOut) return [`“${command}” did not finish within ${timeoutMs / 1000} s. Its output ends with:\n${output.trim()}`];
  return exitCode === 0 ? [] : [`“${command}” failed with exit code ${exitCode}. Its output ends with:\n${output.trim()}`];
}

async function manifestOf(sandbox: Sandbox, options: CallOptions): Promise<string> {
  const stream = await sandbox.readFile(manifestPath, options);
  return (await readAll(stream, maxManifestBytes)).toString('utf8');
}

function hasTestScript(manifest: string): boolean {
  try {
    return manifestSchema.safeParse(JSON.parse(manifest)).success;
  } catch {
    // npm itself could not read it either; the tests that exist are run without it.
    return false;
  }
}
