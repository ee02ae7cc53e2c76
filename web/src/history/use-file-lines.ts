import { useCallback, useEffect, useRef, useState } from 'react';
import { historyApi } from '../api/client.ts';
import { type FileLines, fileLines } from './diff-rows.ts';
import type { Comparison } from './entries.ts';

const noLines: ReadonlyMap<string, FileLines> = new Map();

/** The lines of open files, each asked for once; they never change, since what is compared is kept for good. */
export function useFileLines(projectId: string, { checkpointId, against }: Comparison, open: ReadonlySet<string>) {
  const [known, setKnown] = useState(noLines);
  const asked = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const requests = asked.current;
    return () => {
      for (const stop of requests.values()) stop.abort();
      requests.clear();
    };
  }, []);

  const read = useCallback(
    async (path: string) => {
      const stop = new AbortController();
      asked.current.set(path, stop);
      const put = (lines: FileLines) => setKnown((old) => new Map(old).set(path, lines));
      put({ kind: 'loading' });
      try {
        const { patch, truncated } = await historyApi.diff(projectId, { checkpointId, against, path }, stop.signal);
        put(fileLines(patch, truncated));
      } catch (error) {
        if (!stop.signal.aborted) put({ kind: 'failed', error });
      }
    },
    [projectId, checkpointId, against],
  );

  useEffect(() => {
    for (const path of open) {
      if (!asked.current.has(path)) void read(path);
    }
  }, [open, read]);

  const linesOf = useCallback((path: string): FileLines => known.get(path) ?? { kind: 'loading' }, [known]);
  return { linesOf, retry: read };
}
