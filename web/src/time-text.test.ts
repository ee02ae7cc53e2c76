import { expect, it } from 'vitest';
import { parseTime } from './time-text.ts';

it.each([
  ['2.5', 2.5],
  [' 2,5 s', 2.5],
  ['90 sec', 90],
  ['800ms', 0.8],
  ['1.5 min', 90],
  ['1:07.5', 67.5],
  ['1:30 min', 90],
  ['0', 0],
  ['45f', 1.5],
  ['45 frames', 1.5],
  ['00:01:15', 1.5],
  ['01:00:00', 60],
])('A15: the time “%s” is %s seconds at 30 frames a second', (text, seconds) => {
  expect(parseTime(text, 30)).toBe(seconds);
});

it('A15: returns null for text that is not a time', () => {
  const none = [
    '',
    '-3',
    'two',
    '1:2:3:4',
    '1e9',
    'Infinity',
    '1:60',
    '00:61:00',
    '00:00:30',
    '1.5f',
    '1:05f',
    '3 hours',
    '1:05 ms',
    '5x',
  ];
  expect(none.map((text) => parseTime(text, 30))).toEqual(none.map(() => null));
});

it('A15: reads frames only if the frame rate is known', () => {
  expect(['45f', '00:01:15', '1.5s'].map((text) => parseTime(text, null))).toEqual([null, null, 1.5]);
});
