/** Whether numbers up to this one are written with their thousands in groups: 9500, but 9,500 next to 12,500. */
export function isGrouped(largest: number): boolean {
  return Math.abs(largest) >= 10_000;
}

/** `12500.5` → `12,500.5`: always the same number of decimals, and one way of grouping, so that nothing jumps. */
export function formatNumber(value: number, decimals: number, grouped: boolean): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const written = grouped ? whole.replace(/\B(?=(\d{3})+$)/gu, ',') : whole;
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '−' : '';
  return sign + written + (fraction === undefined ? '' : `.${fraction}`);
}

export interface Sign {
  readonly sign: string;
  readonly look: 'digit' | 'mark' | 'digit unlit' | 'mark unlit';
}

/**
 * The signs of a number with room for the widest one that will come: places that it has not reached yet are there
 * as zeros that are not lit, so that nothing moves when it grows. Numbers of one or two digits do without.
 */
export function figureOf(number: string, widest: string, prefix: string, suffix: string): Sign[] {
  const lookOf = (sign: string) => (/\d/u.test(sign) ? 'digit' : 'mark');
  const lit = [...number].map((sign): Sign => ({ sign, look: lookOf(sign) }));
  const wide = [...widest].filter((sign) => sign !== '−');
  const missing = wide.length < 3 ? [] : wide.slice(0, Math.max(0, wide.length - lit.length));
  const unlit = missing.map((sign): Sign => ({ sign: sign.replace(/\d/u, '0'), look: `${lookOf(sign)} unlit` }));
  const marks = (text: string) => [...text].map((sign): Sign => ({ sign, look: 'mark' }));
  return [...marks(prefix), ...unlit, ...lit, ...marks(suffix)];
}
