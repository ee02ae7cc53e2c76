/** Arranges a diagram of nodes and edges in ranks, which follow its direction, and lanes across it. The unit is one node. */

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: string | null;
}

export interface Place {
  readonly rank: number;
  /** Distance from the middle lane. */
  readonly lane: number;
}

export interface Graph {
  readonly ranks: number;
  readonly places: ReadonlyMap<string, Place>;
  /** For each edge: its places from node to node, one per rank; `null` if it leads back to an earlier node. */
  readonly routes: readonly (readonly Place[] | null)[];
  /** Number of lanes. */
  readonly lanes: number;
}

/** A node, or the point where a long edge crosses a rank. */
interface Slot {
  readonly id: string;
  readonly rank: number;
  readonly size: number;
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

const passageSize = 0.5;
const sweeps = 12;

/** Sorts the nodes topologically. In a cycle, the node that is listed first comes first. */
function inOrder(ids: readonly string[], edges: readonly Edge[]): string[] {
  const rest = [...ids];
  const order: string[] = [];
  while (rest.length > 0) {
    const ready = rest.find((id) => edges.every(({ from, to }) => to !== id || !rest.includes(from)));
    const next = ready ?? rest[0] ?? '';
    order.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return order;
}

/** Arranges nodes in ranks and lanes. An edge that closes a cycle leads back and does not affect ranks. */
export function arrange(ids: readonly string[], edges: readonly Edge[]): Graph {
  const order = new Map(inOrder(ids, edges).map((id, index) => [id, index]));
  const isForward = ({ from, to }: Edge) => (order.get(from) ?? 0) < (order.get(to) ?? 0);
  const ranks = new Map(ids.map((id) => [id, 0]));
  for (const id of order.keys())
    for (const { to } of edges.filter((edge) => edge.from === id && isForward(edge)))
      ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(id) ?? 0) + 1));

  const slots: Slot[] = ids.map((id) => ({ id, rank: ranks.get(id) ?? 0, size: 1 }));
  const chains = edges.map((edge, index) => {
    if (!isForward(edge)) return null;
    const [first, last] = [ranks.get(edge.from) ?? 0, ranks.get(edge.to) ?? 0];
    const passages = Array.from({ length: last - first - 1 }, (_, step) => {
      return { id: `${index} ${step}`, rank: first + step + 1, size: passageSize };
    });
    slots.push(...passages);
    return [edge.from, ...passages.map(({ id }) => id), edge.to];
  });
  const links = chains.flatMap((chain) => (chain ?? []).slice(1).map((to, index) => [chain?.[index] ?? to, to] as const));
  const before: Neighbours = new Map(slots.map(({ id }) => [id, links.filter(([, to]) => to === id).map(([from]) => from)]));
  const after: Neighbours = new Map(slots.map(({ id }) => [id, links.filter(([from]) => from === id).map(([, to]) => to)]));

  const count = 1 + Math.max(...ranks.values());
  const rows = Array.from({ length: count }, (_, rank) => slots.filter((slot) => slot.rank === rank));
  const lanes = straighten(untangle(rows, links, before, after), before, after);
  const place = (id: string): Place => ({ rank: slots.find((slot) => slot.id === id)?.rank ?? 0, lane: lanes.get(id) ?? 0 });
  const edgesOf = slots.map(({ id, size }) => [(lanes.get(id) ?? 0) - size / 2, (lanes.get(id) ?? 0) + size / 2] as const);
  return {
    ranks: count,
    places: new Map(ids.map((id) => [id, place(id)])),
    routes: chains.map((chain) => chain?.map(place) ?? null),
    lanes: Math.max(...edgesOf.map(([, end]) => end)) - Math.min(...edgesOf.map(([start]) => start)),
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Orders each rank by the mean position of its neighbours, in alternating sweeps, and returns the order with the fewest
 * crossings.
 */
function untangle(
  rows: Slot[][],
  links: readonly (readonly [string, string])[],
  before: Neighbours,
  after: Neighbours,
): Slot[][] {
  let current = rows;
  let best = { rows, crossings: crossingsOf(rows, links) };
  for (let sweep = 0; sweep < sweeps && best.crossings > 0; sweep += 1) {
    const neighbours = sweep % 2 === 0 ? before : after;
    const next = [...current];
    for (const rank of sweep % 2 === 0 ? next.keys() : [...next.keys()].reverse()) {
      const position = new Map(next.flatMap((row) => row.map(({ id }, index) => [id, index])));
      const wanted = ({ id }: Slot) => {
        const known = neighbours.get(id) ?? [];
        return known.length === 0 ? (position.get(id) ?? 0) : mean(known.map((one) => position.get(one) ?? 0));
      };
      next[rank] = (next[rank] ?? []).toSorted((one, other) => wanted(one) - wanted(other));
    }
    current = next;
    const crossings = crossingsOf(current, links);
    if (crossings < best.crossings) best = { rows: current, crossings };
  }
  return best.rows;
}

function crossingsOf(rows: readonly (readonly Slot[])[], links: readonly (readonly [string, string])[]): number {
  const position = new Map(rows.flatMap((row) => row.map(({ id }, index) => [id, index] as const)));
  const rank = new Map(rows.flatMap((row, index) => row.map(({ id }) => [id, index] as const)));
  const at = (id: string) => position.get(id) ?? 0;
  return links.reduce(
    (sum, [from, to], index) =>
      sum +
      links.slice(index + 1).filter(([otherFrom, otherTo]) => {
        return rank.get(from) === rank.get(otherFrom) && (at(from) - at(otherFrom)) * (at(to) - at(otherTo)) < 0;
      }).length,
    0,
  );
}

/** Places each slot as close to the mean lane of its neighbours as its rank allows. */
function straighten(rows: readonly (readonly Slot[])[], before: Neighbours, after: Neighbours): Map<string, number> {
  const lanes = new Map<string, number>();
  for (const row of rows) for (const [index, { id }] of row.entries()) lanes.set(id, index - (row.length - 1) / 2);
  for (let sweep = 0; sweep < sweeps; sweep += 1)
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const wanted = row.map(({ id }) => {
        const known = [...(before.get(id) ?? []), ...(after.get(id) ?? [])];
        return known.length === 0 ? (lanes.get(id) ?? 0) : mean(known.map((one) => lanes.get(one) ?? 0));
      });
      for (const [index, lane] of spread(wanted, row).entries()) lanes.set(row[index]?.id ?? '', lane);
    }
  const all = [...lanes.values()];
  const middle = (Math.min(...all) + Math.max(...all)) / 2;
  return new Map([...lanes].map(([id, lane]) => [id, Math.round((lane - middle) * 1000) / 1000]));
}

/**
 * Returns the positions nearest to the preferred ones that preserve order and sizes. Slots that collide are centred on their
 * mean.
 */
function spread(wanted: readonly number[], row: readonly Slot[]): number[] {
  let end = 0;
  const offsets = row.map(({ size }) => {
    end += size;
    return end - size / 2;
  });
  const groups: { sum: number; count: number }[] = [];
  for (const [index, lane] of wanted.entries()) {
    let group = { sum: lane - (offsets[index] ?? 0), count: 1 };
    for (let last = groups.at(-1); last !== undefined && last.sum / last.count >= group.sum / group.count; last = groups.at(-1)) {
      group = { sum: last.sum + group.sum, count: last.count + group.count };
      groups.pop();
    }
    groups.push(group);
  }
  const shifts = groups.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  return shifts.map((shift, index) => shift + (offsets[index] ?? 0));
}
