import { expect, it } from 'vitest';
import { InputOrder } from './input-order.ts';

it('T2: takes each number of a writer once, and none that is older than the last', () => {
  const order = new InputOrder();
  expect(order.isTaken({ writer: 'a', number: 1 })).toBe(false);
  order.take({ writer: 'a', number: 1 });
  order.take({ writer: 'a', number: 2 });
  expect(order.isTaken({ writer: 'a', number: 1 })).toBe(true);
  expect(order.isTaken({ writer: 'a', number: 2 })).toBe(true);
  expect(order.isTaken({ writer: 'a', number: 3 })).toBe(false);
  expect(order.isTaken({ writer: 'b', number: 1 })).toBe(false);
});

it('T2: forgets the writer that was quiet longest', () => {
  const order = new InputOrder();
  for (let index = 0; index < 32; index++) order.take({ writer: `w${index}`, number: 5 });
  order.take({ writer: 'w0', number: 6 });
  order.take({ writer: 'late', number: 1 });
  expect(order.isTaken({ writer: 'w0', number: 6 })).toBe(true);
  expect(order.isTaken({ writer: 'w1', number: 5 })).toBe(false);
});
