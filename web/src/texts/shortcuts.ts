export const shortcuts = {
  title: 'Keyboard shortcuts',
  /** Keys as people call them, by where they work, in the order in which they are listed. */
  groups: [
    {
      title: 'Everywhere',
      items: [{ keys: ['?'], action: 'Show this list' }],
    },
    {
      title: 'Stage',
      items: [
        { keys: ['Space'], action: 'Play or pause' },
        { keys: ['←', '→'], action: 'One frame back or forward' },
      ],
    },
    {
      title: 'History',
      items: [
        { keys: ['↑', '↓'], action: 'A newer or an older checkpoint' },
        { keys: ['Enter'], action: 'Read what changed in it' },
      ],
    },
  ],
} as const;
