import type { ShortcutGroup } from '../../shortcuts/use-shortcuts.ts';

export const assistantShortcuts: readonly ShortcutGroup[] = [
  {
    title: 'Assistant',
    items: [
      { keys: ['N'], action: 'Start a conversation' },
      { keys: ['/'], action: 'Write in words' },
      { keys: ['⌘/Ctrl', 'Enter'], action: 'Submit the form' },
      { keys: ['Alt', '↑', '↓'], action: 'Walk through the steps' },
      { keys: ['Esc'], action: 'Go back to now, leave a field, refuse, or stop' },
    ],
  },
];
