import { useWindowEvent } from '../ui/hooks.ts';

/** Actions by `KeyboardEvent.key`. `Mod+` is Ctrl or Cmd. */
export type Bindings = Readonly<Record<string, () => void>>;

/** Returns a pressed key's name as used in bindings: `?`, `ArrowLeft`, `Shift+ArrowLeft`, `Shift+f`, `Mod+s`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const { key } = event;
  const held = [
    event.ctrlKey || event.metaKey ? 'Mod' : '',
    event.altKey ? 'Alt' : '',
    // For other characters, Shift is part of the character itself.
    event.shiftKey && (key.length > 1 || (/^[a-z]$/i.test(key) && !event.ctrlKey && !event.metaKey)) ? 'Shift' : '',
  ].filter(Boolean);
  return [...held, key.length === 1 ? key.toLowerCase() : key].join('+');
}

/** Elements in which keys type text or already have a function. */
const ownKeys =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="slider"], [role="menu"], [role="menuitem"], [role="dialog"] *';
/** Keys that a tab list handles. A tab that was just clicked must not block all other keys. */
const tabKeys = /^(Arrow|Home|End|Enter)/;
/** Keys that scroll a focused log. */
const logKeys = /^(ArrowUp|ArrowDown|Page|Home|End)/;
/** Elements that Enter and Space press. */
const pressed = 'button, a, summary, [role="button"], [role="checkbox"], [role="radio"], [role="switch"]';

/** Runs the action for a pressed key while `enabled`, unless the focused element handles the key. */
export function useShortcuts(bindings: Bindings, enabled = true): void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isForFocus(event)) return;
    const run = bindings[keyName(event)];
    if (!run) return;
    event.preventDefault();
    run();
  };
  useWindowEvent('keydown', onKeyDown, { enabled });
}

/** Returns whether the focused element handles the key. */
function isForFocus({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(ownKeys)) return true;
  if (target.closest('[role="log"]') && logKeys.test(key)) return true;
  const tab = target.closest('[role="tab"]');
  if (tab) return tabKeys.test(key) || (key === ' ' && tab.getAttribute('aria-selected') !== 'true');
  return (key === ' ' || key === 'Enter') && target.closest(pressed) !== null;
}

/** Displayed key names, grouped by where they work. */
export interface ShortcutGroup {
  readonly title: string;
  readonly items: readonly { readonly keys: readonly string[]; readonly action: string }[];
}
