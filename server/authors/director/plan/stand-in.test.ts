import { describe, expect, it } from 'vitest';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { planFilm } from './plan-film.ts';

const sceneOf = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 3 }).scenes[0];
const textsOf = (prompt: string) => sceneOf(prompt)?.texts.map(({ text }) => text);

describe('a prompt that names nothing to move', () => {
  it.each([
    ['Explain photosynthesis in 3 steps', ['Photosynthesis', 'In 3 steps']],
    ['Please create a short video about quantum physics.', ['Quantum physics']],
    ['Onboarding', ['Onboarding']],
  ])('X1: “%s” shows what it is about', (prompt, texts) => {
    expect(textsOf(prompt)).toEqual(texts);
  });

  it.each(['something cool', 'make it playful', 'surprise me', 'an animation'])('X1: “%s” is no title', (prompt) => {
    const scene = sceneOf(prompt);
    if (prompt !== 'surprise me') expect(scene?.texts).toEqual([]);
    expect(JSON.stringify(scene?.texts)).not.toContain('make it');
    expect((scene?.subjects.length ?? 0) + (scene?.texts.length ?? 0)).toBeGreaterThan(0);
  });

  it('X1: a place is a film of its own', () => {
    expect(sceneOf('A city at night')).toMatchObject({ place: { name: 'city', time: 'night' }, texts: [], subjects: [] });
  });

  it('X1: a whole paragraph is no title', () => {
    expect(sceneOf(`${'blah '.repeat(40)}`)?.subjects).toMatchObject([{ kind: 'ball' }]);
  });
});
