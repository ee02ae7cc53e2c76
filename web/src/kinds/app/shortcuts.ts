import type { ShortcutGroup } from '../../shortcuts/use-shortcuts.ts';

export const appShortcuts: readonly ShortcutGroup[] = [
  {
    title: 'Preview of an app',
    items: [
      { keys: ['R'], action: 'Reload the app' },
      { keys: ['D'], action: 'Show the app in dark or in light' },
      { keys: ['S'], action: 'Select a part' },
      { keys: ['K'], action: 'Console' },
    ],
  },
  {
    title: 'Structure of an app',
    items: [
      { keys: ['↑', '↓'], action: 'Move in the tree, and in the views to add' },
      { keys: ['Enter'], action: 'Show the selected part, or add the selected view' },
      { keys: ['⌘/Ctrl', 'Z'], action: 'Undo the last change; with Shift, redo' },
    ],
  },
];
