import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { scenes } from './scene-list.ts';

test('defaults to all scenes, all contenders and three rounds', () => {
  expect(readOptions([])).toMatchObject({
    scenes,
    contenders: ['ours', 'naive', 'remotion', 'hyperframes'],
    rounds: 3,
    durationSeconds: 10,
    busy: false,
    shipped: false,
    checks: false,
  });
});

test('accepts scenes, contenders, rounds and length', () => {
  const options = readOptions([
    '--scenes',
    'mixed, images',
    '--contenders',
    'ours',
    '--rounds',
    '1',
    '--seconds',
    '0.5',
    '--json',
    'x.json',
  ]);
  expect(options).toMatchObject({ contenders: ['ours'], rounds: 1, durationSeconds: 0.5, jsonFile: 'x.json' });
  expect(options.scenes.map(({ name }) => name)).toEqual(['mixed', 'images']);
});

test.each([
  [['--scenes', 'nope'], 'no scene "nope"'],
  [['--contenders', 'nope'], 'no contender "nope"'],
  [['--rounds', '0'], 'rounds'],
  [['--seconds', 'long'], 'seconds'],
  [['--from', 'x.json'], '--publish'],
])('refuses %j and lists the valid values', (args, words) => {
  expect(() => readOptions(args)).toThrow(words);
});
