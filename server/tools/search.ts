import { allPhases, completed, defineTool } from './tool.ts';

export const matchGlob = defineTool('match_glob', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Finding ${input.pattern.slice(0, 60)}`,
  async run({ pattern, path }, context) {
    const { sandbox } = await context.sandbox();
    const { paths, complete } = await sandbox.findPaths({ pattern, path }, { signal: context.signal });
    return completed(
      { paths, complete },
      `${countOf(paths.length, complete)} file${paths.length === 1 ? '' : 's'} found for ${pattern.slice(0, 60)}`,
    );
  },
});

export const matchGrep = defineTool('match_grep', {
  category: 'file',
  risk: 'low',
  timeoutMs: 30_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Searching for ${input.pattern.slice(0, 60)}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const search = { pattern: input.pattern, path: input.path, glob: input.glob ?? null, ignoreCase: input.ignore_case };
    const { matches, complete } = await sandbox.findLines(search, { signal: context.signal });
    return completed(
      { matches, complete },
      `${countOf(matches.length, complete)} line${matches.length === 1 ? '' : 's'} found for ${input.pattern.slice(0, 60)}`,
    );
  },
});

function countOf(count: number, complete: boolean): string {
  return complete ? String(count) : `More than ${count}`;
}
