import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while, in milliseconds; what empties it counts at once. */
export function useDebounced(value: string, waitMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return settled;
}
