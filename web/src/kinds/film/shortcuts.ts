import type { ShortcutGroup } from '../../shortcuts/use-shortcuts.ts';

export const filmShortcuts: readonly ShortcutGroup[] = [
  {
    title: 'How Koda reads your text',
    items: [
      { keys: ['⌘/Ctrl', 'Enter'], action: 'Create the film that is shown' },
      { keys: ['Tab'], action: 'From the text to how its words are read' },
      { keys: ['F2'], action: 'Other uses of the words at the cursor' },
      { keys: ['L'], action: 'Leave the words out' },
      { keys: ['S'], action: 'Show the words' },
      { keys: ['F'], action: 'Follow the words, do not show them' },
      { keys: ['T'], action: 'Make the words the title' },
      { keys: ['U'], action: 'Other uses' },
      { keys: ['Esc'], action: 'Back to the text' },
      { keys: ['⌘/Ctrl', 'Z'], action: 'Undo the last correction; with Shift, redo' },
    ],
  },
  {
    title: 'How Koda reads your text, on a scene of the film',
    items: [
      { keys: ['[', ']'], action: 'Previous or next scene' },
      { keys: ['Alt', '←', '→'], action: 'Move the scene' },
      { keys: ['←', '→'], action: 'Change its length by 0.1 s' },
      { keys: ['Shift', 'F'], action: 'Show it as another format' },
      { keys: ['Enter'], action: 'Go to its words' },
      { keys: ['Delete'], action: 'Leave its words out' },
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
];
