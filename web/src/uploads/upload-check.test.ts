import { expect, it } from 'vitest';
import { acceptedFiles, kindOfFile, uploadProblem } from './upload-check.ts';

it.each([
  ['logo.PNG', '', 'image'],
  ['photo.jpeg', '', 'image'],
  ['image', 'image/png', 'image'],
  ['song.m4a', 'video/mp4', 'audio'],
  ['voice.opus', '', 'audio'],
  ['Brand.woff2', '', 'font'],
  ['film.mp4', 'video/mp4', null],
  ['notes.txt', 'text/plain', null],
])('A25: %s of type “%s” is %s', (name, type, kind) => {
  expect(kindOfFile({ name, type })).toBe(kind);
  expect(uploadProblem({ name, type, size: 1 })).toBe(kind === null ? 'It is neither an image, nor a sound, nor a font.' : null);
});

it('A25: what is too large for its type, or nothing at all, is told before a byte is sent', () => {
  const sound = { name: 'a.wav', type: 'audio/wav' };
  expect(uploadProblem({ ...sound, size: 100 * 1024 * 1024 })).toBeNull();
  expect(uploadProblem({ ...sound, size: 100 * 1024 * 1024 + 1 })).toContain('at most 100 MB');
  expect(uploadProblem({ ...sound, size: 0 })).toContain('empty');
});

it('A25: a picker offers every ending that the server takes', () => {
  for (const ending of ['.png', '.jpeg', '.svg', '.opus', '.woff2']) expect(acceptedFiles.split(',')).toContain(ending);
});
