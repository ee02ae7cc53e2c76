import { KodaError } from '../contract/errors.ts';
import { linkProblem, pathProblem } from '../contract/storable.ts';

/** What an import may hold at most; a sandbox takes no more files either. */
export const importLimits = {
  uploadBytes: 512 * 1024 * 1024,
  /** Unpacked, all files together. */
  contentBytes: 1024 * 1024 * 1024,
  files: 20_000,
  linkBytes: 4096,
  /** Of a bundle, where each is looked at by a git of its own. */
  bundledLinks: 1000,
} as const;

/** A file or a symbolic link of what is imported, before anything of it is kept. */
export interface ImportedEntry {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Throws TOO_LARGE, INVALID_PATH, VALIDATION_ERROR for a list of files that no project may have. */
export function judgeEntries(entries: readonly ImportedEntry[]): void {
  if (entries.length > importLimits.files) throw tooMuch(`${entries.length} files; ${importLimits.files} are allowed`);
  let bytes = 0;
  const paths = new Set<string>();
  for (const { path, sizeBytes } of entries) {
    const problem = path.includes('\uFFFD') ? 'its name is not UTF-8' : pathProblem(path);
    if (problem !== null) throw invalid(path, problem);
    if (paths.has(path)) throw unusable(`it holds ${JSON.stringify(path)} twice`);
    paths.add(path);
    bytes += sizeBytes;
    if (bytes > importLimits.contentBytes) throw tooMuch(`more than ${importLimits.contentBytes} bytes when it is unpacked`);
  }
  for (const path of paths) {
    const below = parentsOf(path).find((parent) => paths.has(parent));
    if (below !== undefined)
      throw unusable(`it holds ${JSON.stringify(path)} below ${JSON.stringify(below)}, which is no folder`);
  }
  const missing = ['package.json', 'index.html'].filter((path) => !paths.has(path));
  if (missing.length > 0) throw unusable(`it has no ${missing.join(' and no ')} in its top folder, so it is no project of Koda`);
}

/** Throws INVALID_PATH for a symbolic link that leads out of the project. */
export function judgeLink(path: string, target: string): void {
  const problem = linkProblem(path, target);
  if (problem !== null) throw invalid(path, problem);
}

/** The error for a file that cannot be taken as a project; `reason` goes on after “The file was not imported:”. */
export function unusable(reason: string, cause?: unknown): KodaError {
  return new KodaError('VALIDATION_ERROR', `The file was not imported: ${reason}.`, {
    details: { field: 'file' },
    recovery: 'send_other_file',
    cause,
  });
}

function invalid(path: string, reason: string): KodaError {
  return new KodaError('INVALID_PATH', `The file was not imported: it holds ${JSON.stringify(path)}, but ${reason}.`, {
    details: { path },
    recovery: 'send_other_file',
  });
}

function tooMuch(what: string): KodaError {
  return new KodaError('TOO_LARGE', `The file was not imported: it holds ${what}.`, { recovery: 'send_less' });
}

function parentsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
