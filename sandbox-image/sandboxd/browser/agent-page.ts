import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from 'puppeteer-core';
import type { z } from 'zod';
import { ProtocolError } from '../http.ts';
import { type AgentFunctions, agentCall, type PageState, stateSchema } from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { currentSlowness } from '../slowness.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium, Size } from './chromium.ts';
import { devTools } from './devtools.ts';
import { FrameTarget, frameIntervalMs } from './frame-target.ts';
import { collectEvidence, describeException, guardNetwork, PageEvidence } from './page-evidence.ts';

/** Timeouts for an idle machine. On a busy one they are longer (`slowness`). */
export interface AgentPageLimits {
  readonly callTimeoutMs: number;
  readonly loadTimeoutMs: number;
}
export const defaultPageLimits: AgentPageLimits = { callTimeoutMs: 10_000, loadTimeoutMs: 20_000 };
const openingTimeoutMs = 2_000;
const maxAttempts = 20;
const jpegQuality = 80;

export interface PageAddress {
  readonly url: string;
  /** Origin of the dev server, the only reachable one. */
  readonly origin: string;
  readonly size: Size;
}

/**
 * Page for the agent. It draws frames only during a method call, so animations use no CPU in between. Methods throw
 * ProtocolError, or the signal's reason. Schemas validate script results, because the page is untrusted.
 */
export class AgentPage implements AsyncDisposable {
  readonly evidence = new PageEvidence();
  readonly #target: FrameTarget;
  readonly #limits: AgentPageLimits;
  /** Ids of the frames that are loading. */
  readonly #loading = new Set<string>();

  private constructor(target: FrameTarget, limits: AgentPageLimits) {
    this.#target = target;
    this.#limits = limits;
  }

  get closed(): AbortSignal {
    return this.#target.closed;
  }

  /** Opens the page and waits until it has loaded. Throws NAVIGATION_FAILED. */
  static async open(
    chromium: Chromium,
    address: PageAddress,
    signal: AbortSignal,
    limits: AgentPageLimits = defaultPageLimits,
  ): Promise<AgentPage> {
    const crash = () => new ProtocolError('EXECUTION_FAILED', 'The page crashed, probably because it ran out of memory.');
    const page = new AgentPage(await FrameTarget.open(chromium, { size: address.size, signal, crash }), limits);
    try {
      await page.#prepare(address.origin, signal);
      await page.#navigate(address.url, signal);
      return page;
    } catch (error) {
      await page[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Calls a function from `page/agent.ts` in an isolated world that shares the page's document. */
  async call<Name extends keyof AgentFunctions, Schema extends z.ZodType>(
    [name, ...args]: readonly [Name, ...Parameters<AgentFunctions[Name]>],
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const expression = `${pageScript('agent')}${agentCall(name, ...args)}`;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#tryEvaluate(expression, signal);
      if (answer !== null) return schema.parse(answer.value);
      if (attempt === maxAttempts)
        throw new ProtocolError('EXECUTION_FAILED', 'The page keeps reloading itself. Remove the reload, then navigate again.');
      await this.run(5 * frameIntervalMs, signal);
    }
  }

  async state(signal: AbortSignal): Promise<PageState> {
    return await this.call(['state'], stateSchema, signal);
  }

  async run(durationMs: number, signal: AbortSignal): Promise<void> {
    await this.#whileDrawing(delay(durationMs), signal);
  }

  /** Waits for a navigation started by an action to finish, up to a time limit. */
  async untilLoaded(signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + openingTimeoutMs * currentSlowness();
    while (this.#loading.size > 0 && performance.now() < endMs) await this.run(5 * frameIntervalMs, signal);
  }

  async click({ x, y }: { x: number; y: number }, signal: AbortSignal): Promise<void> {
    const event = { x, y, button: 'left', clickCount: 1 } as const;
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const) {
      const button = type === 'mouseMoved' ? ({ button: 'none', clickCount: 0 } as const) : {};
      await this.#whileDrawing(this.#target.session.send('Input.dispatchMouseEvent', { ...event, ...button, type }), signal);
    }
  }

  async insertText(text: string, signal: AbortSignal): Promise<void> {
    await this.#whileDrawing(this.#target.session.send('Input.insertText', { text }), signal);
  }

  async pressEnter(signal: AbortSignal): Promise<void> {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, nativeVirtualKeyCode: 13 };
    await this.#whileDrawing(
      this.#target.session.send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', text: '\r' }),
      signal,
    );
    await this.#whileDrawing(this.#target.session.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' }), signal);
  }

  async capture(signal: AbortSignal): Promise<Buffer> {
    const image = await this.#limited(this.#target.capture({ format: 'jpeg', quality: jpegQuality }), signal);
    if (image === null) throw new ProtocolError('CAPTURE_FAILED', 'The browser returned no image. Try again.');
    return image;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#target[Symbol.asyncDispose]();
  }

