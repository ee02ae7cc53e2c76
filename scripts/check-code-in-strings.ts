import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { codeInStrings, maxCodeLines } from './code-in-strings.ts';

// Fails if a source file has JavaScript in a string, where no type check, lint rule or formatter applies.
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
/** Exempt because its strings contain the code that films display. */
const exemptPath = 'server/kinds/film/formats/code.ts';
const paths = listed.toString().split('\n');
const found = paths
  .filter((path) => path !== '' && path !== exemptPath && existsSync(path))
  .flatMap((path) =>
    codeInStrings(path, readFileSync(path, 'utf8')).map(({ line, lines }) => `${path}:${line} (${lines} lines)`),
  );

if (found.length > 0) {
  console.error(
    `These strings contain more than ${maxCodeLines} lines of JavaScript. Move the code into a module, as in sandbox-image/sandboxd/page:`,
  );
  console.error(found.join('\n'));
  process.exitCode = 1;
}
