import { useMemo, useState } from 'react';
import { useView } from '../project/context.ts';
import { type ConsoleEntry, mergeConsole } from './console-log.ts';

const nameOf = ({ key, count }: ConsoleEntry) => `${key} ${count}`;

/** Returns page and server messages, without cleared ones. */
export function useConsole(lines: readonly ConsoleEntry[]) {
  const reported = useView((view) => view.console);
  const [cleared, setCleared] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => mergeConsole(lines, reported), [lines, reported]);
  const entries = useMemo(() => (cleared.size === 0 ? all : all.filter((entry) => !cleared.has(nameOf(entry)))), [all, cleared]);
  return { entries, clear: () => setCleared(new Set(all.map(nameOf))) };
}
