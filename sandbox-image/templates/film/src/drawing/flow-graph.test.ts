import { describe, expect, it } from 'vitest';
import { arrange } from './flow-graph.ts';

const edge = (text: string) => {
  const [from = '', to = ''] = text.split('>');
  return { from, to, label: null };
};
const graph = (text: string) => arrange([...new Set(text.split(/[> ]/))], text.split(' ').map(edge));

describe('ranks and lanes', () => {
  it('A32: puts parallel nodes into one rank, and nodes that split and join on the middle lane', () => {
    const { places, ranks, lanes } = graph('a>b a>c a>d b>e c>e d>e');
    expect(ranks).toBe(3);
    expect(lanes).toBe(3);
    expect(['b', 'c', 'd'].map((id) => places.get(id)?.rank)).toEqual([1, 1, 1]);
    expect(['a', 'c', 'e'].map((id) => places.get(id)?.lane)).toEqual([0, 0, 0]);
  });

  it('A32: leads an edge that closes a circle back, whatever the order of the nodes', () => {
    expect(graph('a>b b>c c>a').routes.map((route) => route === null)).toEqual([false, false, true]);
    expect(graph('a>c c>d b>c a>b').routes).not.toContain(null);
  });

  it('A32: gives a long edge a place in every rank, beside the nodes there', () => {
    const { places, routes } = graph('a>b b>c a>c');
    expect(routes[2]?.map(({ rank }) => rank)).toEqual([0, 1, 2]);
    expect(routes[2]?.[1]?.lane).not.toBe(places.get('b')?.lane);
  });

  it('A32: orders nodes so that lines do not cross', () => {
    const { places } = graph('a>b a>c b>e c>d');
    const [b, c, d, e] = ['b', 'c', 'd', 'e'].map((id) => places.get(id)?.lane ?? 0) as [number, number, number, number];
    expect(Math.sign(b - c)).toBe(Math.sign(e - d));
  });
});
