import { expect, it } from 'vitest';
import { MessageBudget } from './message-budget.ts';

/** What becomes of so many messages within one second. */
function fates(budget: MessageBudget, count: number, fromMs: number): Record<string, number> {
  const seen: Record<string, number> = { read: 0, drop: 0, flood: 0 };
  for (let message = 0; message < count; message += 1) {
    const fate = budget.take(fromMs + (999 * message) / count);
    seen[fate] = (seen[fate] ?? 0) + 1;
  }
  return seen;
}

it('A15: what an honest page sends is read, all of it', () => {
  const budget = new MessageBudget();
  for (let second = 0; second < 5; second += 1) expect(fates(budget, 150, second * 1000)).toMatchObject({ read: 150, drop: 0 });
});

it('A15: of a page that sends without end, a few messages a second cost anything, and it is found out', () => {
  const budget = new MessageBudget();
  expect(fates(budget, 10_000, 0)).toEqual({ read: 2500, drop: 7500, flood: 0 });
  expect(fates(budget, 100_000, 1000)).toEqual({ read: 2500, drop: 97_499, flood: 1 });
  expect(fates(budget, 10, 2000)).toMatchObject({ read: 10 });
});

it('A15: a page that sends too much for seconds on end is found out on a slow machine, too', () => {
  const budget = new MessageBudget();
  expect(fates(budget, 3000, 0)).toMatchObject({ flood: 0 });
  expect(fates(budget, 3000, 1000)).toMatchObject({ flood: 0 });
  expect(fates(budget, 100, 2000)).toMatchObject({ flood: 0 });
  for (const second of [3, 4]) expect(fates(budget, 3000, second * 1000)).toMatchObject({ flood: 0 });
  expect(fates(budget, 3000, 5000)).toMatchObject({ flood: 1 });
});

it('A15: a page that tells of another film again and again is read twenty times a second', () => {
  const budget = new MessageBudget();
  const films = (nowMs: number) => {
    budget.take(nowMs);
    return budget.takeFilm();
  };
  expect(Array.from({ length: 500 }, () => films(10)).filter(Boolean)).toHaveLength(20);
  expect(films(1000)).toBe(true);
});

it('A15: messages that take long to read are left out, and still found to be too many', () => {
  const budget = new MessageBudget();
  const read = (fromMs: number) => {
    let count = 0;
    let flooded = false;
    for (let message = 0; message < 2000; message += 1) {
      const fate = budget.take(fromMs + message / 4);
      if (fate === 'read') budget.spent(5);
      count += fate === 'read' ? 1 : 0;
      flooded ||= fate === 'flood';
    }
    return { count, flooded };
  };
  expect(read(0)).toEqual({ count: 300, flooded: false });
  expect(read(1000)).toEqual({ count: 300, flooded: false });
  expect(read(2000).flooded).toBe(true);
});
