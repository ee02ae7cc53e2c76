export function isGrouped(largest: number): boolean {
  return Math.abs(largest) >= 10_000;
}

/**
 * Formats `12500.5` as `12,500.5`. The number of decimals and the grouping are constant, so that a counting number does not
 * jump.
 */
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
 * Returns a number's characters, padded to its widest value with invisible zeros, so that nothing moves while it counts.
 * Numbers with one or two digits are not padded.
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
