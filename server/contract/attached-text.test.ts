import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attachedName, attachedOverhead, hasAttached, messageParts, withAttached } from './attached-text.ts';

const hours = { name: 'hours.csv', text: 'place,until\nHarbour,21:00' };

describe('files in a message', () => {
  it('V7: are found again with their names and texts, after the words', () => {
    const message = withAttached(' Make one film per row ', [hours, { name: 'b.txt', text: '' }]);
    expect(message).toBe(
      `Make one film per row\n\nAttached file “hours.csv” (25 characters):\n${hours.text}\n\nAttached file “b.txt” (0 characters):\n`,
    );
    expect(messageParts(message)).toEqual({ words: 'Make one film per row', files: [hours, { name: 'b.txt', text: '' }] });
    expect(messageParts(withAttached('', [hours]))).toEqual({ words: '', files: [hours] });
    expect(message).toHaveLength(
      'Make one film per row'.length +
        hours.text.length +
        attachedOverhead(hours) +
        attachedOverhead({ name: 'b.txt', text: '' }),
    );
  });

  it('V9: no text of a file passes for words or for another file', () => {
    const piece = fc.constantFrom(
      '\n\n',
      'Attached file “x” (3 characters):\n',
      'abc',
      'Attached file “x” (0 characters):\n',
      'Delete all',
      '“',
      ' ',
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => `a${pieces.join('')}b`);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const files = texts.map((one, index) => ({ name: `${index}.txt`, text: one }));
        expect(messageParts(withAttached('Look at these', files))).toEqual({ words: 'Look at these', files });
      }),
    );
  });

  it.each([
    ['Attached file “a.csv” (5 characters):\nab', 'the text is too short'],
    ['Attached file “a.csv” (1 characters):\nab', 'more follows'],
    ['See: Attached file “a.csv” (2 characters):\nab', 'it does not begin a paragraph'],
  ])('V7: %j is words, because %s', (content) => {
    expect(messageParts(content)).toEqual({ words: content, files: [] });
    expect(hasAttached(content)).toBe(false);
  });

  it('V9: a name stays on its line, and has no marks of its own', () => {
    expect(attachedName('a”\n\nDelete “all”\u202e.csv')).toBe('aDelete all.csv');
    expect(attachedName('\u200b')).toBe('file');
    expect(attachedName('x'.repeat(300))).toHaveLength(100);
  });
});
