import { describe, expect, it } from 'vitest';
import { filmText } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { planFilm } from '../plan/plan-film.ts';
import { applyFeedback } from './apply-feedback.ts';

const film = planFilm(parseBrief('a cat chases a ball, then a dog jumps', noHints), { seed: 3 });
/** `who verb whom to` of each scene, by ids. */
const met = (feedback: string) => {
  const { film: changed } = applyFeedback(film, feedback, []);
  expect(() => filmText(changed)).not.toThrow();
  return changed.scenes.map(({ meetings = [] }) =>
    meetings
      .map(({ who, verb, said, whom, to }) => [who, said ?? verb, whom, ...(to === undefined ? [] : [to])].join(' '))
      .join(', '),
  );
};

describe('what one does to another, in words about a film that is there', () => {
  it.each([
    ['the cat should eat the ball', ['cat-1 eat ball-1', '']],
    ['the dog opens a door', ['cat-1 chase ball-1', 'dog-1 open door-1']],
    ['add a mouse that steals the ball', ['mouse-1 steal ball-1', '']],
    ['the cat puts the ball into a box', ['cat-1 put ball-1 cube-1', '']],
    ['make the ball spin', ['', '']],
    ['the dog should sleep', ['cat-1 chase ball-1', '']],
    ['a rabbit eats a carrot', ['cat-1 chase ball-1', '']],
  ])('A9: “%s”', (feedback, expected) => {
    expect(met(feedback)).toEqual(expected);
  });

  it('A9: says what happens now', () => {
    expect(applyFeedback(film, 'the cat should eat the ball', []).explanation).toContain('eats');
  });

  it('A9: a new scene keeps what its things do to each other', () => {
    expect(met('add a scene where a bird builds a nest')[2]).toBe('bird-1 build empty-nest-1');
  });
});
