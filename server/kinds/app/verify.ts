import type { BrowserReport } from '#contract/sandbox/answers.ts';
import type { AppDocument, Page } from '../../../sandbox-image/templates/app/model/document.ts';
import { type CallOptions, type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
import { checkTypes } from '../../tools/checks/type-check.ts';
import type { CheckReport } from '../../tools/context.ts';
import { countOf } from './words.ts';

const dataCheckMs = 60_000;
const maxOutputCharacters = 16_000;
const maxErrors = 3;
const maxErrorCharacters = 600;
const size = { width: 1280, height: 800 };

const emptyReport = { warnings: [], differences: [], contactSheet: null };

/** Checks the types of an app. */
export async function checkAppTypes(sandbox: Sandbox, options: CallOptions): Promise<CheckReport> {
  const { problems } = await checkTypes(sandbox, options);
  return { ...emptyReport, problems, info: {} };
}

/**
 * Checks a whole app: its types, every page in a browser, and its data. If the types are wrong, checks nothing else. Errors from the
 * sandbox propagate.
 */
export async function verifyApp(sandbox: Sandbox, { pages }: AppDocument, options: CallOptions): Promise<CheckReport> {
  const types = await checkAppTypes(sandbox, options);
  if (types.problems.length > 0) return types;
  const problems: string[] = [];
  for (const page of pages) problems.push(...(await pageProblems(sandbox, page, options)));
  if (problems.length === 0) problems.push(...(await dataProblems(sandbox, options)));
  return { ...emptyReport, problems, info: { pages: pages.map(({ id }) => id) } };
}

/** Opens each view of a page, because a page shows one at a time. */
async function pageProblems(sandbox: Sandbox, { id, name, views }: Page, options: CallOptions): Promise<string[]> {
  const problems: string[] = [];
  for (const view of views)
    for (const problem of await viewProblems(sandbox, `/${id}?view=${view.id}`, options))
      problems.push(
        views.length === 1 ? `The page “${name}” ${problem}` : `The page “${name}” with the view “${view.id}” ${problem}`,
      );
  return problems.slice(0, maxErrors);
}

/** Returns what is wrong with the page at an address, each as the end of a sentence. */
async function viewProblems(sandbox: Sandbox, url: string, options: CallOptions): Promise<string[]> {
  try {
    const opened = await sandbox.browse({ action: 'navigate', url, ...size }, options);
    const shown = await sandbox.browse({ action: 'extract', selector: 'body', what: 'text' }, options);
    const errors = [...consoleErrors(opened), ...consoleErrors(shown)].map((text) => `reports an error: ${text}`);
    if (errors.length === 0 && (shown.content ?? '').trim() === '') return ['is empty.'];
    return errors;
  } catch (error) {
    // A page that cannot be opened is a problem of the app. All other errors are those of the sandbox.
    if (error instanceof SandboxdError && (error.code === 'NAVIGATION_FAILED' || error.code === 'SERVER_FAILED'))
      return [`cannot be opened. ${error.message.slice(0, maxErrorCharacters)}`];
    throw error;
  }
}

const consoleErrors = ({ console }: BrowserReport) =>
  console.filter(({ level }) => level === 'error').map(({ text }) => text.slice(0, maxErrorCharacters));

/** Runs the app's own script, which adds, changes, deletes and restores a record of each list, and leaves the data as it was. */
async function dataProblems(sandbox: Sandbox, options: CallOptions): Promise<string[]> {
  const { port } = await sandbox.previewStatus(options);
  if (port === null) return ['The app’s server is not running, so its data cannot be checked.'];
  const command = `node scripts/verify.mjs http://127.0.0.1:${port}`;
  let output = '';
  for await (const event of sandbox.exec({ command, cwd: null, env: {}, timeoutMs: dataCheckMs }, options)) {
    if (event.type === 'stdout' || event.type === 'stderr') output = (output + event.text).slice(-maxOutputCharacters);
    else if (event.type === 'error') return [`The app’s data cannot be checked: ${event.message}`];
    else if (event.type === 'exit') {
      if (event.timedOut) return [`The check of the app’s data did not finish within ${countOf(dataCheckMs / 1000, 'second')}.`];
      return event.exitCode === 0
        ? []
        : output
            .split('\n')
            .filter((line) => line.trim() !== '')
            .slice(0, 12);
    }
  }
  return ['The connection to the sandbox closed before the app’s data was checked.'];
}
