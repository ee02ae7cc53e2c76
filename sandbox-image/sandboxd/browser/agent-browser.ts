import type { BrowserAction, BrowserReport } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import { AgentPage, type AgentPageLimits, type PageAddress, usualLimits } from './agent-page.ts';
import { takeStep } from './agent-steps.ts';
import type { Chromium, Size } from './chromium.ts';
import { KeptBrowser } from './kept-browser.ts';
import type { BrowserLauncher } from './launcher.ts';

const defaultSize: Size = { width: 1280, height: 720 };
/** A data: URL is named by its beginning. */
const maxUrlCharacters = 500;
/** After these the page is as sound as before. */
const harmless: ReadonlySet<string> = new Set(['ELEMENT_NOT_FOUND', 'VALIDATION_ERROR', 'UNSUPPORTED_TYPE']);

interface Place {
  /** Relative to the dev server, or a data: URL. */
  readonly url: string;
  readonly size: Size;
}

/**
 * The browser that the agent uses: one page that is kept between calls, apart from the browsers that picture films.
 * When the browser has ended meanwhile, the next step opens the page anew, where it was.
 */
export class AgentBrowser implements AsyncDisposable {
  readonly #browser: KeptBrowser;
  readonly #limits: AgentPageLimits;
  #page: AgentPage | null = null;
  #origin: string | null = null;
  /** Where the page is or was. */
  #last: Place = { url: '/', size: defaultSize };
  /** Console messages of the page that were reported. */
  #told = 0;

  constructor(launcher: BrowserLauncher, idleMs: number, limits: AgentPageLimits = usualLimits) {
    this.#limits = limits;
    this.#browser = new KeptBrowser(launcher, {
      idleMs,
      // After anything else its state is unknown.
      survives: (error) => error instanceof ProtocolError && harmless.has(error.code),
      onEnd: () => {
        this.#page = null;
      },
    });
  }

  /** One step on the page of `origin`. Throws ProtocolError NAVIGATION_FAILED, ELEMENT_NOT_FOUND, VALIDATION_ERROR, EXECUTION_FAILED. */
  async step(action: BrowserAction, origin: string, signal: AbortSignal): Promise<BrowserReport> {
    // Judged before anything runs: a wrong address leaves the page as it is.
    const target =
      action.action === 'navigate'
        ? { url: innerUrl(action.url, origin), size: { width: action.width, height: action.height } }
        : null;
    return await this.use(signal, (chromium) => this.#step(chromium, { action, target, origin }, signal));
  }

  /** Lends the browser to `work`, in the order of the calls. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#browser.use(signal, work);
  }

  async #step(
    chromium: Chromium,
    { action, target, origin }: { action: BrowserAction; target: Place | null; origin: string },
    signal: AbortSignal,
  ): Promise<BrowserReport> {
    const isThere = this.#page !== null && !this.#page.gone.aborted && this.#origin === origin;
    // At the very first step nothing was lost.
    const reopened = target === null && !isThere && this.#origin !== null;
    if (target !== null || !isThere) await this.#open(chromium, target ?? this.#last, origin, signal);
    const page = this.#page;
    if (page === null) throw new Error('The page was not opened.');
    const result = await takeStep(page, action, signal);
    const { url, title, scroll } = await page.state(signal);
    if (url.startsWith(`${origin}/`)) this.#last = { ...this.#last, url: url.slice(origin.length) };
    const fresh = page.evidence.messages.slice(this.#told);
    this.#told = page.evidence.messages.length;
    return {
      ...result,
      url: url.slice(0, maxUrlCharacters),
      title,
      scroll,
      reopened,
      console: action.action === 'console' ? [...page.evidence.messages] : fresh.filter(({ level }) => level === 'error'),
    };
  }

  async #open(chromium: Chromium, target: Place, origin: string, signal: AbortSignal): Promise<void> {
    const before = this.#page;
    this.#page = null;
    await before?.[Symbol.asyncDispose]();
    const url = target.url.startsWith('/') ? origin + target.url : target.url;
    const address: PageAddress = { url, origin, size: target.size };
    this.#page = await AgentPage.open(chromium, address, signal, this.#limits);
    this.#last = target;
    this.#origin = origin;
    this.#told = 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#browser[Symbol.asyncDispose]();
  }
}

/**
 * The address as it is opened: of the dev server, by whatever of its names, or a data: URL. Throws NAVIGATION_FAILED for
 * all others: there is no network, and files and the browser's own pages are off limits.
 */
export function innerUrl(input: string, origin: string): string {
  const refuse = (why: string) =>
    new ProtocolError(
      'NAVIGATION_FAILED',
      `"${input.slice(0, 200)}" cannot be opened: ${why}. Give a path of the preview, such as "/", or a data: URL.`,
    );
  if (!URL.canParse(input, `${origin}/`)) throw refuse('it is no address');
  const url = new URL(input, `${origin}/`);
  if (url.protocol === 'data:') return url.href;
  const { port } = new URL(origin);
  const local = url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname) && url.port === port;
  if (!local) throw refuse('the sandbox has no network, and reaches its own preview only');
  return `${url.pathname}${url.search}${url.hash}`;
}
