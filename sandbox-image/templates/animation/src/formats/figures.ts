/** Writes a number as the film's language does, with a fixed number of decimals so that nothing jumps while it counts. */
export function figure(value: number, decimals: number, language: string): string {
  const text = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: Math.abs(value) >= 10_000,
  }).format(value);
  return text.replace('-', '−');
}

/** The number of decimals that all of these values need, at most three. */
export function decimalsOf(values: readonly number[]): number {
  const needed = values.map((value) => (String(value).split('.')[1] ?? '').length);
  return Math.min(3, Math.max(0, ...needed));
}
