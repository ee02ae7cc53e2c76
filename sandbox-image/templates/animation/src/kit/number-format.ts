/** `12500.5` → `12,500.5`: thousands in groups, always the same number of decimals, so that nothing jumps. */
export function formatNumber(value: number, decimals: number): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.length > 4 || Math.abs(value) >= 10_000 ? whole.replace(/\B(?=(\d{3})+$)/gu, ',') : whole;
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '−' : '';
  return sign + grouped + (fraction === undefined ? '' : `.${fraction}`);
}
