import { describe, expect, it } from 'vitest';
import { problemOf } from './compile-problems.ts';

const page = (error: object) => `<html><script type="module">
              const error = ${JSON.stringify(error).replaceAll('<', '\\u003c')}
              try {</script></html>`;

describe('problemOf', () => {
  it('A8: returns file, line and compiler message of a syntax error', () => {
    const message =
      "Transform failed with 1 error:\n\n[PARSE_ERROR] Expected a closing tag for 'group'.\n ╭─[ src/scenes/scene-1.tsx:3:24 ]\n 3 │ return <group></grou>";
    const problem = problemOf(page({ message, id: '/work/space/src/scenes/scene-1.tsx', frame: '' }), '/work/space');
    expect(problem).toContain('src/scenes/scene-1.tsx:3:24');
    expect(problem).toContain('<group></grou>');
    expect(problem).not.toContain('/work/space');
  });

  it('A8: returns the location of an unresolved import', () => {
    const error = {
      message: 'Failed to resolve import "../kit/nothere.tsx" from "src/scenes/scene-1.tsx". Does the file exist?',
      id: '/work/space/src/scenes/scene-1.tsx',
      frame: '1  |  import { Foo } from "../kit/nothere.tsx";\n   |                       ^',
      loc: { file: '/work/space/src/scenes/scene-1.tsx', line: 1, column: 20 },
    };
    const problem = problemOf(page(error), '/work/space') ?? '';
    expect(problem.startsWith('src/scenes/scene-1.tsx:1:21: Failed to resolve import')).toBe(true);
    expect(problem).toContain('^');
  });

  it('returns null for a response of another form', () => {
    expect(problemOf('<html>teapot</html>', '/w')).toBeNull();
    expect(problemOf('const error = {"no": "message"}', '/w')).toBeNull();
    expect(problemOf('const error = {oops}', '/w')).toBeNull();
  });
});
