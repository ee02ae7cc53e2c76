import { describe, expect, it } from 'vitest';
import type { BrowserAction, BrowserReport, ExecEvent } from '#contract/sandbox/answers.ts';
import { type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
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

interface Answers {
  /** Output of the commands that begin like this, which then fail. */
  readonly failing?: Readonly<Record<string, string>>;
  readonly page?: (url: string) => Partial<BrowserReport>;
}

function sandboxWith({ failing = {}, page = () => ({}) }: Answers): { sandbox: Sandbox; opened: string[]; ran: string[] } {
  const opened: string[] = [];
  const ran: string[] = [];
  async function* exec({ command }: { command: string }): AsyncGenerator<ExecEvent> {
    ran.push(command);
    const [, output] = Object.entries(failing).find(([start]) => command.startsWith(start)) ?? [];
    if (output !== undefined) yield { type: 'stdout', text: output };
    yield { type: 'exit', exitCode: output === undefined ? 0 : 1, signal: null, timedOut: false, durationMs: 1 };
  }
  const sandbox: Partial<Sandbox> = {
    exec,
    async browse(action: BrowserAction) {
      if (action.action === 'navigate') opened.push(action.url);
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
    expect(ran.at(-1)).toBe('node scripts/verify.mjs http://127.0.0.1:4321');
  });

  it('says which page reports an error', async () => {
    const error = { level: 'error' as const, text: 'TypeError: x is undefined' };
    const { sandbox, ran } = sandboxWith({ page: (url) => (url === '/loans?view=open' ? { console: [error] } : {}) });
    const { problems } = await verifyApp(sandbox, document, options);
    expect(problems[0]).toBe('The page “Loans” with the view “open” reports an error: TypeError: x is undefined');
    expect(ran.some((command) => command.includes('verify.mjs'))).toBe(false);
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
    const { sandbox, opened } = sandboxWith({ failing: { npm: 'src/a.ts(1,2): error TS2304: Cannot find name.' } });
    expect((await verifyApp(sandbox, document, options)).problems).toEqual(['src/a.ts(1,2): error TS2304: Cannot find name.']);
    expect(opened).toEqual([]);
  });

  it('passes on what the check of the data says', async () => {
    const { sandbox } = sandboxWith({ failing: { node: 'The list “Tools” does not work: it is full.\n' } });
    expect((await verifyApp(sandbox, document, options)).problems).toEqual(['The list “Tools” does not work: it is full.']);
  });
});
