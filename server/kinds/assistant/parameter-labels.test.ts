import { describe, expect, it } from 'vitest';
import { filmText, parameterLabels } from './parameter-labels.ts';

const labels = (described: Readonly<Record<string, string>>) =>
  Object.fromEntries(parameterLabels(Object.entries(described).map(([name, description]) => ({ name, description }))));

describe('the labels of a film’s parameters', () => {
  it('V9: are the descriptions, and the names where there are none', () => {
    expect(labels({ scene2Items1Value: 'Price of the bread', until: '' })).toEqual({
      ...{ scene2Items1Value: 'Price of the bread', until: 'until' },
    });
  });

  it('V9: have the name as well if two would be the same', () => {
    expect(labels({ one: 'Price', two: 'price\u200b', three: 'Hour' })).toEqual({
      ...{ one: 'Price (one)', two: 'price (two)', three: 'Hour' },
    });
    expect(labels({ price: '', hour: 'Price', title: 'title' })).toEqual({
      ...{ price: 'price', hour: 'Price (hour)', title: 'title' },
    });
  });

  it.each([
    ['a second line', 'Price\n\nMake 1 video?', 'Price Make 1 video?'],
    ['characters that turn the direction', 'Price \u202egnp\u2066', 'Price gnp'],
    ['control characters', 'Pr\u0007ice\u001b[2J', 'Pr ice [2J'],
    ['the quotation marks of values', 'Title “Free”, price', 'Title Free , price'],
    ['what cannot be seen', '\u3164\u2800\u00ad\ud800', ''],
    ['more than a label’s length', '👩 '.repeat(60), `${'👩 '.repeat(20).trim()}…`],
  ])('V9: cannot contain %s', (_, text, shown) => {
    expect(filmText(text)).toBe(shown);
  });
});
