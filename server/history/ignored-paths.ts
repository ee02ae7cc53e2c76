import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { KodaError } from '../contract/errors.ts';
import { nulTexts } from './diff-parse.ts';
import { gitOutput } from './git.ts';

/** The work tree in a repository that a check is made with; what a death leaves of it goes with the next sweep. */
export const ignoreFolder = 'koda-ignore';

/** How long git may take for all paths of a checkpoint together. A film's usual patterns take far less than a second. */
const budgetMs = 10_000;

interface Options {
  /** The text of the project's `.gitignore`. */
  readonly text: string;
  readonly repository: string;
  readonly signal: AbortSignal;
  readonly budgetMs?: number;
}

/** Which paths a project's `.gitignore` leaves out. */
export interface IgnoredPaths extends AsyncDisposable {
  /**
   * Whether a file or link at this path, which has passed the rules for paths, is left out, by itself or with a folder above
   * it. Calls must not overlap. Throws LIMIT_EXCEEDED when the budget of time is used up, and as `git` does.
   */
  has(path: string): Promise<boolean>;
}

/** No git starts for a list of plain folders, as the template has it. Throws what the file system throws. */
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

/** The folders that a `.gitignore` names, wherever they are; null when it holds any other kind of pattern. */
function plainFolders(text: string): ReadonlySet<string> | null {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.every((line) => /^[\w.-]+\/$/.test(line)) ? new Set(lines.map((line) => line.slice(0, -1))) : null;
}

/**
 * Asks git which paths a project's `.gitignore` leaves out. Patterns come from a model or a guest and names from a sandbox,
 * and together they can make matching arbitrarily slow: so a process of its own does it, which is killed when its time is
 * up. One at a time per repository.
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
      // check-ignore refuses the literal reading; the `./` before each path keeps a colon from being read as magic.
      env: { GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '0' },
      input: this.#paths,
      signal: AbortSignal.any([signal, this.#stop.signal]),
    });
    // git starts now, while the sandbox packs its files.
    this.#output.read(0);
    // The next call throws it; without a call it does not matter.
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

  /** git answers each path with the file, the line and the text of the pattern that decides, all '' without one, and the path. */
  async #field(): Promise<string> {
    const next = await this.#answers.next();
    if (next.done === true) throw new Error('git check-ignore ended before it had answered');
    return next.value;
  }
}

function tooSlow(cause: unknown): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    'The checkpoint was not made: the patterns in .gitignore take too long to match. The last one stays. Use fewer and simpler patterns.',
    { recovery: 'simplify_gitignore', cause },
  );
}