  async #prepare(origin: string, signal: AbortSignal): Promise<void> {
    const { session } = this.#target;
    session.on('Page.javascriptDialogOpening', ({ type, message }: Protocol.Page.JavascriptDialogOpeningEvent) => {
      this.evidence.add('warning', `The page opened a dialog (${type}), which was closed: ${message}`);
      // The dialog may have closed with its page.
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
    });
    const loaded = ({ frameId }: { frameId: string }) => this.#loading.delete(frameId);
    session.on('Page.frameStartedLoading', ({ frameId }: Protocol.Page.FrameStartedLoadingEvent) => this.#loading.add(frameId));
    session.on('Page.frameStoppedLoading', loaded);
    session.on('Page.frameDetached', loaded);
    await this.#limited(
      Promise.all([
        session.send('Page.enable'),
        session.send('Inspector.enable'),
        collectEvidence(session, this.evidence),
        guardNetwork(session, origin, { evidence: this.evidence, stillImages: false }),
      ]),
      signal,
    );
  }

  async #navigate(url: string, signal: AbortSignal): Promise<void> {
    const { loadTimeoutMs } = this.#limits;
    const loaded = new Promise<void>((resolve) => this.#target.session.once('Page.loadEventFired', () => resolve()));
    const shown = url.slice(0, 200);
    const { errorText } = await this.#limited(this.#target.session.send('Page.navigate', { url }), signal, loadTimeoutMs);
    if (errorText) throw this.#navigationFailed(`${shown} could not be opened: ${errorText}`);
    const seconds = ((loadTimeoutMs * currentSlowness()) / 1000).toFixed(0);
    const late = () => this.#navigationFailed(`${shown} did not load within ${seconds} s`);
    await this.#whileDrawing(loaded, signal, { timeoutMs: loadTimeoutMs, late });
    const { status } = await this.state(signal);
    if (status >= 400) throw this.#navigationFailed(`${shown} returned the HTTP status ${status}`);
  }

  #navigationFailed(what: string): ProtocolError {
    const errors = this.evidence.errors.slice(-5);
    const quoted = errors.length > 0 ? ` Console errors: ${errors.join(' | ')}` : '';
    return new ProtocolError('NAVIGATION_FAILED', `${what}.${quoted}`, { console: errors });
  }

  /** Returns `null` if no document exists. */
  async #tryEvaluate(expression: string, signal: AbortSignal): Promise<{ value: unknown } | null> {
    const evaluate = async () => {
      const { frameTree } = await this.#target.session.send('Page.getFrameTree');
      const { executionContextId } = await this.#target.session.send('Page.createIsolatedWorld', {
        frameId: frameTree.frame.id,
        worldName: 'koda',
      });
      return this.#target.session.send('Runtime.evaluate', { expression, contextId: executionContextId, returnByValue: true });
    };
    try {
      const { result, exceptionDetails } = await this.#limited(evaluate(), signal);
      if (exceptionDetails) throw new ProtocolError('EXECUTION_FAILED', describeException(exceptionDetails));
      return { value: result.value };
    } catch (error) {
      const { ProtocolError: DevToolsError } = await devTools();
      if (error instanceof DevToolsError && /context|navigat|frame with given id/i.test(error.message)) return null;
      throw error;
    }
  }

  /** Waits for `work` while the page draws, because many results arrive only with the next frame. */
  async #whileDrawing<T>(
    work: Promise<T>,
    signal: AbortSignal,
    { timeoutMs = this.#limits.callTimeoutMs, late = blocked }: { timeoutMs?: number; late?: () => Error } = {},
  ): Promise<T> {
    let over = false;
    const drawing = this.#draw(() => over);
    try {
      const result = await this.#limited(work, signal, timeoutMs, late);
      over = true;
      // An unfinished frame would block the next one. After a failure, no more frames are drawn.
      await this.#limited(drawing, signal);
      return result;
    } finally {
      over = true;
    }
  }

  async #draw(over: () => boolean): Promise<void> {
    while (!over()) {
      await this.#target.draw().catch(() => undefined);
      await delay(frameIntervalMs);
      if (this.closed.aborted) return;
    }
  }

  #limited<T>(
    work: Promise<T>,
    signal: AbortSignal,
    timeoutMs = this.#limits.callTimeoutMs,
    late: () => Error = blocked,
  ): Promise<T> {
    const limited = withTimeLimit(work, timeoutMs * currentSlowness(), late);
    return untilAborted(limited, AbortSignal.any([signal, this.closed]));
  }
}

function blocked(): Error {
  return new ProtocolError(
    'EXECUTION_FAILED',
    'The page stopped responding and was closed. Look for an endless loop, or for work that grows over time. Fix the cause, then navigate again.',
  );
}
