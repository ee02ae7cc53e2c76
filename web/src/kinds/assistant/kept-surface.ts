import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import { isBinding } from '#contract/surface/drawing.ts';
import { withValueAt } from '#contract/surface/pointer.ts';
import type { Surface } from '#contract/surface/surface.ts';
import { parseStored, sessionTexts } from '../../browser-storage.ts';

const enteredSchema = z.array(z.tuple([z.string(), z.unknown()]));

/** What is longer would fill the browser's storage. */
const maxKeptCharacters = 100_000;

/** Returns a surface with the user's input, which this tab keeps over a reload, except for secrets. */
export function useKeptSurface(given: Surface): { surface: Surface; setData: (path: string, value: unknown) => void } {
  const name = `koda:form:${given.surfaceId}`;
  const [entered, setEntered] = useState<ReadonlyMap<string, unknown>>(
    () => new Map(parseStored(enteredSchema, sessionTexts.read(name)) ?? []),
  );
  const surface = useMemo(() => {
    let { data } = given;
    for (const [path, value] of entered) data = withValueAt(data, path, value);
    return { ...given, data };
  }, [given, entered]);
  useEffect(() => {
    if (entered.size === 0) return;
    const secrets = secretPaths(given);
    const text = JSON.stringify([...entered].filter(([path]) => !secrets.has(path)));
    if (text.length <= maxKeptCharacters) sessionTexts.write(name, text);
  }, [name, entered, given]);
  const setData = (path: string, value: unknown) => setEntered((before) => new Map(before).set(path, value));
  return { surface, setData };
}

function secretPaths({ components }: Surface): ReadonlySet<string> {
  const secret = [...components.values()].flatMap((one) =>
    one.component === 'TextField' && one.variant === 'obscured' && isBinding(one.value) ? [one.value.path] : [],
  );
  return new Set(secret);
}
