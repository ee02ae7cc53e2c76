export const shortcuts = {
  title: 'Keyboard shortcuts',
  text: 'Keys work while no text is being written.',
  open: 'Keyboard shortcuts (?)',
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
  ],
} as const;
