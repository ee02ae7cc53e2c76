import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { codeInStrings, longestCodeLines } from './code-in-strings.ts';

/** Says where JavaScript stands in a string: there no type, no lint rule and no formatter reaches it. */
const listed = execFileSync('git', [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.cjs',
  '*.js',
]);
/** Its example is a text that a film shows. */
const shown = 'server/kinds/film/formats/code.ts';
const paths = listed.toString().split('\n');
const found = paths
  .filter((path) => path !== '' && path !== shown && existsSync(path))
  .flatMap((path) =>
    codeInStrings(path, readFileSync(path, 'utf8')).map(({ line, lines }) => `${path}:${line} (${lines} lines)`),
  );

if (found.length > 0) {
  console.error(
    `JavaScript of more than ${longestCodeLines} lines stands in a string; make it a module (sandbox-image/sandboxd/page):`,
  );
  console.error(found.join('\n'));
  process.exitCode = 1;
}
