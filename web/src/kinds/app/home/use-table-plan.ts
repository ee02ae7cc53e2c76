import { useEffect, useState } from 'react';
import { withView } from '#kinds/app/contract/pages.ts';
import type { AppDocument, List, ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { documentOf } from './plan/first-plans.ts';
import { type AppPlan, emptyDocument, planOf } from './plan/plan.ts';
import type { TableList } from './table/table-reader.ts';
import type { OpenTable } from './table/use-table.ts';

/** What the rows of a table become, and the views that are ticked for it. `version` counts the readings of the table. */
export function useTablePlan(
  table: OpenTable | null,
  { listName, isGuessed, version }: { listName: string; isGuessed: boolean; version: number },
) {
  const [made, setMade] = useState<TableList | null>(null);
  const [own, setOwn] = useState<readonly ViewType[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision changes the list
  useEffect(() => {
    if (table === null) {
      setMade(null);
      setOwn(null);
      return;
    }
    let isCurrent = true;
    table.list(listName).then(
      (next) => isCurrent && setMade(next),
      // The table was closed, or its reading has failed, which the review shows.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [table, listName, version]);
  const ticked = made === null ? [] : (own ?? bestViews(made.list));
  return {
    list: made?.list ?? null,
    ticked,
    tick: (type: ViewType) => setOwn(ticked.includes(type) ? ticked.filter((one) => one !== type) : [...ticked, type]),
    /** Returns the plan of the table under its present name, or `null` if the table was closed or its reading has failed. */
    async plan(words: string): Promise<AppPlan | null> {
      const now = await table?.list(listName).catch(() => null);
      if (!now) return null;
      const { list, columns, totals } = now;
      const types = ticked.length === 0 ? (['table'] as const) : ticked;
      const empty = emptyDocument(list.name, 'studio', [list]);
      const document = withTotals(
        types.reduce((next, type) => withView(next, type, list), empty),
        totals,
      );
      const source = { list: list.id, columns, types: {} };
      return planOf(document, { words, start: null, table: source, guessedNames: isGuessed ? [list.id] : [] });
    },
  };
}

const bestViews = (list: List): ViewType[] =>
  documentOf(list.name, list, 'studio').pages.flatMap(({ views }) => views.map(({ view }) => view));

/** Shows the totals that the table had below its columns. */
function withTotals(document: AppDocument, totals: TableList['totals']): AppDocument {
  const pages = document.pages.map((page) => ({
    ...page,
    views: page.views.map((view) => (view.view === 'table' ? { ...view, totals: { ...view.totals, ...totals } } : view)),
  }));
  return Object.keys(totals).length === 0 ? document : { ...document, pages };
}
