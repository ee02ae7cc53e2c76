import { describe, expect, it } from 'vitest';
import { type BriefHints, noHints, parseBrief } from './parse-brief.ts';
import { question } from './question.ts';

const ask = (prompt: string, hints: Partial<BriefHints> = {}) => question(parseBrief(prompt, { ...noHints, ...hints }));
const ids = (prompt: string, hints: Partial<BriefHints> = {}): string[] | null =>
  ask(prompt, hints)?.options.map((option) => option.id) ?? null;

describe('the one question', () => {
  it('A2: asks for a style when the prompt leaves it open', () => {
    expect(ids('A red ball bounces')).toEqual(['playful', 'smooth', 'cinematic']);
    expect(ask('A red ball bounces')?.options.every((option) => option.description.length > 20)).toBe(true);
  });

  it.each([
    ['stated', 'A smooth, minimal logo reveal'],
    ['stated in German', 'Ein Ball hüpft, verspielt'],
    ['implied by a reference', 'A logo like the Stripe website'],
    ['implied by a genre', 'A movie trailer with the title "Dunes"'],
    ['settled by technique', 'A ball bounces 3 times with easeOutBack, squash on landing'],
    [
      'settled by many details',
      'Three big red balls bounce 4 times on a navy background in 8 seconds, 9:16, with the gold title "Go" and green confetti',
    ],
  ])('A2: asks nothing when the style is %s', (_why, prompt) => {
    expect(ask(prompt)).toBeNull();
  });

  it('A2: a style from the form is an answer', () => {
    expect(ask('A red ball bounces', { style: 'smooth' })).toBeNull();
  });

  it.each(['write me a poem', 'hello', '资产', '', '   ', 'make something cool'])(
    'A2: “%s” has nothing to animate, so it asks what should move',
    (prompt) => {
      expect(ids(prompt)).toEqual(['bouncing-ball', 'title', 'orbit']);
    },
  );

  it.each([['a ball bounces, playful, 0 seconds'], ['a ball bounces for 3 hours'], ['a ball bounces, 1 second']])(
    'A2: “%s” cannot last that long, so it asks for a length',
    (prompt) => {
      expect(ids(prompt)).toEqual(['duration-6', 'duration-15', 'duration-60']);
      expect(ask(prompt)?.content).toMatch(/too (?:long|short)/);
    },
  );

  it('A2: never asks twice, whatever the answer was', () => {
    for (const answer of ['playful', 'I do not know', '', '资产', 'duration-15']) {
      for (const prompt of ['A red ball bounces', 'write me a poem', 'a ball bounces for 3 hours'])
        expect(ask(prompt, { answers: [answer] })).toBeNull();
    }
  });

  it('A2: answers are read, as options and as free text', () => {
    expect(parseBrief('A red ball bounces', { ...noHints, answers: ['cinematic'] }).style.value).toBe('cinematic');
    expect(parseBrief('A red ball bounces', { ...noHints, answers: ['rather calm and elegant'] }).style.value).toBe('smooth');
    expect(parseBrief('hello', { ...noHints, answers: ['bouncing-ball'] }).clauses[0]?.subjects[0]).toMatchObject({
      ref: { kind: 'ball' },
      motion: { type: 'bounce', times: 3 },
    });
    expect(parseBrief('hello', { ...noHints, answers: ['a blue cube spins'] }).clauses[0]?.subjects[0]).toMatchObject({
      ref: { kind: 'cube' },
      color: '#0000ff',
    });
    expect(parseBrief('a ball bounces for 3 hours', { ...noHints, answers: ['duration-15'] }).durationSeconds).toBe(15);
  });
});
