/** Where the focus goes from a card of a grid by a key; null when it stays, or when the key means something else. */
export function nextCard(key: string, at: number, { count, columns }: { count: number; columns: number }): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -at,
    End: count - 1 - at,
  };
  const step = steps[key];
  if (step === undefined || step === 0) return null;
  const next = at + step;
  // Below the last full row is nothing, but down from it there may be a shorter one.
  if (key === 'ArrowDown' && next >= count)
    return Math.floor(at / columns) < Math.floor((count - 1) / columns) ? count - 1 : null;
  return next >= 0 && next < count ? next : null;
}
