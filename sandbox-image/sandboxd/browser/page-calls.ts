import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from 'puppeteer-core';
import { currentSlowness } from '../slowness.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import { CaptureError } from './capture-error.ts';
import { devTools } from './devtools.ts';
import type { FrameTarget } from './frame-target.ts';
import type { PageEvidence } from './page-evidence.ts';

interface PageCallsOptions {
  /** Timeout on an idle machine, after which the page counts as blocked. */
  readonly timeoutMs: number;
  readonly evidence: PageEvidence;
  readonly signal: AbortSignal;
}

/** Calls a page with a timeout. Throws CaptureError with the page's console errors, or the signal's reason. */
export class PageCalls {
  readonly #target: FrameTarget;
  readonly #timeoutMs: number;
  readonly #evidence: PageEvidence;
  #ended: AbortSignal;

  constructor(target: FrameTarget, { timeoutMs, evidence, signal }: PageCallsOptions) {
    this.#target = target;
    this.#timeoutMs = timeoutMs;
    this.#evidence = evidence;
    this.#ended = AbortSignal.any([signal, target.closed]);
  }

  setSignal(signal: AbortSignal): void {
    this.#ended = AbortSignal.any([signal, this.#target.closed]);
  }

  /** Waits for a call. `doing` completes the sentence "The page did not respond while …". */
  async wait<T>(work: Promise<T>, doing: string): Promise<T> {
    const timeoutMs = this.#timeoutMs * currentSlowness();
    const limited = withTimeLimit(work, timeoutMs, () =>
      this.error('blocked', `The page did not respond for ${(timeoutMs / 1000).toFixed(0)} s while ${doing}.`),
    );
    try {
      return await untilAborted(limited, this.#ended);
    } catch (error) {
      // A call that fails because the browser is closing must report the cause, not the symptom.
      this.#ended.throwIfAborted();
      const { ProtocolError: DevToolsError } = await devTools();
      if (!(error instanceof DevToolsError)) throw error;
      if (/context|navigat/i.test(error.message)) throw this.error('reloaded', `The page reloaded itself while ${doing}.`);
      throw this.error('crashed', `Chromium failed while ${doing}: ${error.message}`);
    }
  }

  /** Waits for the result if it is a promise and `awaitPromise` is set. */
  evaluate(expression: string, doing: string, awaitPromise = false): Promise<Protocol.Runtime.EvaluateResponse> {
    return this.wait(this.#target.session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise }), doing);
  }

  async pause(ms: number): Promise<void> {
    await untilAborted(delay(ms), this.#ended);
  }

  error(reason: CaptureError['reason'], what: string): CaptureError {
    return new CaptureError(reason, what, this.#evidence.errors);
  }
}
