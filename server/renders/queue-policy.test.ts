import { describe, expect, it } from 'vitest';
import { nextInQueue, preemptedRenders, type RunningRender, slotsFor, type Waiting } from './queue-policy.ts';

let arrivals = 0;
const waits = (id: string, projectId: string, more: Partial<Waiting> = {}): Waiting => ({
  ...{ id, projectId, preview: false, wasPreempted: false, arrival: arrivals++ },
  ...more,
});
const running = (id: string, projectId: string, preview = false): RunningRender => ({ id, projectId, preview });
const preview = { preview: true };
const one = { slots: { heavy: 1, preview: 1 }, lastServed: new Map(), sandboxOf: () => 'running' as const };

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
  it("A18: starts a project's renders in order of arrival", () => {
    expect(drain([waits('a', 'p'), waits('b', 'p'), waits('c', 'p')])).toEqual(['a', 'b', 'c']);
  });

  it('A18: starts previews before finals', () => {
    expect(drain([waits('final', 'p'), waits('preview', 'q', preview)])).toEqual(['preview', 'final']);
  });

  it('A18: a project with many renders does not delay the others', () => {
    const many = [waits('p1', 'p'), waits('p2', 'p'), waits('p3', 'p')];
    expect(drain([...many, waits('q1', 'q'), waits('r1', 'r')])).toEqual(['p1', 'q1', 'r1', 'p2', 'p3']);
  });

  it('A18: a project with a running render waits while others start', () => {
    const waiting = [waits('p2', 'p', preview), waits('q1', 'q')];
    const two = { ...one, slots: { heavy: 2, preview: 1 } };
    expect(nextInQueue(waiting, [running('p1', 'p')], two)?.id).toBe('q1');
    expect(nextInQueue(waiting, [running('p1', 'p'), running('q0', 'q')], two)).toBeNull();
  });

  it('A18: fills all regular slots, plus one for a preview', () => {
    const two = { ...one, slots: { heavy: 2, preview: 1 } };
    const busy = [running('p1', 'p'), running('q1', 'q')];
    expect(nextInQueue([waits('r1', 'r')], busy, two)).toBeNull();
    expect(nextInQueue([waits('r1', 'r'), waits('s1', 's', preview)], busy, two)?.id).toBe('s1');
    // One preview uses the preview slot. Another one needs a regular slot.
    const previews = [running('p1', 'p', true)];
    expect(nextInQueue([waits('q1', 'q', preview)], previews, one)?.id).toBe('q1');
    expect(nextInQueue([waits('r1', 'r', preview)], [...previews, running('q1', 'q', true)], one)).toBeNull();
    expect(nextInQueue([waits('r1', 'r')], previews, one)?.id).toBe('r1');
  });

  it('H7: a render with a sandbox uses the slot of one that waits for a sandbox, so that neither blocks the other', () => {
    const sandboxOf = (projectId: string) => (projectId === 'waiting' ? 'waiting' : 'running');
    const rules = { ...one, sandboxOf } as const;
    const atWork = [running('w1', 'waiting')];
    expect(nextInQueue([waits('q1', 'q')], atWork, rules)?.id).toBe('q1');
    expect(nextInQueue([waits('r1', 'r')], [...atWork, running('q1', 'q')], rules)).toBeNull();
    // One without a sandbox would only wait, too.
    expect(
      nextInQueue([waits('s1', 's')], atWork, { ...rules, sandboxOf: (id) => (id === 's' ? 'stopped' : sandboxOf(id)) }),
    ).toBeNull();
  });

  it('A18: a preempted final resumes before other renders start', () => {
    const lastServed = new Map([['p', 7]]);
    const waiting = [waits('q1', 'q'), waits('p1', 'p', { wasPreempted: true })];
    expect(nextInQueue(waiting, [], { ...one, lastServed })?.id).toBe('p1');
  });

  it('A18: a preview preempts only a final of its own project', () => {
    const atWork = [running('p1', 'p'), running('q1', 'q'), running('r1', 'r', true)];
    expect(preemptedRenders([waits('p2', 'p', preview), waits('q2', 'q'), waits('r2', 'r', preview)], atWork)).toEqual(['p1']);
  });
});

const gigabyte = 1024 ** 3;
const share = { cpus: 2, memoryBytes: 4 * gigabyte };

describe('slotsFor', () => {
  it.each([
    [1, 2, 1],
    [2, 8, 1],
    [4, 16, 2],
    [5, 16, 2],
    [16, 64, 8],
    [16, 16, 3],
  ])('A18: %i processors and %i GB: %i at a time', (processors, memory, heavy) => {
    expect(slotsFor({ processors, memoryBytes: memory * gigabyte }, share)).toEqual({ heavy, preview: 1 });
  });
});
