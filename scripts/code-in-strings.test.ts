import { expect, it } from 'vitest';
import { codeInStrings, maxCodeLines } from './code-in-strings.ts';

const repeated = (line: string, count: number) => Array.from({ length: count }, () => line).join('\n');
const inTemplate = (text: string) => `const before = 1;\nexport const text = \`${text}\`;\n`;
const handler = `(() => {\n${repeated('  window.moments.push(performance.now());', maxCodeLines)}\n})()`;

it('finds a function in a template literal, with its line', () => {
  expect(codeInStrings('a.ts', inTemplate(handler))).toEqual([{ line: 2, lines: maxCodeLines + 2 }]);
});

it('finds the body of a function, JSX, a class’s methods, and a script in HTML', () => {
  for (const text of [
    repeated('if (ready) return draw();', 11),
    `export const Overlay = () => (\n  <div>\n${repeated('    <p>Hello</p>', 10)}\n  </div>\n);`,
    repeated('  draw() { return 1; }', 11),
    `<!doctype html><script>\n${repeated('draw();', 11)}\n</script>`,
  ])
    expect(codeInStrings('a.ts', inTemplate(text)), text).toHaveLength(1);
});

it('finds code with computed parts, and code in concatenated strings', () => {
  expect(codeInStrings('a.ts', `const seek = (at) => \`${handler.replace('performance.now()', '$\u007bat}')}\`;`)).toHaveLength(
    1,
  );
  const [first = '', ...rest] = handler.split('\n');
  const sum = [first, ...rest].map((line) => JSON.stringify(`${line}\n`)).join(' + ');
  expect(codeInStrings('a.ts', `const sum = ${sum};`)).toHaveLength(1);
});

it('ignores short code, and prose, JSON, CSS, SQL, shell and HTML without scripts', () => {
  for (const text of [
    repeated('draw();', maxCodeLines),
    repeated('The film begins with a wave, and ends where it began.', 20),
    JSON.stringify({ scenes: Array.from({ length: 20 }, (_, id) => ({ id })) }, null, 2),
    repeated('.card { position: absolute; }', 20),
    repeated('INSERT INTO projects VALUES (1);', 20),
    repeated('mkdir -p "$folder" && cd "$folder"', 20),
    `<!doctype html><body>\n${repeated('<p class="x">Hello</p>', 20)}\n</body>`,
  ])
    expect(codeInStrings('a.ts', inTemplate(text.replaceAll('$', '\\$'))), text).toEqual([]);
});

it('finds code in the expressions of a template that is not code itself', () => {
  expect(codeInStrings('a.ts', `const page = \`Hello \${make(${JSON.stringify(handler)})}\`;`)).toHaveLength(1);
});

it('throws for a source that it cannot parse', () => {
  expect(() => codeInStrings('a.ts', 'const = ;')).toThrow('a.ts cannot be parsed');
});
