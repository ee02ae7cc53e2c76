import type { ApplyCheck } from '#contract/sandbox/answers.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const maxOutputCharacters = 64 * 1024;
const maxProblems = 12;
const maxProblemCharacters = 600;
/** Matches `src/a.tsx(3,5): error TS2304: …` with its indented detail lines. */
const problemForm = /^(\S.*\(\d+,\d+\): error TS\d+: .*(?:\n[ \t]+.*)*)/gm;
const missingModuleForm = /error TS2307: Cannot find module '\.{1,2}\//;

/** Matches failures to write the compiler's cache on a full disk, which say nothing about the types. */
const cacheFailureForm = /^error TS5033: Could not write file '.*\.tsbuildinfo'.*\n?/gm;

export interface TypeReport {
  readonly problems: readonly string[];
  /** Subset of `problems`: imports of missing project files. */
  readonly missingModules: readonly string[];
}

/** The project's own script. A project without this script has no types to check. */
export const typeCheck = { command: 'npm run --silent --if-present typecheck', timeoutMs: 120_000 } as const;

export async function checkTypes(sandbox: Sandbox, { signal }: { signal: AbortSignal }): Promise<TypeReport> {
  let output = '';
  for await (const event of sandbox.exec({ ...typeCheck, cwd: null, env: {} }, { signal })) {
    if (event.type === 'stdout' || event.type === 'stderr') {
      output += event.text.slice(0, Math.max(0, maxOutputCharacters - output.length));
    } else if (event.type === 'exit') {
      return typeReport({ ...event, output });
    } else if (event.type === 'error') {
      return { problems: [`The type check could not run: ${event.message}`], missingModules: [] };
    }
  }
  return { problems: ['The connection to the sandbox closed before the type check finished.'], missingModules: [] };
}

export function typeReport({ exitCode, timedOut, output }: ApplyCheck): TypeReport {
  if (timedOut)
    return { problems: [`The type check did not finish within ${typeCheck.timeoutMs / 1000} s.`], missingModules: [] };
  return exitCode === 0 ? { problems: [], missingModules: [] } : readProblems(output);
}

/** Parses the compiler's output. If the format is unknown, returns its end. */
export function readProblems(rawOutput: string): TypeReport {
  const output = rawOutput.replace(cacheFailureForm, '');
  if (output === '' && rawOutput !== '') return { problems: [], missingModules: [] };
  const found = [...output.matchAll(problemForm)].map(([problem]) => problem.slice(0, maxProblemCharacters));
  if (found.length === 0) return { problems: [`The type check failed: ${output.trim().slice(-2000)}`], missingModules: [] };
  const missingModules = found.filter((problem) => missingModuleForm.test(problem));
  if (found.length <= maxProblems) return { problems: found, missingModules };
  const more = `The type check found ${found.length - maxProblems} more errors.`;
  return { problems: [...found.slice(0, maxProblems), more], missingModules };
}
