import type { BrowserAction, BrowserReport } from '#contract/sandbox/answers.ts';
import { ProtocolError } from '../http.ts';
import { AgentPage, type AgentPageLimits, defaultPageLimits, type PageAddress } from './agent-page.ts';
import { executeStep } from './agent-steps.ts';
import type { Chromium, Size } from './chromium.ts';
import type { BrowserLauncher } from './launcher.ts';
import { ReusableBrowser } from './reusable-browser.ts';

const defaultSize: Size = { width: 1280, height: 720 };
const maxUrlCharacters = 500;
/** Errors that leave the page in a known state. */
const harmlessCodes: ReadonlySet<string> = new Set(['ELEMENT_NOT_FOUND', 'VALIDATION_ERROR', 'UNSUPPORTED_TYPE']);

interface PageLocation {
  /** Relative to the dev server, or a data: URL. */
  readonly url: string;
  readonly size: Size;
}

/**
 * The agent's browser, separate from the capture browsers. Keeps one page open between calls. If the browser has exited, the next
 * step reopens the page at its last URL.
 */
export class AgentBrowser implements AsyncDisposable {
  readonly #browser: ReusableBrowser;
  readonly #limits: AgentPageLimits;
  #page: AgentPage | null = null;
  #origin: string | null = null;
  #last: PageLocation = { url: '/', size: defaultSize };
  #reportedMessages = 0;

  constructor(launcher: BrowserLauncher, idleMs: number, limits: AgentPageLimits = defaultPageLimits) {
    this.#limits = limits;
    this.#browser = new ReusableBrowser(launcher, {
      idleMs,
      isHarmless: (error) => error instanceof ProtocolError && harmlessCodes.has(error.code),
      onEnd: () => {
        this.#page = null;
      },
    });
  }

  /** Executes one step. Throws NAVIGATION_FAILED, ELEMENT_NOT_FOUND, VALIDATION_ERROR or EXECUTION_FAILED. */
  async step(action: BrowserAction, origin: string, signal: AbortSignal): Promise<BrowserReport> {
    // Validated first, so that a wrong address leaves the page unchanged.
    const target =
      action.action === 'navigate'
        ? { url: resolvePageUrl(action.url, origin), size: { width: action.width, height: action.height } }
        : null;
    return await this.use(signal, (chromium) => this.#step(chromium, { action, target, origin }, signal));
  }

  /** Gives `work` exclusive access to the browser, in call order. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#browser.use(signal, work);
  }

  async #step(
    chromium: Chromium,
    { action, target, origin }: { action: BrowserAction; target: PageLocation | null; origin: string },
    signal: AbortSignal,
  ): Promise<BrowserReport> {
    const isOpen = this.#page !== null && !this.#page.closed.aborted && this.#origin === origin;
    // On the first step, there is no page to reopen.
    const reopened = target === null && !isOpen && this.#origin !== null;
    if (target !== null || !isOpen) await this.#open(chromium, target ?? this.#last, origin, signal);
    const page = this.#page;
    if (page === null) throw new Error('The page was not opened.');
    const result = await executeStep(page, action, signal);
    const { url, title, scroll } = await page.state(signal);
    if (url.startsWith(`${origin}/`)) this.#last = { ...this.#last, url: url.slice(origin.length) };
    const fresh = page.evidence.messages.slice(this.#reportedMessages);
    this.#reportedMessages = page.evidence.messages.length;
    return {
      ...result,
      url: url.slice(0, maxUrlCharacters),
      title,
      scroll,
      reopened,
      console: action.action === 'console' ? [...page.evidence.messages] : fresh.filter(({ level }) => level === 'error'),
    };
  }

  async #open(chromium: Chromium, target: PageLocation, origin: string, signal: AbortSignal): Promise<void> {
    const before = this.#page;
    this.#page = null;
    await before?.[Symbol.asyncDispose]();
    const url = target.url.startsWith('/') ? origin + target.url : target.url;
    const address: PageAddress = { url, origin, size: target.size };
    this.#page = await AgentPage.open(chromium, address, signal, this.#limits);
    this.#last = target;
    this.#origin = origin;
    this.#reportedMessages = 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#browser[Symbol.asyncDispose]();
  }
}

/**
 * Resolves a dev-server address or data: URL. Throws NAVIGATION_FAILED for all others, because the sandbox has no network.
 */
export function resolvePageUrl(input: string, origin: string): string {
  const refuse = (why: string) =>
    new ProtocolError(
      'NAVIGATION_FAILED',
      `"${input.slice(0, 200)}" cannot be opened: ${why}. Use a path of the preview, such as "/", or a data: URL.`,
    );
  if (!URL.canParse(input, `${origin}/`)) throw refuse('it is not a valid address');
  const url = new URL(input, `${origin}/`);
  if (url.protocol === 'data:') return url.href;
  const { port } = new URL(origin);
  const local = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname) && url.port === port;
  if (!local) throw refuse('the sandbox has no network except for its own preview');
  return `${url.pathname}${url.search}${url.hash}`;
}
