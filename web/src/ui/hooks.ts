import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';

/** Calls `listener` for events of these types until the returned function is called. */
export function listenTo(target: EventTarget, types: readonly string[], listener: () => void): () => void {
  const ended = new AbortController();
  for (const type of types) target.addEventListener(type, listener, { signal: ended.signal });
  return () => ended.abort();
}

/** Calls the newest `listener` for each event of the window while `enabled`. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
  { enabled = true, capture = false } = {},
): void {
  const take = useEffectEvent(listener);
  useEffect(() => {
    if (!enabled) return;
    const pass = (event: WindowEventMap[Type]) => take(event);
    window.addEventListener(type, pass, { capture });
    return () => window.removeEventListener(type, pass, { capture });
  }, [type, enabled, capture]);
}

/** A value once it has stayed the same for `quietMs`: a field changes faster with each key than a server can answer. */
export function useSettled<T>(value: T, quietMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}

const onFullScreen = (changed: () => void) => listenTo(document, ['fullscreenchange'], changed);

/** The element that fills the screen; null = none. */
export function useFullScreenElement(): Element | null {
  return useSyncExternalStore(onFullScreen, () => document.fullscreenElement);
}

/** How far above the end still counts as the end, in px: about two lines. */
const nearPx = 48;

type Scroller = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;

/**
 * Whether a list that follows its growing end keeps following after a scroll: until the reader scrolls up, and
 * again from the end on. Growth never scrolls up: only the reader does.
 */
export function followsEnd(following: boolean, scroller: Scroller, lastTop: number): boolean {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  const near = scrollHeight - scrollTop - clientHeight < nearPx;
  return near || scrollTop < lastTop ? near : following;
}
