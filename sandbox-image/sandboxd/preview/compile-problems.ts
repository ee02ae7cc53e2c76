import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

const maxModules = 500;
const maxParallel = 8;
const maxProblems = 10;
const maxProblemCharacters = 1500;
const maxModuleBytes = 4 * 1024 * 1024;
const timeoutMs = 20_000;

/** Matches the error in the page that Vite returns for a module that it cannot compile. */
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
 * Returns one message with file and line per module that fails to compile. Follows the page's imports like a browser, which
 * also warms the dev server's cache. Ignores modules that cannot be fetched, because the page itself reports them.
 */
export async function compileProblems(origin: string, workspace: string, signal: AbortSignal): Promise<string[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const problems: string[] = [];
  const seen = new Set<string>(['/']);
  const next = ['/'];
  while (next.length > 0 && problems.length < maxProblems) {
    const modules = next.splice(0, maxParallel);
    const responses = await Promise.all(modules.map((path) => fetchModule(origin + path, limited)));
    signal.throwIfAborted();
    const loaded = responses.flatMap((response, index) => (response ? [{ ...response, isPage: modules[index] === '/' }] : []));
    problems.push(...loaded.flatMap(({ status, text }) => (status === 500 ? (problemOf(text, workspace) ?? []) : [])));
    for (const path of loaded.flatMap(({ status, text, isPage }) => (status === 200 ? importsOf(text, isPage) : []))) {
      if (seen.has(path) || seen.size >= maxModules) continue;
      seen.add(path);
      next.push(path);
    }
  }
  return problems;
}

async function fetchModule(url: string, signal: AbortSignal): Promise<{ status: number; text: string } | null> {
  try {
    // With `text/html`, the dev server might respond with the page.
    const response = await fetch(url, { signal, headers: { accept: url.endsWith('/') ? 'text/html' : '*/*' } });
    return { status: response.status, text: (await response.text()).slice(0, maxModuleBytes) };
  } catch {
    return null;
  }
}

/** Returns the project's own modules that a module or page imports; packages are prebundled. */
function importsOf(text: string, isPage: boolean): string[] {
  const names = [...text.matchAll(isPage ? scriptForm : importForm)].map(([, one, other]) => one ?? other ?? '');
  return names.filter((name) => /^\/(?!@|\.koda\/|node_modules\/)/.test(name) && /\.(m?[jt]sx?|css|json)(\?|$)/.test(name));
}

/** Returns the compiler's message with its location, or `null` for an unknown format. */
export function problemOf(response: string, workspace: string): string | null {
  const [, json = ''] = errorForm.exec(response) ?? [];
  let parsed: ReturnType<typeof errorSchema.safeParse>;
  try {
    parsed = errorSchema.safeParse(JSON.parse(json));
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const { message, id, frame, loc } = parsed.data;
  const file = inWorkspace((loc?.file ?? id ?? '').split('?')[0] ?? '', workspace);
  const text = stripVTControlCharacters([message.trim(), frame.trimEnd()].filter((part) => part !== '').join('\n'));
  // Vite counts columns from 0, editors and compilers from 1.
  const location = loc === undefined ? file : `${file}:${loc.line}:${loc.column + 1}`;
  const problem = location === '' || text.includes(`${file}:`) ? text : `${location}: ${text}`;
  return problem.replaceAll(`${workspace}/`, '').slice(0, maxProblemCharacters);
}

function inWorkspace(file: string, workspace: string): string {
  const path = isAbsolute(file) ? relative(workspace, file) : file;
  return path.startsWith('..') ? file : path;
}
