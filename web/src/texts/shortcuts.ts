export const shortcuts = {
  title: 'Keyboard shortcuts',
  /** Keys as people call them, by where they work, in the order in which they are listed. */
  groups: [
    {
      title: 'Everywhere',
      items: [{ keys: ['?'], action: 'Show this list' }],
    },
    {
      title: 'Renders',
      items: [
        { keys: ['Space'], action: 'Play or pause the video' },
        { keys: ['←', '→'], action: 'One frame back or forward' },
        { keys: ['Shift', '←', '→'], action: 'One second back or forward' },
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
