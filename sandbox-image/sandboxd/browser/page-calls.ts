import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from 'puppeteer-core';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import { devTools } from './devtools.ts';
import { CaptureFault } from './faults.ts';
import type { FrameTarget } from './frame-target.ts';
import type { PageEvidence } from './page-evidence.ts';

/** Beyond this a machine is not slow but stuck. */
const maxFactor = 4;

/**
 * By how much time limits are stretched: how many processes want each processor (load average of the last
 * minute), from 1 to 4. What takes a second on an idle machine is not to be called hung on a busy one.
 */
export function slowness(load: number, processors: number): number {
  return Math.min(maxFactor, Math.max(1, load / Math.max(1, processors)));
}

export function currentSlowness(): number {
  return slowness(loadavg()[0] ?? 0, availableParallelism());
}

interface PageCallsOptions {
  /** The longest that a call may take on an idle machine; beyond it the page is called blocked. */
  readonly timeoutMs: number;
  readonly evidence: PageEvidence;
  readonly signal: AbortSignal;
}

/**
 * Calls to a page, each with a time limit. They throw CaptureFault with what the page's console said, or the reason of
 * the signal once that fired.
 */
export class PageCalls {
  readonly #target: FrameTarget;
  readonly #timeoutMs: number;
  readonly #evidence: PageEvidence;
  /** What ends the calls at work. */
  #ended: AbortSignal;

  constructor(target: FrameTarget, { timeoutMs, evidence, signal }: PageCallsOptions) {
    this.#target = target;
    this.#timeoutMs = timeoutMs;
    this.#evidence = evidence;
    this.#ended = AbortSignal.any([signal, target.gone]);
  }

  /** From now on calls end with this signal instead of the one before. */
  obey(signal: AbortSignal): void {
    this.#ended = AbortSignal.any([signal, this.#target.gone]);
  }

  /** Waits for what was asked of the page. `doing` ends the sentence "The page did not answer while …". */
  async wait<T>(work: Promise<T>, doing: string): Promise<T> {
    const timeoutMs = this.#timeoutMs * currentSlowness();
    const limited = withTimeLimit(work, timeoutMs, () =>
      this.fault('blocked', `The page did not answer for ${(timeoutMs / 1000).toFixed(0)} s while ${doing}.`),
    );
    try {
      return await untilAborted(limited, this.#ended);
    } catch (error) {
      // A call that fails because the browser is going down must carry the reason, not the symptom.
      this.#ended.throwIfAborted();
      const { ProtocolError: DevToolsError } = await devTools();
      if (!(error instanceof DevToolsError)) throw error;
      if (/context|navigat/i.test(error.message)) throw this.fault('reloaded', `The page reloaded itself while ${doing}.`);
      throw this.fault('crashed', `Chromium failed while ${doing}: ${error.message}`);
    }
  }

  /** The value of a script's expression, and what it threw, if it did. */
  evaluate(expression: string, doing: string): Promise<Protocol.Runtime.EvaluateResponse> {
    return this.wait(this.#target.session.send('Runtime.evaluate', { expression, returnByValue: true }), doing);
  }

  /** Rests between two questions, as long as the answer is awaited. */
  async pause(ms: number): Promise<void> {
    await untilAborted(delay(ms), this.#ended);
  }

  fault(reason: CaptureFault['reason'], what: string): CaptureFault {
    return new CaptureFault(reason, what, this.#evidence.errors);
  }
}
