import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withQuotes } from './headlines.ts';

describe('words that are to be read although nobody quoted them', () => {
  it.each([
    ['Happy 30th birthday Uncle Theo with a cake', '“Happy 30th birthday Uncle Theo” with a cake'],
    ['Welcome neighbours', '“Welcome neighbours”'],
    ['Alles Liebe zur Hochzeit, Mia! Zwei Tauben fliegen', '“Alles Liebe zur Hochzeit, Mia!” Zwei Tauben fliegen'],
    ['Fresh bread every day! A loaf rises', '“Fresh bread every day!” A loaf rises'],
    ['Harvest Market, 3 October, Town Square', '“Harvest Market”, “3 October”, “Town Square”'],
    ['Tanztee im Rathaus, Sonntag ab 14 Uhr', '“Tanztee im Rathaus”, “Sonntag ab 14 Uhr”'],
    ['two doves with a ribbon, Lina & Paul', 'two doves with a ribbon, “Lina & Paul”'],
    ['9 - 4 = ? and then the answer 5 slides in', '“9 - 4 = ?” and then the answer “5” slides in'],
    ['a hand presses the button Try again', 'a hand presses the button “Try again”'],
    ['text on a board: Soup of the day', 'text on a board: “Soup of the day”'],
    ['a tram rides from Oak Road to Harbour Street', 'a tram rides from “Oak Road” to “Harbour Street”'],
    ['Presenting Velora, a lamp that glows', '“Presenting Velora”, a lamp that glows'],
  ])('A4: “%s”', (prompt, expected) => {
    expect(withQuotes(prompt)).toBe(expected);
  });

  it.each([
    'a red ball bounces three times, playful',
    'A cat chases a dog. Then it rains!',
    'Draw a cat!',
    'eine Reihe Kerzen brennt',
    'the title “Hello” slides in, Sarah & Tom',
    'bar chart: Monday 12, Tuesday 18',
    'two Christmas Trees with snow',
    'a counter from 10 to 50%',
  ])('A4: nothing in “%s”', (prompt) => {
    expect(withQuotes(prompt)).toBe(prompt);
  });

  it('X3: whatever is typed, nothing is lost but spaces, and long prompts take no time', () => {
    const bare = (text: string) => text.replaceAll(/[“”\s]/gu, '');
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => bare(withQuotes(text)) === bare(text)));
    const words = 'Big Spring Sale of the '.repeat(200);
    expect(bare(withQuotes(words))).toBe(bare(words));
  });
});
