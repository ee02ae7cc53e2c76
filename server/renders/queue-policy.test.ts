import { describe, expect, it } from 'vitest';
import { type AtWork, lanesOf, nextInQueue, type Waiting, yieldingTo } from './queue-policy.ts';

let arrivals = 0;
const waits = (id: string, projectId: string, more: Partial<Waiting> = {}): Waiting => ({
  ...{ id, projectId, preview: false, yielded: false, arrival: arrivals++ },
  ...more,
});
const works = (id: string, projectId: string, preview = false): AtWork => ({ id, projectId, preview });
const preview = { preview: true };
const one = { lanes: { heavy: 1, preview: 1 }, lastServed: new Map() };

/** The order in which everybody is served, one at a time. */
function drain(waiting: Waiting[]): string[] {
  const lastServed = new Map<string, number>();
  const order: string[] = [];
  for (let turn = 0; waiting.length > 0; turn++) {
    const next = nextInQueue(waiting, [], { ...one, lastServed });
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
    expect(drain([waits('final', 'p'), waits('preview', 'q', preview)])).toEqual(['preview', 'final']);
  });

  it('A18: a project with many renders does not keep the others waiting', () => {
    const many = [waits('p1', 'p'), waits('p2', 'p'), waits('p3', 'p')];
    expect(drain([...many, waits('q1', 'q'), waits('r1', 'r')])).toEqual(['p1', 'q1', 'r1', 'p2', 'p3']);
  });

  it('A18: a project that renders already waits, others pass it', () => {
    const waiting = [waits('p2', 'p', preview), waits('q1', 'q')];
    const two = { ...one, lanes: { heavy: 2, preview: 1 } };
    expect(nextInQueue(waiting, [works('p1', 'p')], two)?.id).toBe('q1');
    expect(nextInQueue(waiting, [works('p1', 'p'), works('q0', 'q')], two)).toBeNull();
  });

  it('A18: as many renders as there are shares of the processors, and a preview on top', () => {
    const two = { ...one, lanes: { heavy: 2, preview: 1 } };
    const busy = [works('p1', 'p'), works('q1', 'q')];
    expect(nextInQueue([waits('r1', 'r')], busy, two)).toBeNull();
    expect(nextInQueue([waits('r1', 'r'), waits('s1', 's', preview)], busy, two)?.id).toBe('s1');
    // One preview has the lane for previews; another takes a share like everybody.
    const previews = [works('p1', 'p', true)];
    expect(nextInQueue([waits('q1', 'q', preview)], previews, one)?.id).toBe('q1');
    expect(nextInQueue([waits('r1', 'r', preview)], [...previews, works('q1', 'q', true)], one)).toBeNull();
    expect(nextInQueue([waits('r1', 'r')], previews, one)?.id).toBe('r1');
  });

  it('A18: what made way for a preview goes on before others begin', () => {
    const lastServed = new Map([['p', 7]]);
    const waiting = [waits('q1', 'q'), waits('p1', 'p', { yielded: true })];
    expect(nextInQueue(waiting, [], { ...one, lastServed })?.id).toBe('p1');
  });

  it('A18: only a final of the same project makes way for a preview', () => {
    const atWork = [works('p1', 'p'), works('q1', 'q'), works('r1', 'r', true)];
    expect(yieldingTo([waits('p2', 'p', preview), waits('q2', 'q'), waits('r2', 'r', preview)], atWork)).toEqual(['p1']);
  });
});

const gigabyte = 1024 ** 3;
const share = { cpus: 2, memoryBytes: 4 * gigabyte };

describe('how many renders a machine carries', () => {
  it.each([
    [1, 2, 1],
    [2, 8, 1],
    [4, 16, 2],
    [5, 16, 2],
    [16, 64, 8],
    // Processors alone are not enough.
    [16, 16, 3],
  ])('A18: %i processors and %i GB: %i at a time', (processors, memory, heavy) => {
    expect(lanesOf({ processors, memoryBytes: memory * gigabyte }, share)).toEqual({ heavy, preview: 1 });
  });
});
