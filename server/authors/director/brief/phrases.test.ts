import { describe, expect, it } from 'vitest';
import { planFilm } from '../plan/plan-film.ts';
import { noHints, parseBrief } from './parse-brief.ts';

/** The words of a film, scenes apart. */
function told(prompt: string): string {
  const film = planFilm(parseBrief(prompt, noHints), { seed: 3 });
  return film.scenes
    .map(({ texts }) => texts.map(({ text, role }) => (role === 'title' ? text : `${text} (${role})`)).join(' + '))
    .join(' > ');
}

describe('words that nobody put into quotes', () => {
  it.each([
    ['Three benefits: saves time, cuts costs, works offline', 'Three benefits > Saves time > Cuts costs > Works offline'],
    ['Create a video of our values: honest, fast and kind', 'Values > Honest > Fast > Kind'],
    [
      'App onboarding: welcome, create your profile, invite your team, smooth, 12 seconds',
      'App onboarding > Welcome > Create your profile > Invite your team',
    ],
    ['Quote of the day: "Stay hungry" by Steve Jobs', 'Stay hungry + — Steve Jobs (subtitle)'],
    ['Summer sale 50% off banner 9:16', 'Summer sale + 50% off (subtitle)'],
    ['Lower third with name Maria Lopez and role Head of Design', 'Maria Lopez + Head of Design (subtitle)'],
    ['Thank you end card with our website koda.dev', 'Thank you + koda.dev (subtitle)'],
    ['A birthday card for Anna with confetti', 'Happy birthday, Anna!'],
    ['A birthday greeting "Hurra!" for Anna', 'Hurra!'],
    ['Bar chart of monthly sales: Q1 120, Q2 180, Q3 240', 'Monthly sales'],
  ])('X1: “%s”', (prompt, expected) => {
    expect(told(prompt)).toBe(expected);
  });

  it('X1: a colon in front of things to be shown makes no list of words', () => {
    expect(told('My scene: a red ball, a blue cube')).toBe('');
    expect(told('Growth chart: A 10, B 20')).toBe('Growth');
  });

  it('X1: a lower third stands at the bottom', () => {
    const film = planFilm(parseBrief('Lower third with name Maria Lopez and role Head of Design', noHints), { seed: 3 });
    expect(film.scenes[0]?.texts.map(({ position }) => position)).toEqual(['bottom', 'bottom']);
  });

  it('X1: a sentence that ends without a space behind it is no address', () => {
    expect(told('A ball bounces.Then a cube spins')).toBe(' > ');
  });
});
