import { useEffect, useState } from 'react';
import data from '../data/use-data.ts';
import { navigate } from '../router.ts';
import { Key } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['/', 'Search'],
      ['N', 'New'],
      ['F', 'Filter'],
      ['G', 'then the first letter of a page'],
      ['Ctrl Z', 'Undo'],
      ['Ctrl Shift Z', 'Redo'],
      ['Ctrl V', 'Paste a table'],
    ],
  ],
  [
    'In a table',
    [
      ['Arrows', 'Move, with Shift extend'],
      ['Enter', 'Edit, or just type'],
      ['Tab', 'Go right'],
      ['Esc', 'Restore'],
      ['Space', 'Tick'],
      ['Ctrl C', 'Copy'],
      ['Ctrl Enter', 'Open the sheet'],
      ['Alt Shift ← →', 'Move the column'],
    ],
  ],
];

/**
 * Single keys press the button that carries them: `data-key="n"` on the button of a new record, `data-key="f"` on that of the filters.
 * They do nothing in a field.
 */
export function Keys() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    let afterG = false;
    function pressLetter(key: string): boolean {
      if (afterG) {
        afterG = false;
        const page = data.document.pages.find(({ name }) => name.toLowerCase().startsWith(key));
        if (page) navigate(`/${page.id}`);
        return page !== undefined;
      }
      if (key === 'g') afterG = true;
      else if (key === '?') setShown(true);
      else if (key === '/') document.querySelector<HTMLInputElement>('[data-search]')?.focus();
      else return /^[a-z]$/.test(key) && pressButton(key);
      return true;
    }
    function press(event: KeyboardEvent) {
      if (!isFree(event)) return;
      const key = event.key.toLowerCase();
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand ? pressHistory(key, event.shiftKey) : pressLetter(key)) event.preventDefault();
    }
    const show = () => setShown(true);
    window.addEventListener('keydown', press);
    window.addEventListener('show-keys', show);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('show-keys', show);
    };
  }, []);
  if (!shown) return null;
  return (
    <Dialog title="Keys" onClose={() => setShown(false)}>
      <div className="grid gap-6 phone:grid-cols-2">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3 className="mb-2 font-medium font-text text-ink-3 text-sm">{title}</h3>
            <dl className="grid gap-2">
              {keys.map(([key, does]) => (
                <div key={key} className="flex items-center gap-3">
                  <dt className="w-24">
                    <Key>{key}</Key>
                    <span className="sr-only">{key}</span>
                  </dt>
                  <dd className="text-ink-2 text-sm">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Whether a key is meant for the page, and not for a field, a menu or a dialog. */
function isFree({ defaultPrevented, altKey, target }: KeyboardEvent): boolean {
  return !defaultPrevented && !altKey && !isField(target) && document.querySelector('[role="dialog"], [role="menu"]') === null;
}

function pressHistory(key: string, isShift: boolean): boolean {
  if (key !== 'z') return false;
  if (isShift) data.redo();
  else data.undo();
  return true;
}

function pressButton(key: string): boolean {
  const button = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  button?.focus();
  button?.click();
  return button !== null;
}

export const showKeys = () => window.dispatchEvent(new Event('show-keys'));
