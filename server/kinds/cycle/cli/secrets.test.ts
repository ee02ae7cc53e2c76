import { describe, expect, it } from 'vitest';
import { textFile } from '../../../../test/fixtures/cycle-trees.ts';
import { requireNoSecrets } from './secrets.ts';

const check = (path: string, text: string, named: readonly string[] = []) =>
  requireNoSecrets([[path, textFile(text)]], new Set(named));

/** Path, text with “¶” where the secret starts on a line, and the line. Split, so that this file has no shape of a secret. */
const secrets: readonly (readonly [string, string, number])[] = [
  ['src/.env', 'A=1', 1],
  ['src/.env.production', 'A=1', 1],
  ['src/.envrc', 'A=1', 1],
  ['src/keys/id_rsa', 'x', 1],
  ['src/id_ed25519_work', 'x', 1],
  ['src/tls/server.pem', `certificate\n-----BEGIN ${'PRIVATE'} KEY-----\nabc`, 2],
  ['src/tls/server.key', `-----BEGIN RSA ${'PRIVATE'} KEY-----\nabc`, 1],
  ['src/a.ts', `// x\n// y\nconst key = '-----BEGIN OPENSSH ${'PRIVATE'} KEY-----';`, 3],
  ['src/.npmrc', `registry=https://x\n//registry.npmjs.org/:_auth${'Token'}=npm_abc`, 2],
  ['src/.pypirc', `[pypi]\nusername = me\npass${'word'} = hunter2`, 3],
  ['src/.netrc', `machine x\nlogin me\npass${'word'} hunter2`, 3],
  ['src/credentials.json', `{\n  "client_${'secret'}": "abc"\n}`, 2],
  ['src/aws/credentials', `[default]\naws_secret_access_${'key'} = abc`, 2],
  ['src/a.ts', `\n\nconst id = 'AKIA${'ABCDEFGHIJKLMNOP'}';`, 3],
  ['src/a.ts', `const t = 'ghp_${'a'.repeat(36)}';`, 1],
  ['src/a.ts', `const t = 'github_pat_${'a'.repeat(82)}';`, 1],
  ['src/a.ts', `const t = 'sk-ant-${'api03-abcdefghijklmnop'}';`, 1],
  ['src/a.ts', `const t = 'xoxb-${'1234567890-abc'}';`, 1],
  ['src/a.ts', `const t = 'koda_${'a'.repeat(43)}';`, 1],
];

describe('secrets', () => {
  it.each(secrets)('M4: %s is refused by file and line, without its content', (path, text, line) => {
    expect(() => check(path, text)).toThrow(`${path}, line ${line} (`);
    expect(() => check(path, text)).not.toThrow(/hunter2|npm_abc|aaaa|abcdefghij|ABCDEFGH|1234567/);
    expect(() => check(path, text, [path])).not.toThrow();
  });

  it.each([
    ['src/.env.example', 'API_KEY='],
    ['src/.env.local.template', 'API_KEY='],
    ['src/env.ts', 'export const env = process.env;'],
    ['src/id_rsa.pub', 'ssh-rsa AAAA'],
    ['src/ids.ts', 'x'],
    ['src/tls/server.pem', '-----BEGIN CERTIFICATE-----'],
    ['src/.npmrc', `//registry.npmjs.org/:_auth${'Token'}=\${NPM_TOKEN}`],
    ['src/.npmrc', 'save-exact=true'],
    ['src/credentials.ts', 'const client_secret = read();'],
    ['src/a.ts', "if (key.startsWith('sk-ant-')) return 'ghp_…';"],
    ['src/koda_client.py', 'koda_client = 1'],
  ])('M4: %s is sent', (path, text) => {
    expect(() => check(path, text)).not.toThrow();
  });

  it('M4: the search takes linear time', () => {
    const texts = ['-----BEGIN A ', 'password', 'password \n', ' \t', 'AKIA', 'sk-ant-', 'koda_', 'a', '\n', '_auth = '];
    for (const name of ['a.ts', '.npmrc', '.pypirc', '.netrc', 'credentials.json']) {
      for (const text of texts) {
        const content = text.repeat(Math.ceil((1024 * 1024) / text.length));
        const before = process.threadCpuUsage();
        try {
          check(`src/${name}`, content);
        } catch {
          // A hit, which ends the search early.
        }
        expect(process.threadCpuUsage(before).user, `${name}: ${text}`).toBeLessThan(5_000_000);
      }
    }
  });
});
