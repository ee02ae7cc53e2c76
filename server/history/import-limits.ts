import { KodaError } from '#contract/errors.ts';
import { linkProblem, pathProblem } from '#contract/sandbox/storable.ts';

/** Limits on an import, the same as a sandbox's. */
export const importLimits = {
  uploadBytes: 512 * 1024 * 1024,
  contentBytes: 1024 * 1024 * 1024,
  files: 20_000,
  linkBytes: 4096,
  /** Limit for bundles, because checking each link starts a git process. */
  bundledLinks: 1000,
} as const;

export interface ImportedEntry {
  readonly path: string;
  readonly sizeBytes: number;
}

/** `requiredFiles`: files that the top folder must contain. */
export function validateEntries(entries: readonly ImportedEntry[], requiredFiles: readonly string[]): void {
  if (entries.length > importLimits.files)
    throw tooMuch(`${entries.length} files, but at most ${importLimits.files} are allowed`);
  let bytes = 0;
  const paths = new Set<string>();
  for (const { path, sizeBytes } of entries) {
    const problem = path.includes('\uFFFD') ? 'its name is not UTF-8' : pathProblem(path);
    if (problem !== null) throw invalid(path, problem);
    if (paths.has(path)) throw unusable(`it contains ${JSON.stringify(path)} twice`);
    paths.add(path);
    bytes += sizeBytes;
    if (bytes > importLimits.contentBytes) throw tooMuch(`more than ${importLimits.contentBytes} bytes when unpacked`);
  }
  for (const path of paths) {
    const below = parentsOf(path).find((parent) => paths.has(parent));
    if (below !== undefined)
      throw unusable(`it contains ${JSON.stringify(path)} inside ${JSON.stringify(below)}, which is not a folder`);
  }
  const missing = requiredFiles.filter((path) => !paths.has(path));
  if (missing.length > 0) throw unusable(`it has no ${missing.join(' and no ')} in its top folder, so it is not a Koda project`);
}

export function validateLink(path: string, target: string): void {
  const problem = linkProblem(path, target);
  if (problem !== null) throw invalid(path, problem);
}

/** Returns the error for a file that cannot be imported. `reason` completes “The file was not imported: …”. */
export function unusable(reason: string, cause?: unknown): KodaError {
  return new KodaError('VALIDATION_ERROR', `The file was not imported: ${reason}.`, {
    details: { field: 'file' },
    recovery: 'send_other_file',
    cause,
  });
}

function invalid(path: string, reason: string): KodaError {
  return new KodaError('INVALID_PATH', `The file was not imported: it contains ${JSON.stringify(path)}, but ${reason}.`, {
    details: { path },
    recovery: 'send_other_file',
  });
}

function tooMuch(what: string): KodaError {
  return new KodaError('TOO_LARGE', `The file was not imported: it contains ${what}.`, { recovery: 'send_less' });
}

function parentsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
