import { basename } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import type { TreeFile } from './folder.ts';

interface Shape {
  readonly title: string;
  /** Names in lower case. */
  readonly name?: RegExp;
  /** Repetitions are bounded, so that the search takes linear time. */
  readonly content?: RegExp;
}

/** A file has the shape of a secret if its name and its content match, as far as the shape has them. */
const shapes: readonly Shape[] = [
  { title: 'an environment file', name: /^\.env(?!.*\.(example|sample|template)$)/ },
  { title: 'an SSH key', name: /^id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)([-_.]|$)/ },
  { title: 'a private key', content: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY/ },
  { title: 'an npm login', name: /^\.npmrc$/, content: /_(?:authToken|auth|password)[ \t]{0,20}=[ \t]{0,20}(?!["']?\$\{)\S/ },
  { title: 'a PyPI login', name: /^\.pypirc$/, content: /^[ \t]{0,20}password[ \t]{0,20}[:=][ \t]{0,20}\S/m },
  { title: 'a login', name: /^[._]netrc$/, content: /\bpassword\s{1,20}\S/ },
  {
    title: 'a cloud login',
    name: /credentials(\.json)?$/,
    content: /(?:private_key|client_secret|refresh_token|secret_?access_?key)["']?[ \t]{0,20}[:=][ \t]{0,20}["']?[^\s"']/i,
  },
  { title: 'an AWS key', content: /\bAKIA[0-9A-Z]{16}\b/ },
  { title: 'a GitHub token', content: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/ },
  { title: 'an Anthropic key', content: /\bsk-ant-[A-Za-z0-9_-]{20}/ },
  { title: 'a Slack token', content: /\bxox[baprs]-[A-Za-z0-9-]{10}/ },
  { title: 'an access token of Koda', content: /\bkoda_[A-Za-z0-9_-]{43}/ },
];
/** Secrets are in small files. */
const maxCheckedBytes = 1024 * 1024;
const maxNamed = 20;

/** Throws FORBIDDEN if a file that the user has not named looks like a secret. The message does not contain the secret. */
export function requireNoSecrets(files: Iterable<readonly [string, TreeFile]>, named: ReadonlySet<string>): void {
  const found: string[] = [];
  const paths: string[] = [];
  for (const [path, { content }] of files) {
    const secret = named.has(path) ? null : secretIn(path, content);
    if (secret === null) continue;
    found.push(secret);
    paths.push(path);
  }
  if (found.length === 0) return;
  const more = found.length > maxNamed ? ` and ${found.length - maxNamed} more` : '';
  throw new KodaError(
    'FORBIDDEN',
    `These files look like secrets, so nothing was sent: ${found.slice(0, maxNamed).join(', ')}${more}. Remove the secret, add the file to .gitignore if git does not track it, or send it anyway with --include ${JSON.stringify(paths[0])}.`,
  );
}

/** Returns the place and kind of the first secret in a file, or `null`. */
function secretIn(path: string, content: Buffer): string | null {
  const name = basename(path).toLowerCase();
  const text = content.subarray(0, maxCheckedBytes).toString('latin1');
  for (const shape of shapes) {
    if (shape.name?.test(name) === false) continue;
    const at = shape.content === undefined ? 0 : text.search(shape.content);
    if (at !== -1) return `${path}, line ${text.slice(0, at).split('\n').length} (${shape.title})`;
  }
  return null;
}
