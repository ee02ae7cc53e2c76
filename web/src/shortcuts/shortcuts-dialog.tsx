import { kinds } from '../kinds.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { ShortcutGroup } from './use-shortcuts.ts';

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Keyboard shortcuts" text="These keys work when you are not typing in a field." onClose={onClose}>
      <div className="mt-5">
        <ShortcutList />
      </div>
    </Dialog>
  );
}

/** Groups before those of the kinds. */
const firstGroups: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    items: [
      { keys: ['?'], action: 'Show this list' },
      { keys: ['G', 'S'], action: 'Open the schedules' },
    ],
  },
  {
    title: 'Home',
    items: [
      { keys: ['⌘/Ctrl', 'Enter'], action: 'Create from the text' },
      { keys: ['/'], action: 'Search projects' },
      { keys: ['←', '→', '↑', '↓'], action: 'Move between project cards' },
      { keys: ['F2'], action: 'Rename the selected project' },
      { keys: ['Delete'], action: 'Delete the selected project' },
      { keys: ['⌘/Ctrl', 'Z'], action: 'Restore the last deleted project' },
    ],
  },
  {
    title: 'Conversation',
    items: [
      { keys: ['1 – 9'], action: 'Pick an answer to the question' },
      { keys: ['Enter'], action: 'Send the message' },
      { keys: ['Shift', 'Enter'], action: 'A new line in the message' },
      { keys: ['↑', '↓'], action: 'Earlier messages, in an empty message box' },
      { keys: ['Esc Esc'], action: 'Stop the work' },
    ],
  },
];

/** Groups after those of the kinds. */
const lastGroups: readonly ShortcutGroup[] = [
  {
    title: 'Code',
    items: [
      { keys: ['⌘/Ctrl', 'S'], action: 'Save the file' },
      { keys: ['⌘/Ctrl', 'F'], action: 'Search in the file' },
      { keys: ['Esc', 'Tab'], action: 'Leave the editor' },
      { keys: ['Enter'], action: 'Open the selected file' },
      { keys: ['Delete'], action: 'Delete the selected file' },
    ],
  },
  {
    title: 'History',
    items: [
      { keys: ['↑', '↓'], action: 'A newer or an older checkpoint' },
      { keys: ['Enter'], action: 'View its changes' },
    ],
  },
  {
    title: 'Terminal',
    items: [
      { keys: ['Esc', 'Tab'], action: 'Leave the terminal' },
      { keys: ['Ctrl', 'C'], action: 'Copy the selection, or interrupt' },
      { keys: ['Ctrl', 'V'], action: 'Paste' },
      { keys: ['Shift', 'Page Up', 'Page Down'], action: 'Scroll' },
    ],
  },
];

export function ShortcutList() {
  return (
    <div className="columns-1 gap-10 sm:columns-2">
      {[...firstGroups, ...kinds.flatMap(({ shortcuts = [] }) => shortcuts), ...lastGroups].map(({ title, items }) => (
        <section key={title} aria-label={title} className="mb-6 break-inside-avoid last:mb-0">
          <h3 className="pb-1.5 font-medium text-[13px] text-ink-2">{title}</h3>
          <ul>
            {items.map(({ keys, action }) => (
              <li key={action} className="flex items-baseline justify-between gap-4 border-line border-t py-1.5 text-[13px]">
                <span>{action}</span>
                <span className="flex shrink-0 items-baseline gap-1">
                  {keys.map((key) => (
                    <Key key={key} name={key} />
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd className="min-w-6 rounded-md border border-line-strong border-b-2 bg-panel px-1.5 py-px text-center font-sans text-xs leading-4.5">
      {name}
    </kbd>
  );
}
