import type { ReadingRole, ReadingSpan } from '#kinds/film/contract/reading.ts';

export const roleNames: Readonly<Record<ReadingRole, string>> = {
  title: 'Title',
  subtitle: 'Subtitle',
  heading: 'Heading',
  caption: 'Caption',
  kicker: 'Line above',
  text: 'Text',
  quote: 'Quote',
  author: 'Who',
  button: 'Button',
  end: 'End card',
  brand: 'Brand',
  name: 'Name',
  place: 'Where',
  date: 'When',
  source: 'Source',
  unit: 'Unit',
  label: 'Label',
  value: 'Value',
  entry: 'Entry',
};

type Look = NonNullable<ReadingSpan['sets']>['look'];

export const lookNames: Readonly<Record<Look, string>> = {
  style: 'Style',
  theme: 'Theme',
  aspect: 'Frame',
  length: 'Length',
  ground: 'Background',
  ink: 'Text colour',
  accent: 'Accent',
  format: 'Format',
  other: 'For Koda',
};

/** Why words are read as they are, by the number of the rule. */
const reasons: Readonly<Record<number, string>> = {
  1: 'Text in quotes is shown exactly.',
  2: 'The word before says what it is.',
  3: 'With a colon, the rest of the line is shown.',
  4: 'Rows with the same number of columns are a table.',
  5: 'A line that starts with a dash, a number or a box is an entry, and entries are shown.',
  6: 'Lines that start with a time are an agenda, with a year or date a timeline.',
  7: 'Two names with colons are a chat.',
  8: 'The name of a format chooses it.',
  9: 'Looks are instructions and are not shown.',
  10: 'The text asks to leave it out.',
  11: 'A blank line or a heading starts a scene.',
  12: 'No stronger rule explains these words, so they are shown.',
};

/** Says in a sentence why words are read as they are. */
export function reasonOf({ state, rule }: Pick<ReadingSpan, 'state' | 'rule'>): string {
  if (rule === null && state === 'instruction') return 'You said that this is for Koda.';
  if (rule === null) return state === 'left-out' ? 'You left this out.' : 'You chose this.';
  if (state === 'question')
    return 'These words sound like a remark to Koda. They are shown, because Koda leaves nothing out by itself.';
  if (state === 'needs-drawing') return 'Koda has no format for this drawing or motion.';
  if (state === 'instruction' && rule === 12) return 'This sounds like an instruction to Koda, so it is not shown.';
  if (state === 'instruction' && rule === 2) return 'This word says what the next words are.';
  return reasons[rule] ?? '';
}

/** Returns the colour of an instruction that sets one, or `null`. */
export function swatchOf({ sets }: Pick<ReadingSpan, 'sets'>): string | null {
  return sets !== null && /^#[0-9a-f]{6}$/iu.test(sets.value) ? sets.value : null;
}
