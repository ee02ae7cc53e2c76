import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

const maxModules = 500;
const atOnce = 8;
const maxProblems = 10;
const maxProblemCharacters = 1500;
const maxModuleBytes = 4 * 1024 * 1024;
/** For all modules together. */
const timeoutMs = 20_000;

/** How Vite answers for a module that it cannot compile: a page that shows this error. */
const errorForm = /const error = (\{.*\})$/m;
const errorSchema = z.object({
  message: z.string(),
  id: z.string().optional(),
  frame: z.string().default(''),
  loc: z.object({ file: z.string().optional(), line: z.int(), column: z.int() }).optional(),
});
const scriptForm = /<script[^>]*\bsrc="([^"]+)"/g;
const importForm = /\bfrom\s*"([^"\n]+)"|\bimport\s*\(?\s*"([^"\n]+)"/g;

/**
 * Why modules of the running page cannot be compiled, one problem each with file, line and the compiler's words; empty
 * when all of them can. Walks from the page along its imports, as a browser would, so that the page loads faster
 * afterwards. What cannot be fetched is left to the page itself to complain of.
 */
export async function compileProblems(origin: string, workspace: string, signal: AbortSignal): Promise<string[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const problems: string[] = [];
  const seen = new Set<string>(['/']);
  const next = ['/'];
  while (next.length > 0 && problems.length < maxProblems) {
    const modules = next.splice(0, atOnce);
    const answers = await Promise.all(modules.map((path) => fetchModule(origin + path, limited)));
    signal.throwIfAborted();
    for (const [index, answer] of answers.entries()) {
      if (answer?.status === 500) {
        const problem = problemOf(answer.text, workspace);
        if (problem !== null) problems.push(problem);
      }
      for (const path of answer?.status === 200 ? importsOf(answer.text, modules[index] === '/') : []) {
        if (seen.has(path) || seen.size >= maxModules) continue;
        seen.add(path);
        next.push(path);
      }
    }
  }
  return problems;
}

async function fetchModule(url: string, signal: AbortSignal): Promise<{ status: number; text: string } | null> {
  try {
    // As a script asks: for `text/html` the dev server may answer with the page.
    const answer = await fetch(url, { signal, headers: { accept: url.endsWith('/') ? 'text/html' : '*/*' } });
    return { status: answer.status, text: (await answer.text()).slice(0, maxModuleBytes) };
  } catch {
    // The dev server went away, or the time is up.
    return null;
  }
}

/** The project's own modules that a module or page asks for; packages come prepared. */
function importsOf(text: string, isPage: boolean): string[] {
  const names = [...text.matchAll(isPage ? scriptForm : importForm)].map(([, one, other]) => one ?? other ?? '');
  return names.filter((name) => /^\/(?!@|\.koda\/|node_modules\/)/.test(name) && /\.(m?[jt]sx?|css|json)(\?|$)/.test(name));
}

/** A compiler's message with its place; null when the answer has another form. */
export function problemOf(answer: string, workspace: string): string | null {
  const [, json = ''] = errorForm.exec(answer) ?? [];
  let parsed: ReturnType<typeof errorSchema.safeParse>;
  try {
    parsed = errorSchema.safeParse(JSON.parse(json));
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const { message, id, frame, loc } = parsed.data;
  const file = inWorkspace((loc?.file ?? id ?? '').split('?')[0] ?? '', workspace);
  const words = stripVTControlCharacters([message.trim(), frame.trimEnd()].filter((part) => part !== '').join('\n'));
  // Columns of the dev server count from 0, those of editors and compilers from 1.
  const place = loc === undefined ? file : `${file}:${loc.line}:${loc.column + 1}`;
  const problem = place === '' || words.includes(`${file}:`) ? words : `${place}: ${words}`;
  return problem.replaceAll(`${workspace}/`, '').slice(0, maxProblemCharacters);
}

function inWorkspace(file: string, workspace: string): string {
  const path = isAbsolute(file) ? relative(workspace, file) : file;
  return path.startsWith('..') ? file : path;
}
