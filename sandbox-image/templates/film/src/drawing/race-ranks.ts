/** Values of one lane, one per period. */
export type Values = readonly number[];

/** Returns a lane's value at a time, in periods from the first one. The value changes linearly between two periods. */
export function valueAt(values: Values, at: number): number {
  const place = Math.min(values.length - 1, Math.max(0, at));
  const from = values[Math.floor(place)] ?? 0;
  return from + ((values[Math.ceil(place)] ?? 0) - from) * (place % 1);
}

/**
 * Returns the lead of one lane over the other in each period, which may be negative. If values are equal, the previous order is
 * kept, initially that of the lanes.
 */
function leadsOf(one: Values, other: Values): number[] {
  let former = 1;
  return one.map((value, period) => {
    const lead = value - (other[period] ?? 0);
    if (lead !== 0) former = Math.sign(lead);
    return lead === 0 ? former * 1e-9 : lead;
  });
}

/** Returns the fraction of the time between `from` and `until`, in periods, during which a lead is positive. */
function shareAhead(leads: readonly number[], from: number, until: number): number {
  const end = leads.length - 1;
  let ahead = 0;
  for (let period = Math.floor(from); period < until; period += 1) {
    const [start = 0, stop = 0] = [period, period + 1].map((at) => leads[Math.min(end, Math.max(0, at))] ?? 0);
    const crossing = start > 0 === stop > 0 ? 1 : start / (start - stop);
    const [low, high] = [Math.max(0, from - period), Math.min(1, until - period)];
    const before = Math.max(0, Math.min(high, crossing) - low);
    ahead += start > 0 ? before : high - low - before;
  }
  return ahead / (until - from);
}

/**
 * Returns the rank of every lane, 0 for the leader. Ranks are whole numbers except while one lane overtakes another, which
 * starts `half` a duration before their values are equal and ends as long after it.
 */
export function ranksAt(lanes: readonly Values[], at: number, half: number, ease: (share: number) => number): number[] {
  const ranks = lanes.map(() => 0);
  lanes.forEach((one, index) => {
    lanes.slice(index + 1).forEach((other, offset) => {
      const ahead = ease(shareAhead(leadsOf(one, other), at - half, at + half));
      ranks[index] = (ranks[index] ?? 0) + 1 - ahead;
      ranks[index + 1 + offset] = (ranks[index + 1 + offset] ?? 0) + ahead;
    });
  });
  return ranks;
}
