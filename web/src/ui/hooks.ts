import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** Calls `listener` for events of these types until the returned function is called. */
export function listenTo(
  target: EventTarget,
  types: readonly string[],
  listener: () => void,
  options: { capture?: boolean; passive?: boolean } = {},
): () => void {
  const ended = new AbortController();
  for (const type of types) target.addEventListener(type, listener, { ...options, signal: ended.signal });
  return () => ended.abort();
}

/** Calls the newest `listener` for each window event while `enabled`. */
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

/** Returns an element's width inside its border, in CSS pixels. 0 before it is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = () => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Debounces a value: returns it once it has not changed for `quietMs`, to avoid a request per keystroke. */
export function useSettled<T>(value: T, quietMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}

const onFullScreen = (changed: () => void) => listenTo(document, ['fullscreenchange'], changed);

export function useFullScreenElement(): Element | null {
  return useSyncExternalStore(onFullScreen, () => document.fullscreenElement);
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => listenTo(window.matchMedia(query), ['change'], changed),
    () => window.matchMedia(query).matches,
    // Drawn without a window.
    () => false,
  );
}

/** Returns whether the film's fields are a sheet below it, instead of a panel beside it (`--breakpoint-pane`). */
export const useHasSheet = (): boolean => useMedia('(width < 900px)');

/** Returns whether the window is as narrow as a phone's. */
export const useIsPhone = (): boolean => useMedia('(width < 700px)');

/** Distance from the end that counts as the end, in CSS pixels: about two lines. */
const nearPx = 48;

type Scroller = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;

/**
 * Returns whether a list that is pinned to its end stays pinned after a scroll. Scrolling up unpins it, and scrolling back to
 * the end pins it again. New items never cause an upward scroll, so it always comes from the user.
 */
export function followsEnd(following: boolean, scroller: Scroller, lastTop: number): boolean {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  const near = scrollHeight - scrollTop - clientHeight < nearPx;
  return near || scrollTop < lastTop ? near : following;
}
