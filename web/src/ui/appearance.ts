import { useSyncExternalStore } from 'react';
import { browserStorage } from '../browser-storage.ts';
import { listenTo } from './hooks.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const motions = ['system', 'reduced'] as const;
type Motion = (typeof motions)[number];

/** `public/theme.js` reads these before the first paint. */
const themeKey = 'koda:theme';
const motionKey = 'koda:motion';
const changed = 'koda:appearance';

/** Returns the stored value if it is one of `values`, otherwise the first of them. */
export function storedValue<Value extends string>(kept: string | null, values: readonly [Value, ...Value[]]): Value {
  return values.find((value) => value === kept) ?? values[0];
}

function write(key: string, value: string): void {
  browserStorage.write(key, value);
  window.dispatchEvent(new Event(changed));
}

const onChange = (listener: () => void) => listenTo(window, ['storage', changed], listener);

/** The user's appearance settings for this browser, synchronised across its tabs. */
export function useAppearance() {
  const theme = useSyncExternalStore(onChange, () => storedValue(browserStorage.read(themeKey), themes));
  const motion = useSyncExternalStore(onChange, () => storedValue(browserStorage.read(motionKey), motions));
  return {
    theme,
    motion,
    setTheme: (value: Theme) => write(themeKey, value),
    setMotion: (value: Motion) => write(motionKey, value),
  };
}

/** Returns whether the user wants reduced motion, by system setting or by choice. */
export function wantsReducedMotion(): boolean {
  return document.documentElement.dataset['motion'] === 'reduced';
}

function onMotionChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-motion'] });
  return () => observer.disconnect();
}

/** Returns `wantsReducedMotion`, and updates when it changes. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(onMotionChange, wantsReducedMotion);
}
