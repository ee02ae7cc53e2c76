import { describe, expect, it } from 'vitest';
import type { Aspect, Relation, Subject } from '../../../../contract/film.ts';
import { frameOf } from '../frame.ts';
import { placeArranged } from './arranged.ts';
import type { SubjectPlace } from './places.ts';

const aspects = ['16:9', '9:16', '1:1', '4:5'] as const satisfies readonly Aspect[];
const area = { left: 6, right: 94, top: 12, bottom: 78 };

const cube = (id: string, change: Partial<Subject> = {}): Subject =>
  ({ id, kind: 'cube', count: 1, color: '#ff0000', size: 1, motion: { type: 'appear' }, ...change }) as Subject;
const by = (relation: Relation, of: string | null, also?: string) => ({ arranged: { relation, of, also } });

function placed(subjects: readonly Subject[], aspect: Aspect = '16:9'): Record<string, SubjectPlace> {
  const places = placeArranged(subjects, area, frameOf(aspect), 0);
  if (places === null) throw new Error('nothing was arranged');
  return Object.fromEntries(places.map((place) => [place.subject.id, place]));
}

const spot = (place: SubjectPlace | undefined) => place?.places[0] ?? [Number.NaN, Number.NaN, Number.NaN];

describe.each(aspects)('bodies that stand by one another, %s', (aspect) => {
  const pair = (relation: Relation) => placed([cube('a', by(relation, 'b')), cube('b')], aspect);

  it('X1: left, right and beside are sides', () => {
    expect(spot(pair('left')['a'])[0]).toBeLessThan(spot(pair('left')['b'])[0]);
    expect(spot(pair('right')['a'])[0]).toBeGreaterThan(spot(pair('right')['b'])[0]);
    expect(spot(pair('beside')['a'])[0]).toBeLessThan(spot(pair('beside')['b'])[0]);
  });

  it('X1: on and above are above, below is below, behind and in front are deeper and nearer', () => {
    for (const relation of ['on', 'above'] as const)
      expect(spot(pair(relation)['a'])[1]).toBeGreaterThan(spot(pair(relation)['b'])[1]);
    expect(spot(pair('above')['a'])[1]).toBeGreaterThan(spot(pair('on')['a'])[1]);
    expect(spot(pair('below')['a'])[1]).toBeLessThan(spot(pair('below')['b'])[1]);
    expect(spot(pair('behind')['a'])[2]).toBeLessThan(spot(pair('behind')['b'])[2]);
    expect(spot(pair('front')['a'])[2]).toBeGreaterThan(spot(pair('front')['b'])[2]);
  });

  it('X1: between is in the middle, around is on all sides', () => {
    const two = placed([cube('a', by('between', 'b')), cube('b', { count: 2 } as Partial<Subject>)], aspect);
    const [left, right] = two['b']?.places ?? [];
    expect(spot(two['a'])[0]).toBeGreaterThan(left?.[0] ?? 0);
    expect(spot(two['a'])[0]).toBeLessThan(right?.[0] ?? 0);
    const three = placed([cube('a', by('between', 'b', 'c')), cube('b'), cube('c')], aspect);
    expect(spot(three['a'])[0]).toBeGreaterThan(spot(three['b'])[0]);
    expect(spot(three['a'])[0]).toBeLessThan(spot(three['c'])[0]);
    const ring = placed([cube('a', { ...by('around', 'b'), count: 4 } as Partial<Subject>), cube('b')], aspect);
    const around = ring['a']?.places ?? [];
    expect(around.some(([, , z]) => z > 0) && around.some(([, , z]) => z < 0)).toBe(true);
  });

  it('X1: nobody leaves the frame, and nobody is in another', () => {
    const frame = frameOf(aspect);
    const relations = ['beside', 'left', 'right', 'above', 'below', 'on', 'behind', 'front', 'around'] as const;
    for (const relation of relations) {
      const all = Object.values(pair(relation));
      const bodies = all.flatMap(({ places, radius }) => places.map((place) => ({ place, radius })));
      for (const { place, radius } of bodies) {
        expect(Math.abs(place[0]) + radius, relation).toBeLessThan(frame.width / 2);
        expect(place[1] + radius, relation).toBeLessThan(frame.height / 2);
      }
      bodies.forEach((one, i) => {
        for (const other of bodies.slice(i + 1)) {
          const apart = Math.hypot(...one.place.map((value, axis) => value - (other.place[axis] ?? 0)));
          expect(apart, relation).toBeGreaterThan((one.radius + other.radius) * 0.8);
        }
      });
    }
  });
});

it('X1: who stands by somebody that is gone, or by each other, still has a place', () => {
  expect(placed([cube('a', by('on', 'gone')), cube('b')])['a']?.places).toHaveLength(1);
  const circle = placed([cube('a', by('on', 'b')), cube('b', by('on', 'a'))]);
  expect([circle['a']?.places.length, circle['b']?.places.length]).toEqual([1, 1]);
});

it('X1: where nobody said so, nothing is arranged', () => {
  expect(placeArranged([cube('a'), cube('b')], area, frameOf('16:9'), 0)).toBeNull();
});
