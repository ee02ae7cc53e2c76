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
      title: 'Terminal',
      items: [
        { keys: ['Esc', 'Tab'], action: 'Leave the terminal' },
        { keys: ['Ctrl + C'], action: 'Copy what is selected, else interrupt' },
        { keys: ['Ctrl + V'], action: 'Paste' },
        { keys: ['Shift + Page Up', 'Shift + Page Down'], action: 'Scroll' },
      ],
    },
  ],
} as const;
