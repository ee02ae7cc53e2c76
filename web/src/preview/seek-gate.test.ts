import { expect, it } from 'vitest';
import { SeekGate } from './seek-gate.ts';

it('A15: a page that is slow to draw gets the newest wish, not all of them', () => {
  const gate = new SeekGate();
  expect(gate.ask(1, 0)).toBe(1);
  expect(gate.ask(2, 10)).toBeNull();
  expect(gate.ask(3, 20)).toBeNull();
  expect(gate.answered(500)).toBe(3);
  expect(gate.isWaiting).toBe(true);
  expect(gate.answered(900)).toBeNull();
  expect(gate.isWaiting).toBe(false);
  expect(gate.ask(4, 910)).toBe(4);
});

it('A15: an answer that never comes does not keep the gate shut', () => {
  const gate = new SeekGate();
  gate.ask(1, 0);
  expect(gate.ask(2, 1500)).toBe(2);
});
