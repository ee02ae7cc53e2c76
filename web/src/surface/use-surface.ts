import { useMemo, useState } from 'react';
import { withValueAt } from '#contract/surface/pointer.ts';
import type { Surface } from '#contract/surface/surface.ts';

/** Returns a surface with the user's input. Later updates to the surface do not overwrite that input. */
export function useSurface(given: Surface): { surface: Surface; setData: (path: string, value: unknown) => void } {
  const [entered, setEntered] = useState<ReadonlyMap<string, unknown>>(new Map());
  const surface = useMemo(() => {
    let { data } = given;
    for (const [path, value] of entered) data = withValueAt(data, path, value);
    return { ...given, data };
  }, [given, entered]);
  const setData = (path: string, value: unknown) => setEntered((before) => new Map(before).set(path, value));
  return { surface, setData };
}
