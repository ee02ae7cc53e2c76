import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openIgnoredPaths } from '../../server/history/ignored-paths.ts';
import { tempDir } from '../fixtures/storage.ts';

const names = ['a', 'b', 'ab', 'a.b', '.a', 'a b', '[x]', '*', 'ä', '!a', '#a', '-', ':a', ':(icase)A', 'a\\b'];
const paths = names.flatMap((first) => [
  first,
  ...names.slice(0, 6).flatMap((second) => [`${first}/${second}`, `${first}/${second}/a`]),
]);
// Excludes patterns that git treats inconsistently: `**` next to other characters, and bracket expressions that are unclosed or
// contain a slash.
const name = fc
  .array(
    fc.constantFrom('a', 'b', '.', '*', '?', '[a-b]', '[!a]', '[b-a]', '[]a]', '[a\\]]', '\\*', '\\ ', '!', '#', ' ', 'ä', '-'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((pieces) => pieces.join('').replaceAll('**', '*'));
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!', '/', '#'),
    fc.array(fc.oneof({ weight: 3, arbitrary: name }, { weight: 1, arbitrary: fc.constant('**') }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom('', '', '/', ' ', '\\'),
  )
  .map(([before, segments, after]) => `${before}${segments.join('/')}${after}`);

/** Patterns that are plain folder names, which are matched without git. */
const folders = fc.array(fc.constantFrom('a/', 'b/', 'ab/', 'a.b/', '.a/', '-/', '# a/', ''), { minLength: 1, maxLength: 4 });

const { signal } = new AbortController();
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
// git exits with 1 if nothing is ignored.
const gitIn = (folder: string, args: string[], input = '') =>
  spawnSync('git', ['-C', folder, ...args], { env, input, encoding: 'utf8' }).stdout;

it('A21: a .gitignore excludes the same files as in git', async () => {
  using plain = tempDir();
  using bare = tempDir();
  gitIn(plain.path, ['init', '-q']);
  gitIn(bare.path, ['init', '-q', '--bare']);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(pattern, { minLength: 1, maxLength: 4 }), folders), async (patterns) => {
      const text = patterns.join('\n');
      writeFileSync(join(plain.path, '.gitignore'), text);
      const leftOut = new Set(
        gitIn(plain.path, ['check-ignore', '--no-index', '--stdin', '-z'], paths.map((path) => `./${path}\0`).join('')).split(
          '\0',
        ),
      );
      await using ignored = await openIgnoredPaths({ text, repository: bare.path, signal, budgetMs: 600_000 });
      for (const path of paths)
        expect(await ignored.has(path), `${JSON.stringify(text)} on ${JSON.stringify(path)}`).toBe(leftOut.has(`./${path}`));
    }),
    { numRuns: 100 },
  );
  expect(existsSync(join(bare.path, 'koda-ignore'))).toBe(false);
});

it('A21, X4: patterns and names that take git too long end the checkpoint at its time budget, and git with it', async () => {
  using bare = tempDir();
  gitIn(bare.path, ['init', '-q', '--bare']);
  const text = Array.from({ length: 100 }, (_, index) => `${'*a'.repeat(60)}${index}`).join('\n');
  const names = Array.from({ length: 20_000 }, (_, index) => `${'a'.repeat(240)}${index}`);
  const budgetMs = 300;
  await using ignored = await openIgnoredPaths({ text, repository: bare.path, signal, budgetMs });
  const asked = (async () => {
    for (const name of names) await ignored.has(name);
  })();
  await expect(asked).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', recovery: 'simplify_gitignore' });
  // Later queries share the time limit of the first.
  await expect(ignored.has('b')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

it('A22: a checkpoint that ends before its first query leaves no git process', async () => {
  using bare = tempDir();
  gitIn(bare.path, ['init', '-q', '--bare']);
  {
    await using ignored = await openIgnoredPaths({ text: 'a', repository: bare.path, signal });
    expect(ignored).toBeDefined();
  }
  const cancelled = new AbortController();
  await using ignored = await openIgnoredPaths({ text: 'a', repository: bare.path, signal: cancelled.signal });
  expect(await ignored.has('a')).toBe(true);
  cancelled.abort();
  await expect(ignored.has('a')).rejects.toMatchObject({ code: 'CANCELLED' });
});
