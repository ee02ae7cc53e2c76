import { describe, expect, it } from 'vitest';
import { readProblems } from './type-check.ts';

const wrong = "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.";

describe('the type check', () => {
  it('A8: reports each error with its file, line, column and detail', () => {
    const output = `${wrong}\nsrc/b.tsx(10,2): error TS2345: Argument is wrong.\n  Type 'A' is missing b.\n    And c.\n\nFound 2 errors.\n`;
    expect(readProblems(output).problems).toEqual([
      wrong,
      "src/b.tsx(10,2): error TS2345: Argument is wrong.\n  Type 'A' is missing b.\n    And c.",
    ]);
  });

  it('A8: distinguishes missing files of the project from missing packages', () => {
    const own =
      "src/App.tsx(2,1): error TS2307: Cannot find module './scenes/scene-2.tsx' or its corresponding type declarations.";
    const foreign = "src/App.tsx(3,1): error TS2307: Cannot find module 'lodash' or its corresponding type declarations.";
    expect(readProblems(`${own}\n${foreign}\n`)).toEqual({ problems: [own, foreign], missingModules: [own] });
  });

  it('A8: reports the first errors and the number of others', () => {
    const { problems } = readProblems(
      Array.from({ length: 40 }, (_, index) => wrong.replace('(1,', `(${index + 1},`)).join('\n'),
    );
    expect(problems).toHaveLength(13);
    expect(problems.at(-1)).toContain('28 more');
  });

  it('A8: ignores that the compiler cannot write its cache on a full disk', () => {
    const notKept =
      "error TS5033: Could not write file '/workspace/.koda/types.tsbuildinfo': open /workspace/.koda/types.tsbuildinfo: no space left on device.\n";
    expect(readProblems(notKept)).toEqual({ problems: [], missingModules: [] });
    expect(readProblems(`${notKept}${wrong}\n`).problems).toEqual([wrong]);
  });

  it('A8: reports the end of an unknown output format', () => {
    expect(readProblems('sh: tsc: not found').problems).toEqual(['The type check failed: sh: tsc: not found']);
  });
});
