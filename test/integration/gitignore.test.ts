import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ignoreRules } from '../../server/history/gitignore.ts';
import { tempDir } from '../fixtures/storage.ts';

const names = ['a', 'b', 'ab', 'a.b', '.a', 'a b', '[x]', '*', 'ä', '!a', '#a', '-', 'a\\b'];
const paths = names.flatMap((first) => [
  first,
  ...names.slice(0, 6).flatMap((second) => [`${first}/${second}`, `${first}/${second}/a`]),
]);
// Without what git reads by chance: a double star beside other characters, a set without an end or with a slash in it.
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

it('A21: a .gitignore leaves out what it leaves out for git itself', () => {
  using folder = tempDir();
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  // It exits with 1 when nothing is left out.
  const git = (args: string[], input = '') =>
    spawnSync('git', ['-C', folder.path, ...args], { env, input, encoding: 'utf8' }).stdout;
  git(['init', '-q']);
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), (patterns) => {
      const text = patterns.join('\n');
      writeFileSync(join(folder.path, '.gitignore'), text);
      const printed = git(['check-ignore', '--no-index', '--stdin', '-z', '-v', '-n'], paths.join('\0'));
      expect(printed.length).toBeGreaterThan(paths.length);
      // Four fields for each path: file, line, pattern, path; a negated pattern takes it back in.
      const fields = printed.split('\0');
      const { ignores } = ignoreRules(text);
      for (const [index, path] of paths.entries()) {
        const rule = fields[index * 4 + 2] ?? '';
        expect(ignores(path), `${JSON.stringify(text)} on ${JSON.stringify(path)}`).toBe(rule !== '' && !rule.startsWith('!'));
      }
    }),
    { numRuns: 60 },
  );
});
