import { expect, it } from 'vitest';
import { SeekQueue } from './page-reports.ts';

it('A15: sends only the newest seek to a slow page', () => {
  const queue = new SeekQueue();
  expect(queue.ask(1, 0)).toBe(1);
  expect(queue.ask(2, 10)).toBeNull();
  expect(queue.ask(3, 20)).toBeNull();
  expect(queue.answered(500)).toBe(3);
  expect(queue.isWaiting).toBe(true);
  expect(queue.answered(900)).toBeNull();
  expect(queue.isWaiting).toBe(false);
  expect(queue.ask(4, 910)).toBe(4);
});

it('A15: a missing response does not block the next seek', () => {
  const queue = new SeekQueue();
  queue.ask(1, 0);
  expect(queue.ask(2, 1500)).toBe(2);
});
