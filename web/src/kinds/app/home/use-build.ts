import { useRef, useState } from 'react';
import { useStart } from '../../../home/start-project.ts';
import { navigate, projectHref } from '../../../router.ts';
import { acceptBuiltPlan, ideaOf, journalFile, mostBytes } from './build.ts';
import type { AppPlan } from './plan/plan.ts';
import type { BuiltJournal } from './table/table-reader.ts';
import type { OpenTable } from './table/use-table.ts';

/** Rows that an app cannot start with, because they are more than one file may have. */
export interface TooManyRows {
  readonly fits: number;
  readonly all: number;
  /** Builds the app with the rows that fit. */
  readonly build: () => void;
}

/** Creates the project, writes its rows, starts it, and accepts the plan that the person has agreed to. */
export function useBuild(table: OpenTable | null, { listName, onStarted }: { listName: string; onStarted: () => void }) {
  const agreed = useRef<AppPlan | null>(null);
  const [isPreparing, setIsPreparing] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [tooMany, setTooMany] = useState<TooManyRows | null>(null);
  const starting = useStart({
    onStarted: (projectId) => {
      const { current } = agreed;
      onStarted();
      // Without it, the plan waits for the person on the project's page.
      if (current !== null) acceptBuiltPlan(projectId, current.document).catch(() => undefined);
      navigate(projectHref(projectId));
    },
  });
  const begin = (plan: AppPlan, words: string, journal: BuiltJournal | null) => {
    agreed.current = plan;
    setTooMany(null);
    void starting.start(ideaOf(plan, words), journal === null ? [] : [journalFile(journal.bytes)]);
  };
  const build = async (plan: AppPlan, words: string) => {
    setProblem(null);
    const list = plan.document.lists.find(({ id }) => id === plan.table?.list);
    if (plan.table === null || table === null || list === undefined) {
      begin(plan, words, null);
      return;
    }
    setIsPreparing(true);
    try {
      const journal = await table.journal({
        ...{ list, types: plan.table.types, name: listName },
        ...{ nowMs: Date.now(), limitBytes: mostBytes },
      });
      const { rows, allRows } = journal;
      if (rows === allRows) begin(plan, words, journal);
      else setTooMany({ fits: rows, all: allRows, build: () => begin(plan, words, journal) });
    } catch (error) {
      setProblem(error);
    } finally {
      setIsPreparing(false);
    }
  };
  return {
    busy: starting.busy || isPreparing,
    error: starting.error ?? problem,
    tooMany,
    build: (plan: AppPlan, words: string) => void build(plan, words),
    /** Starts a project in which the language model plans the app. The plan waits for the person there. */
    askModel(words: string) {
      agreed.current = null;
      void starting.start({ kind: 'app', prompt: words }, []);
    },
    cancel: starting.cancel,
    dismiss() {
      setProblem(null);
      setTooMany(null);
      starting.dismiss();
    },
  };
}
