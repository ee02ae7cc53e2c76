import { describe, expect, it } from 'vitest';
import { noHints, parseBrief } from './brief/parse-brief.ts';
import { planFilm } from './plan/plan-film.ts';
import { baseSummary, scenesSummary } from './summary.ts';

const filmFor = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 7 });

describe('what the director says of its work', () => {
  it('A6: tells of the base how long the film is, how it moves, and its colours by name', () => {
    const film = filmFor('A red ball bounces three times, playful, 5 seconds, with the title “Hello”');
    const said = baseSummary(film);
    expect(said).toMatch(/^Playful, 5 s in one scene: “Hello”\. [A-Z][a-z -]+ on [a-z -]+, words in [a-z -]+\.$/);
    expect(said).toContain('Red on ');
    expect(said).not.toContain('#');
    expect(baseSummary(filmFor('a blue cube and a green ball spin'))).toMatch(/\. Blue and green on [a-z -]+\.$/);
    const three = filmFor('a ball bounces, then a cube spins, then confetti, cinematic, 12 seconds');
    expect(baseSummary(three)).toMatch(/^Cinematic, 12 s in three scenes: /);
  });

  it('A6: tells of a scene what is to be seen in it', () => {
    const film = filmFor('A red ball bounces three times, playful, with the title “Hello”');
    expect(scenesSummary(film, film.scenes)).toMatch(/^A red ball drops in and bounces three times.* “Hello” /);
  });

  it('A6: tells what was made and not what was asked for', () => {
    const film = filmFor('A red ball bounces, playful');
    const asked = film.scenes.map((scene) => ({ ...scene, description: 'A dragon sings an aria.' }));
    expect(scenesSummary(film, asked)).toMatch(/red ball/);
    expect(scenesSummary(film, asked)).not.toMatch(/dragon/);
  });
});
