/** Writes a number as its language does. `isYear`: without separators. */
export function figure(value: number, decimals: number, language: string, isYear = false): string {
  const text = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: isYear ? false : 'auto',
  }).format(value);
  return text.replace('-', '−');
}

export const looksLikeYear = (value: number): boolean => Number.isInteger(value) && value >= 1500 && value <= 2100;

export function decimalsOf(values: readonly number[]): number {
  const needed = values.map((value) => (String(value).split('.')[1] ?? '').length);
  return Math.min(3, Math.max(0, ...needed));
}

export function roundValues(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = (factor: number) => Math.abs(Math.log((factor * power) / rough));
  const step = power * [1, 2, 2.5, 5, 10].reduce((best, factor) => (distance(factor) < distance(best) ? factor : best));
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
