import { z } from 'zod';

/** Windows reserves these names, and a clone of the project must work there. */
const reservedName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;
const controlCharacter = /\p{Cc}/u;
const maxPathBytes = 512;
/** The limit for one name in every common file system. */
const maxNameBytes = 255;
const maxDepth = 16;
/** Longer paths are rejected unread, because NFC normalisation takes quadratic time. */
const maxReadCharacters = 4 * maxPathBytes;

/** Reason for rejecting a path, written for a person or a model. */
export type PathProblem = { readonly ok: false; readonly reason: string };
export type PathResult = { readonly ok: true; readonly path: string } | PathProblem;

/**
 * Validates every untrusted path. Returns the normalised path (relative to the project, `/` separated, Unicode NFC, no `.`
 * segments), or the reason for rejecting it. The result is never joined to a host path.
 */
export function normalizeProjectPath(input: string): PathResult {
  const refuse = (reason: string): PathProblem => ({ ok: false, reason });
  if (input.length > maxReadCharacters) return refuse(`it is longer than ${maxPathBytes} bytes`);
  if (controlCharacter.test(input)) return refuse('it contains a control character');
  if (input.includes('\\')) return refuse('it contains a backslash; separate folders with "/"');
  if (input.startsWith('/') || /^[a-z]:/i.test(input)) return refuse('it is absolute; give it relative to the project');
  if (input.startsWith('~')) return refuse('it starts with "~"');
  const segments = input
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0) return refuse('it is empty');
  if (segments.length > maxDepth) return refuse(`it is deeper than ${maxDepth} folders`);
  for (const segment of segments) {
    if (segment === '..') return refuse('it contains ".."');
    if (reservedName.test(segment)) return refuse(`"${segment}" is a reserved name`);
    if (new TextEncoder().encode(segment).length > maxNameBytes)
      return refuse(`a name in it is longer than ${maxNameBytes} bytes`);
    if (segment.endsWith(' ') || segment.endsWith('.')) return refuse(`"${segment}" ends in a space or a dot`);
  }
  const path = segments.join('/');
  if (new TextEncoder().encode(path).length > maxPathBytes) return refuse(`it is longer than ${maxPathBytes} bytes`);
  return { ok: true, path };
}

/** Stands for configuration files in the root, among the folders that may be written to. */
const rootConfiguration = './';
/** Where authors and users may write, unless a project's kind has other places. */
export const defaultWritableRoots: readonly string[] = ['src/', 'public/', 'scripts/', rootConfiguration];
const configFile = /^[A-Za-z0-9_.-]+\.(json|ts|js|mjs|cjs|html|css|md|txt|toml|yaml|yml)$|^\.gitignore$|^\.env\.example$/;

/** Returns whether authors and users may write to a path. */
export function isWritablePath(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => (root === rootConfiguration ? configFile.test(path) : path.startsWith(root)));
}

/** Names the places that may be written to, for a sentence. */
export function describeRoots(roots: readonly string[]): string {
  const names = roots.map((root) => (root === rootConfiguration ? 'configuration files in the root' : root));
  return new Intl.ListFormat('en-GB').format(names);
}

/** Path that is normalised when parsed, or rejected with a reason. */
export const projectPathSchema = z.string().transform((input, context) => {
  const result = normalizeProjectPath(input);
  if (result.ok) return result.path;
  context.addIssue({ code: 'custom', message: `The path is not allowed: ${result.reason}.` });
  return z.NEVER;
});
