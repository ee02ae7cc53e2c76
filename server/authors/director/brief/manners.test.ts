import { describe, expect, it } from 'vitest';
import type { TextManner } from '../../../contract/film.ts';
import { planFilm } from '../plan/plan-film.ts';
import { noHints, parseBrief } from './parse-brief.ts';

const briefOf = (prompt: string) => parseBrief(prompt, noHints);
const textsOf = (prompt: string) => planFilm(briefOf(prompt), { seed: 7 }).scenes.flatMap(({ texts }) => texts);

describe('what words do', () => {
  it.each<[prompt: string, text: string, manner: TextManner]>([
    ["a terminal types 'npm run build'", 'npm run build', { entrance: 'typewriter', face: 'mono' }],
    ["'Fresh bread' slides in from the right, word by word", 'Fresh bread', { entrance: 'slide', from: 'right', by: 'words' }],
    ["a handwritten 'For you'", 'For you', { entrance: 'write', face: 'hand' }],
    ["the word 'Secret' is decoded and then dissolves into particles", 'Secret', { entrance: 'decode', exit: 'particles' }],
    ["'$99' is struck out", '$99', { emphasis: 'strike' }],
    ["the word 'sad' changes to 'happy'", 'sad', { becomes: 'happy' }],
    ["'Open' flickers on and glows", 'Open', { entrance: 'flicker', emphasis: 'glow' }],
    ["das Wort 'Sturm' wird weggeweht", 'Sturm', { exit: 'wind' }],
    ["'Achtung' Wort für Wort von links", 'Achtung', { entrance: 'slide', from: 'left', by: 'words' }],
    ["le mot 'Important' est souligné", 'Important', { emphasis: 'underline' }],
    ["la palabra 'secreto' se disuelve en partículas", 'secreto', { exit: 'particles' }],
  ])('A4: reads “%s”', (prompt, text, manner) => {
    const texts = textsOf(prompt);
    expect(texts.map((one) => one.text)).toEqual([text]);
    expect(texts[0]).toMatchObject(manner);
    expect(briefOf(prompt).unknownWords).toEqual([]);
  });

  it('A4: what things do is theirs, also where words could do it', () => {
    const film = planFilm(briefOf("a ball falls in and 'Hi' fades in"), { seed: 7 });
    expect(film.scenes[0]?.subjects[0]?.motion.type).toBe('drop');
  });

  it('A4: a neon sign and a terminal stand on a dark ground, unless another is named', () => {
    expect(briefOf("a neon sign 'OPEN'").background?.shade).toBe('dark');
    expect(briefOf("a neon sign 'OPEN' on white").background).toMatchObject({ colors: ['#ffffff'], shade: null });
  });
});

describe('words that people want to read', () => {
  it.each([
    ['happy birthday anna with confetti', 'happy birthday anna'],
    ['Alles Gute zum Geburtstag, Oma', 'Alles Gute zum Geburtstag, Oma'],
    ['welcome to our new office', 'welcome to our new office'],
    ['bonne année 2027', 'bonne année 2027'],
    ['thank you for watching', 'thank you for watching'],
    ['merry christmas everyone, snow falling', 'merry christmas everyone'],
    ['a poster for JAZZ NIGHT', 'JAZZ NIGHT'],
    ['logo for Nordlicht Coffee', 'Nordlicht Coffee'],
    ['intro for my channel CodeCat', 'CodeCat'],
    ['3 cats and the number 42', '42'],
  ])('A4: “%s” shows “%s”', (prompt, text) => {
    expect(textsOf(prompt).map((one) => one.text)).toEqual([text]);
  });

  it('A4: words that are only stressed are no text', () => {
    expect(textsOf('a HUGE RED ball bounces')).toEqual([]);
  });

  it('A4: nothing stands beside a name that nobody asked for', () => {
    expect(planFilm(briefOf('logo reveal of "Aurelia" in gold on black'), { seed: 7 }).scenes[0]?.subjects).toEqual([]);
  });
});
