import { useEffect, useState } from 'react';

/** The value as it was when it last stood still for so long: a field that is typed in changes faster than one can ask. */
export function useSettled<T>(value: T, quietMs = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}
