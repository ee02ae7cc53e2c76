import { createStore } from 'zustand/vanilla';
import { listenTo } from '../ui/hooks.ts';

export const reportEveryMs = 30_000;
/** Without activity for this long, the page no longer keeps a preview whose sandbox is suspended. */
export const idleAfterMs = 60_000;

const activities = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart', 'touchmove'];

/**
 * Reports that the user types, clicks, moves or returns to the tab, at most every 30 s. The server suspends the sandbox of a
 * project without such reports, although its page is open.
 */
export class Presence {
  readonly store = createStore<{ readonly idle: boolean }>(() => ({ idle: false }));
  readonly #report: () => Promise<unknown>;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;
  #reportTimer: ReturnType<typeof setTimeout> | null = null;
  /** Whether there was activity since the last report. */
  #isDue = false;

  constructor(report: () => Promise<unknown>) {
    this.#report = report;
  }

  /** Observes this tab until the returned function is called. Opening the page counts as activity. */
  listen(): () => void {
    const act = () => this.#act();
    const onVisibility = () => document.visibilityState === 'visible' && act();
    // Capturing also observes events that an editor or a menu stops.
    const stops = [
      listenTo(window, activities, act, { capture: true, passive: true }),
      listenTo(document, ['visibilitychange'], onVisibility),
    ];
    onVisibility();
    return () => {
      for (const stop of stops) stop();
      if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
      if (this.#reportTimer !== null) clearTimeout(this.#reportTimer);
    };
  }

  #act(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.store.setState({ idle: true }), idleAfterMs);
    if (this.store.getState().idle) this.store.setState({ idle: false });
    this.#isDue = true;
    if (this.#reportTimer === null) this.#send();
  }

  /** Reports now, and again after the interval if there was activity in it. */
  #send(): void {
    this.#isDue = false;
    this.#reportTimer = setTimeout(() => {
      this.#reportTimer = null;
      if (this.#isDue) this.#send();
    }, reportEveryMs);
    this.#report().catch(() => {
      // The page shows a lost connection itself. The next report repeats this one, unless the user has left in the meantime.
      this.#isDue = !this.store.getState().idle;
    });
  }
}
