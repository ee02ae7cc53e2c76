import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BrowserAction, BrowserReport, ExecEvent } from '#contract/sandbox/answers.ts';
import { type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
import { printApp } from './print.ts';
import { startingPoint } from './starting-points.ts';
import { verifyApp } from './verify.ts';

const library = startingPoint('tool-library');
if (library === null) throw new Error('There is no tool library.');
const { document } = library;
const options = { signal: new AbortController().signal };

const report: BrowserReport = {
  ...{ url: '/', title: '', reopened: false, scroll: { x: 0, y: 0, maxX: 0, maxY: 0 }, element: null, elements: [] },
  ...{ content: 'Tools', matches: 1, complete: true, picture: null, console: [] },
};

const hashOf = ({ path, content }: { path: string; content: string }) =>
  `${createHash('sha256').update(content).digest('hex')}  ${path}`;
const printed = printApp(document).map(hashOf);
const template = ['a  src/main.tsx', 'b  src/app.json'];

interface Answers {
  /** Lines about the project's code: a hash and a path each. */
  readonly code?: readonly string[];
  /** Whether the app's navigation can be clicked. */
  readonly hasNavigation?: boolean;
  /** Output of the commands that begin like this, which then fail. */
  readonly failing?: Readonly<Record<string, string>>;
  readonly page?: (url: string) => Partial<BrowserReport>;
}

function sandboxWith({
  failing = {},
  page = () => ({}),
  code = [...printed, 'a  src/main.tsx'],
  hasNavigation = false,
}: Answers): { sandbox: Sandbox; opened: string[]; ran: string[] } {
  const opened: string[] = [];
  const ran: string[] = [];
  async function* exec({ command }: { command: string }): AsyncGenerator<ExecEvent> {
    ran.push(command);
    if (command.includes('sha256sum')) yield { type: 'stdout', text: [...code, '--', ...template].join('\n') };
    const [, output] = Object.entries(failing).find(([start]) => command.startsWith(start)) ?? [];
    if (output !== undefined) yield { type: 'stdout', text: output };
    yield { type: 'exit', exitCode: output === undefined ? 0 : 1, signal: null, timedOut: false, durationMs: 1 };
  }
  const sandbox: Partial<Sandbox> = {
    exec,
    async browse(action: BrowserAction) {
      if (action.action === 'navigate') opened.push(action.url);
      if (action.action === 'click') {
        const [, id] = /href="\/(.*)"/.exec(action.selector ?? '') ?? [];
        if (!hasNavigation || id === undefined) throw new SandboxdError('ELEMENT_NOT_FOUND', 'The page has no such element.', {});
        opened.push(`click ${id}`);
        return { ...report, url: `http://127.0.0.1:4321/${id}` };
      }
      return { ...report, ...page(opened.at(-1) ?? '') };
    },
    previewStatus: async () => ({ state: 'running', port: 4321, log: '', problems: [], revision: 1 }),
  };
  return { sandbox: sandbox as Sandbox, opened, ran };
}

describe('the check of an app', () => {
  it('opens every view of every page, and changes the data through the app’s own server', async () => {
    const { sandbox, opened, ran } = sandboxWith({});
    expect((await verifyApp(sandbox, document, options)).problems).toEqual([]);
    expect(opened).toEqual([
      ...['/tools?view=all', '/shed?view=states', '/loans?view=due', '/loans?view=open', '/neighbours?view=people'],
      '/borrow?view=request',
    ]);
    expect(ran.at(-1)).toBe('node scripts/verify.mjs');
  });

  it('loads the app once if its navigation works', async () => {
    const { sandbox, opened } = sandboxWith({ hasNavigation: true });
    expect((await verifyApp(sandbox, document, options)).problems).toEqual([]);
    // A page's other views, and public pages, are not in the navigation.
    expect(opened).toEqual([
      ...['/tools?view=all', 'click shed', 'click loans', '/loans?view=open', 'click neighbours', '/borrow?view=request'],
    ]);
  });

  it('checks the types only of code that Koda has not printed', async () => {
    const isChecked = async (code: readonly string[]) => {
      const { sandbox, ran } = sandboxWith({ code });
      await verifyApp(sandbox, document, options);
      return ran.some((command) => command.startsWith('npm'));
    };
    expect(await isChecked([...printed, ...template.slice(0, 1)])).toBe(false);
    expect(await isChecked([...printed, 'c  src/main.tsx'])).toBe(true);
    expect(await isChecked([...printed, 'c  src/pages/mine.tsx'])).toBe(true);
    expect(await isChecked([...printed.slice(1), 'b  src/app.json'])).toBe(true);
    expect(await isChecked([])).toBe(true);
  });

  it('says which page reports an error', async () => {
    const error = { level: 'error' as const, text: 'TypeError: x is undefined' };
    const { sandbox } = sandboxWith({ page: (url) => (url === '/loans?view=open' ? { console: [error] } : {}) });
    const { problems } = await verifyApp(sandbox, document, options);
    expect(problems[0]).toBe('The page “Loans” with the view “open” reports an error: TypeError: x is undefined');
  });

  it('says which page is empty, and which cannot be opened', async () => {
    const { sandbox } = sandboxWith({
      page(url) {
        if (url.startsWith('/shed')) throw new SandboxdError('NAVIGATION_FAILED', '/shed returned the HTTP status 500.', {});
        return url.startsWith('/borrow') ? { content: ' ' } : {};
      },
    });
    expect((await verifyApp(sandbox, document, options)).problems).toEqual([
      'The page “Shed” cannot be opened. /shed returned the HTTP status 500.',
      'The page “Borrow a tool” is empty.',
    ]);
  });

  it('does not blame the app for a sandbox that ends', async () => {
    const { sandbox } = sandboxWith({
      page() {
        throw new SandboxdError('EXECUTION_FAILED', 'The page crashed.', {});
      },
    });
    await expect(verifyApp(sandbox, document, options)).rejects.toThrow('The page crashed.');
  });

  it('opens no page if the types are wrong', async () => {
    const { sandbox, opened } = sandboxWith({ code: [], failing: { npm: 'src/a.ts(1,2): error TS2304: Cannot find name.' } });
    expect((await verifyApp(sandbox, document, options)).problems).toEqual(['src/a.ts(1,2): error TS2304: Cannot find name.']);
    expect(opened).toEqual([]);
  });

  it('passes on what the check of the data says', async () => {
    const { sandbox } = sandboxWith({ failing: { node: 'The list “Tools” does not work: it is full.\n' } });
    expect((await verifyApp(sandbox, document, options)).problems).toEqual(['The list “Tools” does not work: it is full.']);
  });
});
