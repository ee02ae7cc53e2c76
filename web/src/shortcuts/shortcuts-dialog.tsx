import { Dialog } from '../ui/dialog.tsx';

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Keyboard shortcuts" text="These keys work when you are not typing in a field." onClose={onClose}>
      <div className="mt-5">
        <ShortcutList />
      </div>
    </Dialog>
  );
}

interface ShortcutGroup {
  readonly title: string;
  readonly items: readonly { readonly keys: readonly string[]; readonly action: string }[];
}

/** Displayed key names, grouped by where they work. */
const groups: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    items: [{ keys: ['?'], action: 'Show this list' }],
  },
  {
    title: 'Home',
    items: [
      { keys: ['⌘/Ctrl', 'Enter'], action: 'Create a film from the text' },
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
  {
    title: 'Storyboard, with a scene selected on the ruler',
    items: [
      { keys: ['←', '→'], action: 'Change the length by 0.1 s; with Shift, by a frame' },
      { keys: ['Alt', '←', '→'], action: 'Move the scene' },
      { keys: ['Enter'], action: 'Rename it and edit its texts' },
      { keys: ['Delete'], action: 'Delete the scene' },
      { keys: ['⌘/Ctrl', 'Z'], action: 'Undo; with Shift, redo' },
    ],
  },
  {
    title: 'Renders',
    items: [
      { keys: ['Space'], action: 'Play or pause the video' },
      { keys: ['←', '→'], action: 'One frame back or forward' },
      { keys: ['Shift', '←', '→'], action: 'One second back or forward' },
      { keys: ['F'], action: 'Full screen' },
    ],
  },
  {
    title: 'Live preview',
    items: [
      { keys: ['Space'], action: 'Play or pause' },
      { keys: ['←', '→'], action: 'One frame back or forward' },
      { keys: [',', '.'], action: 'One frame back or forward' },
      { keys: ['Shift', '←', '→'], action: 'Ten frames back or forward' },
      { keys: ['[', ']'], action: 'Previous or next scene' },
      { keys: ['Home', 'End'], action: 'Start or end' },
      { keys: ['T'], action: 'Type a time to go to: 1.5s, 45f, 00:01:12' },
      { keys: ['L'], action: 'Play in a loop or once' },
      { keys: ['O'], action: 'Play only this scene, or the whole film' },
      { keys: ['-', '+'], action: 'Slower or faster' },
      { keys: ['F'], action: 'Full screen' },
      { keys: ['G'], action: 'Rule of thirds' },
      { keys: ['S'], action: 'Safe areas' },
      { keys: ['B'], action: 'Next background behind the film' },
      { keys: ['C'], action: 'Compare versions' },
      { keys: ['W'], action: 'Compare by wipe or side by side' },
      { keys: ['K'], action: 'Console' },
      { keys: ['P'], action: 'Film parameters' },
      { keys: ['R'], action: 'Reload the page' },
    ],
  },
  {
    title: 'Film editor',
    items: [
      { keys: ['N'], action: 'Add a scene after the selected one' },
      { keys: ['D'], action: 'Duplicate the selected scene' },
      { keys: ['Shift', 'F'], action: 'Show the scene as another format' },
      { keys: ['Shift', 'T'], action: 'Themes and brand' },
      { keys: ['⌘/Ctrl', 'Z'], action: 'Undo; with Shift, redo' },
      { keys: ['Esc'], action: 'Undo what was typed in the field, then go to the strip' },
    ],
  },
  {
    title: 'Film editor, with a scene selected in the strip',
    items: [
      { keys: ['↑', '↓'], action: 'Select another scene' },
      { keys: ['←', '→'], action: 'Change the length by 0.1 s; with Shift, by a frame' },
      { keys: ['Alt', '←', '→'], action: 'Move the scene' },
      { keys: ['Enter'], action: 'Go to its first field' },
      { keys: ['Delete'], action: 'Remove the scene' },
    ],
  },
  {
    title: 'Film editor, in a list',
    items: [
      { keys: ['Enter'], action: 'Add a row below' },
      { keys: ['Backspace'], action: 'Remove an empty row' },
      { keys: ['Alt', '↑', '↓'], action: 'Move the row' },
      { keys: ['Space'], action: 'Pick up the row on its handle; arrows move it' },
    ],
  },
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
      {groups.map(({ title, items }) => (
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
