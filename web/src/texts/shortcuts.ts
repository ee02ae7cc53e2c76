export const shortcuts = {
  title: 'Keyboard shortcuts',
  /** Keys as people call them, by where they work, in the order in which they are listed. */
  groups: [
    {
      title: 'Everywhere',
      items: [{ keys: ['?'], action: 'Show this list' }],
    },
    {
      title: 'Home',
      items: [
        { keys: ['⌘/Ctrl', 'Enter'], action: 'Create from what is in the box' },
        { keys: ['/'], action: 'Search projects' },
        { keys: ['←', '→', '↑', '↓'], action: 'Move between project cards' },
        { keys: ['F2'], action: 'Rename the project of a card' },
        { keys: ['Delete'], action: 'Delete the project of a card' },
        { keys: ['⌘/Ctrl', 'Z'], action: 'Bring the last deleted project back' },
      ],
    },
    {
      title: 'Stage',
      items: [
        { keys: ['Space'], action: 'Play or pause' },
        { keys: ['←', '→'], action: 'One frame back or forward' },
      ],
    },
  ],
} as const;
