import { useEffect, useRef } from 'react';

/** What is done when a key is pressed, by `KeyboardEvent.key`; with `Mod+`, the key that stands for commands here. */
export type Bindings = Readonly<Record<string, () => void>>;

/** Name of a pressed key as bindings have it: `?`, `ArrowLeft`, `Shift+ArrowLeft`, `Mod+s`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const { key } = event;
  const held = [
    event.ctrlKey || event.metaKey ? 'Mod' : '',
    event.altKey ? 'Alt' : '',
    // A character tells of the shift key by itself.
    event.shiftKey && key.length > 1 ? 'Shift' : '',
  ].filter(Boolean);
  return [...held, key.length === 1 ? key.toLowerCase() : key].join('+');
}

/** Where keys are letters of a text, or belong to a part of the page that has a use for them. */
const ownKeys =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="slider"], [role="menu"], [role="menuitem"], [role="dialog"] *';
/** What a row of tabs has a use for; a tab that was just clicked must not keep all other keys. */
const tabKeys = /^(Arrow|Home|End|Enter)/;
/** What scrolls a log that has the focus. */
const logKeys = /^(ArrowUp|ArrowDown|Page|Home|End)/;
/** What Enter and the space bar press. */
const pressed = 'button, a, summary, [role="button"], [role="checkbox"], [role="radio"], [role="switch"]';

/** Calls what belongs to a key while `enabled`, unless the key is for whatever has the focus. */
export function useShortcuts(bindings: Bindings, enabled = true): void {
  const current = useRef(bindings);
  useEffect(() => {
    current.current = bindings;
  });
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const { target } = event;
      if (target instanceof Element) {
        if (target.closest(ownKeys)) return;
        if (target.closest('[role="log"]') && logKeys.test(event.key)) return;
        const tab = target.closest('[role="tab"]');
        if (tab && (tabKeys.test(event.key) || (event.key === ' ' && tab.getAttribute('aria-selected') !== 'true'))) return;
        if (!tab && (event.key === ' ' || event.key === 'Enter') && target.closest(pressed)) return;
      }
      const run = current.current[keyName(event)];
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [enabled]);
}
