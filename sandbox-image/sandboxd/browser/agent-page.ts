import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from 'puppeteer-core';
import type { z } from 'zod';
import { ProtocolError } from '../http.ts';
import { type AgentFunctions, agentCall, type PageState, stateSchema } from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium, Size } from './chromium.ts';
import { devTools } from './devtools.ts';
import { FrameTarget, frameIntervalMs } from './frame-target.ts';
import { currentSlowness } from './page-calls.ts';
import { collectEvidence, describeException, guardNetwork, PageEvidence } from './page-evidence.ts';

/** Longest that a page may take for one answer, or for its load, on an idle machine. */
export interface AgentPageLimits {
  readonly callTimeoutMs: number;
  readonly loadTimeoutMs: number;
}
export const usualLimits: AgentPageLimits = { callTimeoutMs: 10_000, loadTimeoutMs: 20_000 };
/** How often a script is tried again while one document takes the place of another. */
const maxTries = 20;
const jpegQuality = 80;

export interface PageAddress {
  readonly url: string;
  /** Of the dev server: nothing else can be reached. */
  readonly origin: string;
  readonly size: Size;
}

/**
 * A page for the agent to look at and to use. Frames are drawn only while one of its methods is at work, so that a page
 * that animates costs nothing in between. Methods throw ProtocolError, and the reason of `signal` once that fired. What
 * the page's scripts answer is judged by schemas: the page may be hostile.
 */
export class AgentPage implements AsyncDisposable {
  readonly evidence = new PageEvidence();
  readonly #target: FrameTarget;
  readonly #limits: AgentPageLimits;

  private constructor(target: FrameTarget, limits: AgentPageLimits) {
    this.#target = target;
    this.#limits = limits;
  }

  /** Fires when the page cannot be used any more. */
  get gone(): AbortSignal {
    return this.#target.gone;
  }

  /** Opens the page and waits until it is loaded. Throws NAVIGATION_FAILED. */
  static async open(
    chromium: Chromium,
    address: PageAddress,
    signal: AbortSignal,
    limits: AgentPageLimits = usualLimits,
  ): Promise<AgentPage> {
    const crash = () => new ProtocolError('EXECUTION_FAILED', 'The page crashed, most often for want of memory.');
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

  /** What a function of `page/agent.ts` answers, which runs beside the page's own scripts, over the same document. */
  async ask<Name extends keyof AgentFunctions, Schema extends z.ZodType>(
    [name, ...args]: readonly [Name, ...Parameters<AgentFunctions[Name]>],
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const expression = `${pageScript('agent')}${agentCall(name, ...args)}`;
    for (let tries = 1; ; tries++) {
      const answer = await this.#tryEvaluate(expression, signal);
      if (answer !== null) return schema.parse(answer.value);
      if (tries === maxTries) throw new ProtocolError('EXECUTION_FAILED', 'The page loads itself again and again.');
      await this.run(5 * frameIntervalMs, signal);
    }
  }

  async state(signal: AbortSignal): Promise<PageState> {
    return await this.ask(['state'], stateSchema, signal);
  }

  /** Lets the page run for a while. */
  async run(durationMs: number, signal: AbortSignal): Promise<void> {
    await this.#whileDrawing(delay(durationMs), signal);
  }

  async click({ x, y }: { x: number; y: number }, signal: AbortSignal): Promise<void> {
    const event = { x, y, button: 'left', clickCount: 1 } as const;
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const) {
      const button = type === 'mouseMoved' ? ({ button: 'none', clickCount: 0 } as const) : {};
      await this.#whileDrawing(this.#target.session.send('Input.dispatchMouseEvent', { ...event, ...button, type }), signal);
    }
  }

  /** Types where the caret is. */
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

  /** The window as it is, as JPEG. */
  async picture(signal: AbortSignal): Promise<Buffer> {
    const picture = await this.#limited(this.#target.picture({ format: 'jpeg', quality: jpegQuality }), signal);
    if (picture === null) throw new ProtocolError('CAPTURE_FAILED', 'The browser gave no picture. Try again.');
    return picture;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#target[Symbol.asyncDispose]();
  }

  async #prepare(origin: string, signal: AbortSignal): Promise<void> {
    const { session } = this.#target;
    session.on('Page.javascriptDialogOpening', ({ type, message }: Protocol.Page.JavascriptDialogOpeningEvent) => {
      this.evidence.add('warning', `The page opened a dialog (${type}), which was closed: ${message}`);
      // Closed by itself with its page, perhaps.
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
    });
    await this.#limited(
      Promise.all([
        session.send('Page.enable'),
        session.send('Inspector.enable'),
        collectEvidence(session, this.evidence),
        guardNetwork(session, origin, this.evidence),
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
    const late = () => this.#navigationFailed(`${shown} was not loaded after ${seconds} s`);
    await this.#whileDrawing(loaded, signal, { timeoutMs: loadTimeoutMs, late });
    const { status } = await this.state(signal);
    if (status >= 400) throw this.#navigationFailed(`${shown} answered with the status ${status}`);
  }

  #navigationFailed(what: string): ProtocolError {
    const said = this.evidence.errors.slice(-5);
    const quoted = said.length > 0 ? ` The page said: ${said.join(' | ')}` : '';
    return new ProtocolError('NAVIGATION_FAILED', `${what}.${quoted}`, { console: said });
  }

  /** Null while there is no document to ask. */
  async #tryEvaluate(expression: string, signal: AbortSignal): Promise<{ value: unknown } | null> {
    const asking = async () => {
      const { frameTree } = await this.#target.session.send('Page.getFrameTree');
      const { executionContextId } = await this.#target.session.send('Page.createIsolatedWorld', {
        frameId: frameTree.frame.id,
        worldName: 'koda',
      });
      return this.#target.session.send('Runtime.evaluate', { expression, contextId: executionContextId, returnByValue: true });
    };
    try {
      const { result, exceptionDetails } = await this.#limited(asking(), signal);
      if (exceptionDetails) throw new ProtocolError('EXECUTION_FAILED', describeException(exceptionDetails));
      return { value: result.value };
    } catch (error) {
      const { ProtocolError: DevToolsError } = await devTools();
      if (error instanceof DevToolsError && /context|navigat|frame with given id/i.test(error.message)) return null;
      throw error;
    }
  }

  /** Waits for `work` while the page runs: many answers come only with the next frame. */
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
      // A frame that is being drawn would be in the way of the next one. After a failure nothing is drawn any more.
      await this.#limited(drawing, signal);
      return result;
    } finally {
      over = true;
    }
  }

  async #draw(over: () => boolean): Promise<void> {
    while (!over()) {
      // Between two documents there is nothing to draw.
      await this.#target.draw().catch(() => undefined);
      await delay(frameIntervalMs);
      if (this.gone.aborted) return;
    }
  }

  #limited<T>(
    work: Promise<T>,
    signal: AbortSignal,
    timeoutMs = this.#limits.callTimeoutMs,
    late: () => Error = blocked,
  ): Promise<T> {
    const limited = withTimeLimit(work, timeoutMs * currentSlowness(), late);
    return untilAborted(limited, AbortSignal.any([signal, this.gone]));
  }
}

function blocked(): Error {
  return new ProtocolError(
    'EXECUTION_FAILED',
    'The page does not answer: look for an endless loop, or for work that grows with time. It was closed; mend it, then navigate again.',
  );
}
