import { describe, expect, it } from 'vitest';
import { nextInQueue, type Waiting } from './queue-policy.ts';

let arrivals = 0;
const waits = (id: string, projectId: string, preview = false): Waiting => ({ id, projectId, preview, arrival: arrivals++ });

/** The order in which everybody is served, one at a time. */
function drain(waiting: Waiting[]): string[] {
  const lastServed = new Map<string, number>();
  const order: string[] = [];
  for (let turn = 0; waiting.length > 0; turn++) {
    const next = nextInQueue(waiting, new Set(), lastServed);
    if (!next) throw new Error('stuck');
    order.push(next.id);
    lastServed.set(next.projectId, turn);
    waiting = waiting.filter(({ id }) => id !== next.id);
  }
  return order;
}

describe('render queue', () => {
  it('A18: first come, first served, within one project', () => {
    expect(drain([waits('a', 'p'), waits('b', 'p'), waits('c', 'p')])).toEqual(['a', 'b', 'c']);
  });

  it('A18: previews go before finals', () => {
    expect(drain([waits('final', 'p'), waits('preview', 'q', true)])).toEqual(['preview', 'final']);
  });

  it('A18: a project with many renders does not keep the others waiting', () => {
    const many = [waits('p1', 'p'), waits('p2', 'p'), waits('p3', 'p')];
    expect(drain([...many, waits('q1', 'q'), waits('r1', 'r')])).toEqual(['p1', 'q1', 'r1', 'p2', 'p3']);
  });

  it('A18: a project that renders already waits, others pass it', () => {
    const waiting = [waits('p2', 'p', true), waits('q1', 'q')];
    expect(nextInQueue(waiting, new Set(['p']), new Map())?.id).toBe('q1');
    expect(nextInQueue(waiting, new Set(['p', 'q']), new Map())).toBeNull();
  });
});
