export const shortcuts = {
  title: 'Keyboard shortcuts',
  /** Keys as people call them, by where they work, in the order in which they are listed. */
  groups: [
    {
      title: 'Everywhere',
      items: [{ keys: ['?'], action: 'Show this list' }],
    },
    {
      title: 'Live preview',
      items: [
        { keys: ['Space'], action: 'Play or pause' },
        { keys: ['←', '→'], action: 'One frame back or forward' },
        { keys: [',', '.'], action: 'One frame back or forward' },
        { keys: ['Shift ←', 'Shift →'], action: 'Ten frames back or forward' },
        { keys: ['[', ']'], action: 'To the scene before or the next one' },
        { keys: ['Home', 'End'], action: 'To the start or the end' },
        { keys: ['L'], action: 'Play in a loop or once' },
        { keys: ['O'], action: 'Play only this scene, or the whole film' },
        { keys: ['-', '+'], action: 'Slower or faster' },
        { keys: ['F'], action: 'Full screen' },
        { keys: ['G'], action: 'Rule of thirds' },
        { keys: ['S'], action: 'Safe areas' },
        { keys: ['B'], action: 'Next background behind the film' },
        { keys: ['C'], action: 'Compare versions' },
        { keys: ['W'], action: 'Compare by a wipe or side by side' },
        { keys: ['K'], action: 'Console of the page' },
        { keys: ['R'], action: 'Reload the page' },
      ],
    },
  ],
} as const;
