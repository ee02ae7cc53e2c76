import { finished } from 'node:stream/promises';
import { untrackedNames } from '#contract/sandbox/answers.ts';
import { statPath } from '../files/content.ts';
import { existingFolder, insideTarget } from '../files/workspace.ts';
import { ProtocolError } from '../http.ts';
import { findOnPath } from '../paths.ts';
import { endAfter, launch } from '../processes/launch.ts';

const searchTimeoutMs = 20_000;
const maxErrorCharacters = 2000;
/** Maximum length of a record. Longer ones, from minified files with thousands of matches, are skipped. */
const maxRecordCharacters = 4 * 1024 * 1024;

export interface SearchScope {
  readonly cwd: string;
  /** Path of `cwd` relative to the project root, with a trailing slash; empty for the root itself. */
  readonly prefix: string;
  /** `./name` of the only file to search; `null` for all. */
  readonly file: string | null;
}

/** Resolves a folder or file to search. Throws ENOENT or INVALID_PATH. */
export async function searchScope(workspace: string, input: string): Promise<SearchScope> {
  const { path, segments } = existingFolder(workspace, input);
  if (segments.length === 0) return { cwd: workspace, prefix: '', file: null };
  await statPath(workspace, path);
  // The resolved path contains no links that ripgrep would have to follow.
  const real = insideTarget(workspace, segments);
  if (real.length === 0) return { cwd: workspace, prefix: '', file: null };
  const { type } = await statPath(workspace, real.join('/'));
  if (type === 'directory') return { cwd: [workspace, ...real].join('/'), prefix: `${real.join('/')}/`, file: null };
  const folder = real.slice(0, -1);
  return { cwd: [workspace, ...folder].join('/'), prefix: folder.map((name) => `${name}/`).join(''), file: `./${real.at(-1)}` };
}

/** Excludes untracked folders. Must follow all other globs, because the last match decides. */
const excludeUntracked = untrackedNames.flatMap((name) => ['--glob', `!${name}`]);
const common = ['--no-config', '--no-ignore', '--hidden', '--no-messages', '--color=never', '--sort=path'];

export interface RipgrepOptions {
  readonly workspace: string;
  readonly scope: SearchScope;
  readonly args: readonly string[];
  readonly glob: string | null;
  readonly pattern: string | null;
  readonly separator: '\n' | '\0';
  readonly signal: AbortSignal;
}

/**
 * Yields ripgrep's output records. Ending the iteration early stops ripgrep. Runs without a shell. Throws INVALID_PATTERN
 * with ripgrep's message, TIMEOUT, or EXECUTION_FAILED if ripgrep is missing.
 */
export async function* ripgrep(options: RipgrepOptions): AsyncGenerator<string> {
  const { workspace, scope, glob, pattern, separator, signal } = options;
  if (glob !== null) validateGlob(glob);
  // The path is absolute, because a project may contain another program with that name.
  const file = findOnPath(['rg'], process.env['PATH'] ?? '');
  if (file === null) throw new ProtocolError('EXECUTION_FAILED', 'The program ripgrep (rg) is not installed in this sandbox.');
  const args = [
    ...common,
    ...options.args,
    ...(glob === null ? [] : ['--glob', glob]),
    ...excludeUntracked,
    ...(pattern === null ? [] : ['--regexp', pattern]),
    '--',
    // Without a path, ripgrep might read from stdin.
    scope.file ?? './',
  ];
  const program = await launch(file, args, { workspace, cwd: scope.cwd, env: {} });
  await using ending = endAfter(program, { timeoutMs: searchTimeoutMs, signal });
  let errorOutput = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, maxErrorCharacters);
  });
  yield* records(program.stdout.setEncoding('utf8'), separator);
  // The program can exit before its message has been read.
  await Promise.all([program.exited, finished(program.stderr)]);
  signal.throwIfAborted();
  if (ending.timedOut)
    throw new ProtocolError('TIMEOUT', 'The search was stopped because it took too long. Search in fewer folders.');
  // `--no-messages` suppresses file errors, so this message is about the pattern.
  if (errorOutput.trim() !== '') throw new ProtocolError('INVALID_PATTERN', `The pattern is not valid: ${errorOutput.trim()}`);
}

/** Rejects globs that would be negated or taken for an option. */
function validateGlob(glob: string): void {
  const reason = globProblem(glob);
  if (reason !== null) throw new ProtocolError('INVALID_PATTERN', `The pattern "${glob.slice(0, 200)}" was refused: ${reason}.`);
}

function globProblem(glob: string): string | null {
  if (glob.startsWith('!')) return 'it starts with "!"; describe the files to include instead';
  if (glob.split('/').includes('..')) return 'it contains ".."; use "path" for another folder';
  return glob.includes('\0') ? 'it contains a NUL character' : null;
}

async function* records(output: AsyncIterable<string>, separator: string): AsyncGenerator<string> {
  let rest = '';
  let tooLong = false;
  for await (const chunk of output) {
    rest += chunk;
    for (let end = rest.indexOf(separator); end !== -1; end = rest.indexOf(separator)) {
      if (!tooLong) yield rest.slice(0, end);
      tooLong = false;
      rest = rest.slice(end + separator.length);
    }
    if (rest.length <= maxRecordCharacters) continue;
    tooLong = true;
    rest = '';
  }
}
