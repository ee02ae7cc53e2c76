import { createHash } from 'node:crypto';
import type { BrowserReport } from '#contract/sandbox/answers.ts';
import type { AppDocument, Page, View } from '../../../sandbox-image/templates/app/model/document.ts';
import { type CallOptions, type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
import { checkTypes } from '../../tools/checks/type-check.ts';
import type { CheckReport } from '../../tools/context.ts';
import { printApp } from './print.ts';
import { countOf } from './words.ts';

const commandMs = 60_000;
const maxOutputCharacters = 200_000;
const maxLines = 12;
/** Hashes the files that the type check reads, in the project and in its template, to which the packages are linked. */
const hashFiles = 'find src server model scripts *.ts *.json -type f -print0 | xargs -0 sha256sum';
const hashCode = `test -L node_modules && ${hashFiles} && echo -- && cd "$(dirname "$(readlink -f node_modules)")" && ${hashFiles}`;
const maxErrors = 3;
const maxErrorCharacters = 600;
const size = { width: 1280, height: 800 };

const emptyReport = { warnings: [], differences: [], contactSheet: null };

/** Checks the types of an app, unless all its code is the template's or printed from the document. */
export async function checkAppTypes(sandbox: Sandbox, document: AppDocument, options: CallOptions): Promise<CheckReport> {
  if (await isAllPrinted(sandbox, document, options)) return { ...emptyReport, problems: [], info: {} };
  const { problems } = await checkTypes(sandbox, options);
  return { ...emptyReport, problems, info: {} };
}

/**
 * Checks a whole app: its types, every page in a browser, and its data. If the types are wrong, checks nothing else. Errors from the
 * sandbox propagate.
 */
export async function verifyApp(sandbox: Sandbox, document: AppDocument, options: CallOptions): Promise<CheckReport> {
  const types = await checkAppTypes(sandbox, document, options);
  if (types.problems.length > 0) return types;
  const { pages } = document;
  const [shown, data] = await Promise.all([problemsOfPages(sandbox, pages, options), dataProblems(sandbox, options)]);
  return { ...emptyReport, problems: [...shown, ...data], info: { pages: pages.map(({ id }) => id) } };
}

/** Shows each view of each page, because a page shows one at a time. */
async function problemsOfPages(sandbox: Sandbox, pages: readonly Page[], options: CallOptions): Promise<string[]> {
  const problems: string[] = [];
  for (const page of pages) {
    const found: string[] = [];
    for (const view of page.views)
      for (const problem of await viewProblems(
        sandbox,
        { page, view, isFirst: page === pages[0] && view === page.views[0] },
        options,
      ))
        found.push(
          page.views.length === 1
            ? `The page “${page.name}” ${problem}`
            : `The page “${page.name}” with the view “${view.id}” ${problem}`,
        );
    problems.push(...found.slice(0, maxErrors));
  }
  return problems;
}

interface Stop {
  readonly page: Page;
  readonly view: View;
  readonly isFirst: boolean;
}

/** Returns what is wrong with a view, each problem as the end of a sentence. */
async function viewProblems(sandbox: Sandbox, stop: Stop, options: CallOptions): Promise<string[]> {
  try {
    const reports = await visit(sandbox, stop, options);
    const shown = await shownText(sandbox, options);
    const errors = [...reports, shown].flatMap(consoleErrors).map((text) => `reports an error: ${text}`);
    if (errors.length === 0 && (shown.content ?? '').trim() === '') return ['is empty.'];
    return errors;
  } catch (error) {
    // A page that cannot be opened is a problem of the app. All other errors are those of the sandbox.
    if (isOneOf(error, 'NAVIGATION_FAILED', 'SERVER_FAILED'))
      return [`cannot be opened. ${error.message.slice(0, maxErrorCharacters)}`];
    throw error;
  }
}

/** Shows a view, by the app's own navigation if it can, because that takes a fraction of the time that loading the app takes. */
async function visit(sandbox: Sandbox, { page, view, isFirst }: Stop, options: CallOptions): Promise<BrowserReport[]> {
  const reports: BrowserReport[] = [];
  if (!isFirst && page.public !== true) {
    const index = page.views.indexOf(view);
    const selector = index === 0 ? `nav a[href="/${page.id}"]` : `.segments button:nth-of-type(${index + 1})`;
    try {
      const clicked = await sandbox.browse({ action: 'click', selector, text: null, at: null }, options);
      reports.push(clicked);
      const { pathname, searchParams } = new URL(clicked.url, 'http://localhost');
      if (pathname === `/${page.id}` && (searchParams.get('view') ?? page.views[0]?.id) === view.id) return reports;
    } catch (error) {
      // A public page has no navigation, and whoever changes the shell may leave it out.
      if (!isOneOf(error, 'ELEMENT_NOT_FOUND')) throw error;
    }
  }
  reports.push(await sandbox.browse({ action: 'navigate', url: `/${page.id}?view=${view.id}`, ...size }, options));
  return reports;
}

/** Waits until the page's code has been loaded. A changed shell may name its parts otherwise, so the whole text counts then. */
async function shownText(sandbox: Sandbox, options: CallOptions): Promise<BrowserReport> {
  try {
    return await sandbox.browse({ action: 'extract', selector: '#content > *', what: 'text' }, options);
  } catch (error) {
    if (!isOneOf(error, 'ELEMENT_NOT_FOUND')) throw error;
    return await sandbox.browse({ action: 'extract', selector: 'body', what: 'text' }, options);
  }
}

const isOneOf = (error: unknown, ...codes: string[]): error is SandboxdError =>
  error instanceof SandboxdError && codes.includes(error.code);

const consoleErrors = ({ console }: BrowserReport) =>
  console.filter(({ level }) => level === 'error').map(({ text }) => text.slice(0, maxErrorCharacters));

/** Runs the app's own script, which adds, changes, deletes and restores a record of each list in a copy of the data. */
async function dataProblems(sandbox: Sandbox, options: CallOptions): Promise<string[]> {
  const { exitCode, output, problem } = await ran(sandbox, 'node scripts/verify.mjs', options);
  if (problem !== null) return [`The app’s data cannot be checked: ${problem}`];
  if (exitCode === 0) return [];
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 ? lines.slice(-maxLines) : ['The check of the app’s data failed without saying why.'];
}

/**
 * Returns whether each file of code is as in the template, or as printed from the document. The types of all these are checked before
 * Koda is released.
 */
async function isAllPrinted(sandbox: Sandbox, document: AppDocument, options: CallOptions): Promise<boolean> {
  if (document.pages.some(({ views }) => views.some(({ view }) => view === 'code'))) return false;
  const { exitCode, output } = await ran(sandbox, hashCode, options);
  if (exitCode !== 0) return false;
  const [own = [], template = []] = output.split('--').map((part) => part.split('\n').filter((line) => line !== ''));
  const printed = printApp(document).map(({ path, content }) => `${createHash('sha256').update(content).digest('hex')}  ${path}`);
  const known = new Set([...template, ...printed]);
  const missing = new Set(printed);
  for (const line of own) missing.delete(line);
  return own.length > 0 && missing.size === 0 && own.every((line) => known.has(line));
}

interface Ran {
  readonly exitCode: number | null;
  /** Its end. */
  readonly output: string;
  /** Why it did not end by itself. */
  readonly problem: string | null;
}

async function ran(sandbox: Sandbox, command: string, options: CallOptions): Promise<Ran> {
  let output = '';
  for await (const event of sandbox.exec({ command, cwd: null, env: {}, timeoutMs: commandMs }, options)) {
    if (event.type === 'stdout' || event.type === 'stderr') output = (output + event.text).slice(-maxOutputCharacters);
    else if (event.type === 'error') return { exitCode: null, output, problem: event.message };
    else if (event.type === 'exit') {
      const problem = event.timedOut ? `it did not finish within ${countOf(commandMs / 1000, 'second')}.` : null;
      return { exitCode: event.exitCode, output, problem };
    }
  }
  return { exitCode: null, output, problem: 'the connection to the sandbox closed.' };
}
