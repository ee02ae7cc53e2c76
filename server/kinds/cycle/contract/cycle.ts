/** Id of the project kind that implements a specification in code. */
export const cycleKindId = 'cycle';

/** Paths in the archive that starts a cycle, and in its sandbox. */
export const specificationPath = 'SPEC.md';
export const sourceFolder = 'src';

/** Nothing else is brought back into the repository. */
export const cycleWritableRoots: readonly string[] = [`${sourceFolder}/`];

/** A language model reads the whole specification with each request, so a larger one would leave no room for the work. */
export const maxSpecificationBytes = 128 * 1024;

/** Keys of the todos of a cycle. */
export const cycleTodos = { coding: 'coding', tests: 'tests' } as const;

/** Returns why a text cannot be a specification, as the end of a sentence, or `null`. */
export function specificationProblem(text: string): string | null {
  if (text.trim() === '') return 'it is empty';
  if (new TextEncoder().encode(text).length > maxSpecificationBytes)
    return `it is larger than ${maxSpecificationBytes / 1024} KiB`;
  return text.includes('\0') || text.includes('\uFFFD') ? 'it is not UTF-8 text' : null;
}
