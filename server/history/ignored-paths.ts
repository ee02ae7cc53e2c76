import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import { nulTexts } from './diff-parse.ts';
import { gitOutput } from './git.ts';

/** Temporary work tree inside the repository. After a crash, the next sweep removes it. */
export const ignoreFolder = 'koda-ignore';

/** Total time for all paths in a checkpoint. A film's usual patterns take far less than a second. */
const budgetMs = 30_000;

interface Options {
  readonly text: string;
  readonly repository: string;
  readonly signal: AbortSignal;
  readonly budgetMs?: number;
}

/** Paths that a project's `.gitignore` excludes. */
export interface IgnoredPaths extends AsyncDisposable {
  /** Returns whether a path is excluded. Calls must not overlap. Throws LIMIT_EXCEEDED when the time is used up. */
  has(path: string): Promise<boolean>;
}

/** Opens a matcher for a `.gitignore`; a plain list of folders needs no git. File system errors propagate. */
export async function openIgnoredPaths(options: Options): Promise<IgnoredPaths> {
  const folders = plainFolders(options.text);
  if (folders === null) return await PatternPaths.open(options);
  return {
    has: async (path) =>
      path
        .split('/')
        .slice(0, -1)
        .some((name) => folders.has(name)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Returns the folder names that a `.gitignore` lists, or `null` if it contains any other pattern. */
function plainFolders(text: string): ReadonlySet<string> | null {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.every((line) => /^[\w.-]+\/$/.test(line)) ? new Set(lines.map((line) => line.slice(0, -1))) : null;
}

/**
 * Matches paths using git. Patterns come from a model or a guest and names from a sandbox; together they can make matching
 * arbitrarily slow. A separate process can be killed at the deadline. One instance per repository.
 */
class PatternPaths implements IgnoredPaths {
  readonly #folder: string;
  readonly #paths = new PassThrough();
  readonly #output: Readable;
  readonly #answers: AsyncGenerator<string>;
  readonly #stop = new AbortController();
  #leftMs: number;

  private constructor(folder: string, { repository, signal, budgetMs: leftMs = budgetMs }: Options) {
    this.#folder = folder;
    this.#leftMs = leftMs;
    this.#output = gitOutput(['check-ignore', '--no-index', '--stdin', '-z', '--verbose', '--non-matching'], {
      repository,
      // check-ignore does not support literal pathspecs. The `./` before each path prevents pathspec magic.
      env: { GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '0' },
      input: this.#paths,
      signal: AbortSignal.any([signal, this.#stop.signal]),
    });
    // Starts git now, while the sandbox packs its files.
    this.#output.read(0);
    // The next call throws this error. If there is none, the error does not matter.
    this.#output.on('error', () => undefined);
    this.#answers = nulTexts(this.#output);
  }

  static async open(options: Options): Promise<PatternPaths> {
    const folder = join(options.repository, ignoreFolder);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '.gitignore'), options.text);
    return new PatternPaths(folder, options);
  }

  async has(path: string): Promise<boolean> {
    const startedAt = performance.now();
    const deadline = setTimeout(() => this.#stop.abort(), Math.max(0, this.#leftMs));
    try {
      this.#paths.write(`./${path}\0`);
      const [, , pattern] = [await this.#field(), await this.#field(), await this.#field(), await this.#field()];
      return pattern !== undefined && pattern !== '' && !pattern.startsWith('!');
    } catch (error) {
      throw this.#stop.signal.aborted ? tooSlow(error) : error;
    } finally {
      clearTimeout(deadline);
      this.#leftMs -= performance.now() - startedAt;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#paths.end();
    this.#stop.abort();
    this.#output.destroy();
    await this.#answers.return(undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** git prints four fields per path: file, line and pattern of the decisive rule (empty if there is none), and the path. */
  async #field(): Promise<string> {
    const next = await this.#answers.next();
    if (next.done === true) throw new Error('git check-ignore exited without a result');
    return next.value;
  }
}

function tooSlow(cause: unknown): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    'The checkpoint was not created: the patterns in .gitignore take too long to match. The previous checkpoint is unchanged. Use fewer and simpler patterns.',
    { recovery: 'simplify_gitignore', cause },
  );
}
