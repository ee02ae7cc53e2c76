import { untrackedNames } from '../../../server/contract/sandboxd.ts';
import { statPath } from '../files/content.ts';
import { existingFolder, insideTarget } from '../files/workspace.ts';
import { ProtocolError } from '../http.ts';
import { findOnPath } from '../paths.ts';
import { endAfter, launch } from '../processes/launch.ts';

const searchTimeoutMs = 20_000;
/** Of what ripgrep writes on its error stream: the first lines name the mistake. */
const maxErrorCharacters = 2000;
/** A record longer than this is not looked at: a line of a minified file with thousands of matches. */
const maxRecordCharacters = 4 * 1024 * 1024;

/** Where to look: a folder to start ripgrep in, and one file of it or all. */
export interface Place {
  readonly cwd: string;
  /** Path of `cwd` from the project's root, with a slash at its end; empty for the root itself. */
  readonly prefix: string;
  /** `./name` of the only file to look at; null = everything below. */
  readonly file: string | null;
}

/** Finds a folder or file of the workspace. Throws ENOENT as the system does, and ProtocolError INVALID_PATH. */
export async function placeOf(workspace: string, input: string): Promise<Place> {
  const { path, segments } = existingFolder(workspace, input);
  if (segments.length === 0) return { cwd: workspace, prefix: '', file: null };
  await statPath(workspace, path);
  // Without links on the way, so that ripgrep is given none to follow.
  const real = insideTarget(workspace, segments);
  if (real.length === 0) return { cwd: workspace, prefix: '', file: null };
  const { type } = await statPath(workspace, real.join('/'));
  if (type === 'directory') return { cwd: [workspace, ...real].join('/'), prefix: `${real.join('/')}/`, file: null };
  const folder = real.slice(0, -1);
  return { cwd: [workspace, ...folder].join('/'), prefix: folder.map((name) => `${name}/`).join(''), file: `./${real.at(-1)}` };
}

/** Globs that keep out what is never tracked. After any other glob: the last one that matches decides. */
const leaveOut = untrackedNames.flatMap((name) => ['--glob', `!${name}`]);
const common = ['--no-config', '--no-ignore', '--hidden', '--no-messages', '--color=never', '--sort=path'];

export interface RipgrepOptions {
  readonly workspace: string;
  readonly place: Place;
  readonly args: readonly string[];
  /** Only names like this; null = all. */
  readonly glob: string | null;
  readonly pattern: string | null;
  /** What ends a record of the output. */
  readonly separator: '\n' | '\0';
  readonly signal: AbortSignal;
}

/**
 * The records that ripgrep writes; leaving the iteration early ends it. Nothing passes a shell. Throws ProtocolError
 * INVALID_PATTERN with ripgrep's words, TIMEOUT, or EXECUTION_FAILED when there is no ripgrep.
 */
export async function* ripgrep(options: RipgrepOptions): AsyncGenerator<string> {
  const { workspace, place, glob, pattern, separator, signal } = options;
  if (glob !== null) judgeGlob(glob);
  // Not by the name: a project may bring a program of the same one.
  const file = findOnPath(['rg'], process.env['PATH'] ?? '');
  if (file === null) throw new ProtocolError('EXECUTION_FAILED', 'The program ripgrep (rg) is not installed in this sandbox.');
  const args = [
    ...common,
    ...options.args,
    ...(glob === null ? [] : ['--glob', glob]),
    ...leaveOut,
    ...(pattern === null ? [] : ['--regexp', pattern]),
    '--',
    // Named even when it is everything: else ripgrep might wait for its input.
    place.file ?? './',
  ];
  const program = await launch(file, args, { workspace, cwd: place.cwd, env: {} });
  await using ending = endAfter(program, { timeoutMs: searchTimeoutMs, signal });
  let words = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(0, maxErrorCharacters);
  });
  yield* records(program.stdout.setEncoding('utf8'), separator);
  await program.exited;
  signal.throwIfAborted();
  if (ending.timedOut) throw new ProtocolError('TIMEOUT', 'The search took too long and was stopped. Look in fewer folders.');
  // Files that cannot be read are left out in silence (--no-messages): words are about the pattern.
  if (words.trim() !== '') throw new ProtocolError('INVALID_PATTERN', `The pattern is not valid: ${words.trim()}`);
}

/** What would turn a glob around, or into an option of the next thing. */
function judgeGlob(glob: string): void {
  const reason = glob.startsWith('!')
    ? 'it begins with "!"; say what is wanted instead of what is not'
    : glob.split('/').includes('..')
      ? 'it contains ".."; use "path" for another folder'
      : glob.includes('\0')
        ? 'it contains a NUL character'
        : null;
  if (reason !== null) throw new ProtocolError('INVALID_PATTERN', `The pattern "${glob.slice(0, 200)}" was refused: ${reason}.`);
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
