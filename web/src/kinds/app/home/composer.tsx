import { useQuery } from '@tanstack/react-query';
import { ArrowUp, FileDown, Paperclip, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Start } from '#kinds/app/contract/app.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import type { List, ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { fittingViews } from '../../../../../sandbox-image/templates/app/model/views.ts';
import { startNotice, useHealth } from '../../../home/health-line.tsx';
import type { StartProps } from '../../../home/start-props.ts';
import { useStart } from '../../../home/start-project.ts';
import { navigate, projectHref } from '../../../router.ts';
import { Button, cx, ErrorNotice, IconButton } from '../../../ui/elements.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { FilePicker, useDroppedFiles } from '../../../uploads/file-input.tsx';
import { appApi } from '../app-document.ts';
import { acceptBuiltPlan, ideaOf, journalFile, mostBytes } from './build.ts';
import { useDraft } from './draft.ts';
import { examples } from './examples.ts';
import { FittingViews } from './fitting-views.tsx';
import { Gallery } from './gallery.tsx';
import { documentOf, listNameIn, plansOfWords } from './plan/first-plans.ts';
import { type AppPlan, emptyDocument, hasView, planOf, toggleView, withView } from './plan/plan.ts';
import { PlanSheet } from './plan/plan-sheet.tsx';
import { hasRows, readRowsFile, rowsEndings } from './rows-file.ts';
import { PasteReview } from './table/paste-review.tsx';
import { type TableDecisions, type TableFacts } from './table/table-reader.ts';
import { type OpenTable, useTable } from './table/use-table.ts';

/** Starts an app from words, rows or a starting point. Its plan is shown and agreed before anything is created. */
export default function AppComposer({ rows, handedOver, onTaken, onRows }: StartProps) {
  const { draft, change, decide, setTable, clear } = useDraft();
  const textbox = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const [plans, setPlans] = useState<readonly AppPlan[] | null>(null);
  const [isPlanning, setIsPlanning] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const starts = useQuery({ queryKey: ['app-starts'], queryFn: ({ signal }) => appApi.starts(signal), staleTime: Number.POSITIVE_INFINITY });
  const known = starts.data ?? [];
  const notice = startNotice(useHealth());
  const tableState = useTable(draft.table?.text ?? null, draft.decisions);
  const { table, facts } = tableState;
  const isTableRead = facts !== null && !('problem' in facts);
  const words = draft.prompt.trim();
  const listName = draft.table?.name ?? listNameIn(words, known) ?? 'Entries';
  const tablePlan = useTablePlan(isTableRead ? table : null, { listName, version: tableState.version });
  const starting = useBuild({
    onStarted: () => {
      clear();
      setPlans(null);
    },
  });

  const takeTable = (text: string, name: string | null) => {
    const before = draft.table;
    setTable({ text, name });
    if (before !== null) toast('The table was replaced.', { action: { label: 'Undo', run: () => setTable(before) } });
  };
  const take = useEffectEvent((text: string) => {
    takeTable(text, null);
    onTaken();
  });
  useEffect(() => {
    if (handedOver !== null) take(handedOver);
  }, [handedOver]);
  useEffect(() => textbox.current?.focus(), []);

  const addFiles = (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined) return;
    readRowsFile(file).then((read) => {
      setProblem('problem' in read ? new Error(read.problem) : null);
      if ('text' in read) takeTable(read.text, read.name);
      if (files.length > 1) toast(`Only ${file.name} was read. An app starts from one table.`);
    }, setProblem);
  };
  const isDragging = useDroppedFiles(null, { onFiles: addFiles, enabled: plans === null });

  const isTooLong = words.length > maxPromptCharacters;
  const isEmpty = words === '' && draft.table === null && draft.start === null;
  const isReady = !isEmpty && !isTooLong && !isPlanning && (draft.table === null || tablePlan.list !== null);
  const request = requestOf(words, facts, known.find(({ id }) => id === draft.start)?.name);
  const plan = () => {
    setProblem(null);
    if (draft.table === null) setPlans(plansOfWords(words, known, draft.start));
    else if (table !== null && tablePlan.list !== null) {
      const document = withTicked(tablePlan.list, words, tablePlan.ticked);
      setPlans([planOf(document, { words, start: null, table: { list: tablePlan.list.id, columns: tablePlan.columns, types: {} } })]);
    }
  };
  const build = async (built: AppPlan, text: string) => {
    setProblem(null);
    setIsPlanning(true);
    try {
      const list = built.document.lists.find(({ id }) => id === built.table?.list);
      if (built.table === null || table === null || list === undefined) return starting.begin(built, text, []);
      const journal = await table.journal({ list, types: built.table.types, name: listName, nowMs: Date.now(), limitBytes: mostBytes });
      starting.begin(built, text, [journalFile(journal.bytes)]);
    } catch (error) {
      setProblem(error);
    } finally {
      setIsPlanning(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (isReady) plan();
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!hasRows(text)) return;
    event.preventDefault();
    takeTable(text, null);
    onRows(text, () => setTable(null));
  };
  const useStartingPoint = (start: Start) => {
    change({ start: start.id });
    textbox.current?.focus();
    window.scrollTo({ top: 0 });
  };
  const chosen = known.find(({ id }) => id === draft.start);
  const hint = hintOf({ isTooLong, length: words.length, block: notice?.block ?? null });
  return (
    <>
      {isDragging && <DropSheet />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) plan();
        }}
        onKeyDown={onKeyDown}
        className={cx('mx-auto', draft.table === null ? 'max-w-190' : 'max-w-284')}
      >
        {notice !== null && <p className="mb-3 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">{notice.text}</p>}
        <div
          className={cx(
            'rounded-2xl border bg-panel shadow-card transition-colors focus-within:border-ink-3',
            isTooLong ? 'border-bad' : 'border-line-strong',
          )}
        >
          {draft.table !== null && (
            <PasteReview
              state={tableState}
              decisions={draft.decisions}
              name={draft.table.name}
              onDecide={decide as (change: (old: TableDecisions) => TableDecisions) => void}
              onShowAsText={() => {
                change({ prompt: [draft.prompt.trimEnd(), draft.table?.text ?? ''].filter(Boolean).join('\n\n') });
                setTable(null);
                textbox.current?.focus();
              }}
              onRemove={() => {
                const before = draft.table;
                setTable(null);
                textbox.current?.focus();
                toast('The table was removed.', { action: { label: 'Undo', run: () => setTable(before) } });
              }}
            />
          )}
          {chosen !== undefined && draft.table === null && (
            <div className="px-4 pt-3.5">
              <span className="inline-flex h-8 items-center gap-1.5 rounded-lg bg-accent-soft pr-1 pl-2.5 font-medium text-[13px] text-accent-text">
                {chosen.name}
                <IconButton icon={X} label={`Remove ${chosen.name}`} onClick={() => change({ start: null })} className="size-6 text-accent-text" />
              </span>
            </div>
          )}
          <textarea
            ref={textbox}
            rows={2}
            value={draft.prompt}
            onChange={(event) => change({ prompt: event.target.value })}
            onPaste={onPaste}
            aria-label="Describe your app"
            aria-invalid={isTooLong}
            aria-describedby={hintId}
            placeholder={placeholderOf(draft.table !== null, chosen !== undefined)}
            className="field-sizing-content block max-h-[40vh] min-h-20 w-full resize-none bg-transparent px-5 pt-3.5 pb-1 text-[17px] leading-7 outline-none placeholder:text-ink-3"
          />
          <div className="flex flex-wrap items-center gap-1 p-3 pt-1.5">
            <IconButton icon={Paperclip} label="Open a CSV file" onClick={() => picker.current?.click()} />
            {draft.table === null ? (
              <span className="flex flex-wrap items-center gap-x-1 border-line border-l pl-3 text-[13px] text-ink-2">
                Try pasting
                {examples.map(({ name, text }) => (
                  <Button key={name} variant="quiet" size="sm" onClick={() => takeTable(text, null)}>
                    {name}
                  </Button>
                ))}
              </span>
            ) : (
              <span className="pl-1.5 text-[13px] text-ink-2">The plan comes first. Nothing is built before you agree.</span>
            )}
            <span id={hintId} className={cx('ml-auto px-2 text-xs tabular-nums', hint.isBad ? 'text-bad' : 'text-ink-3')}>
              {hint.text}
            </span>
            <Button variant="primary" type="submit" disabled={!isReady} aria-describedby={hintId} className="max-sm:h-11 max-sm:w-full">
              Plan the app
              <ArrowUp aria-hidden="true" className="size-4" />
            </Button>
          </div>
          <FilePicker ref={picker} accept={rowsEndings.join(',')} onFiles={addFiles} />
        </div>
        {problem !== null && <ErrorNotice error={problem} onDismiss={() => setProblem(null)} className="mt-3" />}
        {plans === null && starting.error !== null && <ErrorNotice error={starting.error} onDismiss={starting.dismiss} className="mt-3" />}
        {tablePlan.list !== null && draft.table !== null && (
          <FittingViews
            list={tablePlan.list}
            document={emptyDocument(listName, 'studio', [tablePlan.list])}
            ticked={tablePlan.ticked}
            onTick={tablePlan.tick}
          />
        )}
      </form>
      {draft.table === null && (
        <div className="mt-8">
          {starts.isError && <ErrorNotice error={starts.error} onRetry={() => void starts.refetch()} />}
          {known.length > 0 && (
            <Gallery
              starts={known}
              rows={rows}
              disabled={starting.busy}
              onUse={useStartingPoint}
              onBuild={(start) => void build(planOf(start.document, { words: start.name, start: start.id }), start.name)}
            />
          )}
        </div>
      )}
      {plans !== null && (
        <PlanSheet
          plans={plans}
          words={request}
          typed={words}
          table={table}
          listName={listName}
          rows={isTableRead ? facts.rows : 0}
          starting={{ ...starting, busy: starting.busy || isPlanning, error: starting.error ?? problem }}
          onBuild={(built) => void build(built, request)}
          onClose={() => {
            setPlans(null);
            textbox.current?.focus();
          }}
        />
      )}
    </>
  );
}

/** Creates the project, writes its rows, starts it, and accepts the plan that the person has agreed to. */
function useBuild({ onStarted }: { onStarted: () => void }) {
  const agreed = useRef<AppPlan | null>(null);
  const starting = useStart({
    onStarted: (projectId) => {
      const { current } = agreed;
      onStarted();
      // Without it, the plan waits for the person on the project's page.
      if (current !== null) acceptBuiltPlan(projectId, current.document).catch(() => undefined);
      navigate(projectHref(projectId));
    },
  });
  return {
    ...starting,
    begin(plan: AppPlan, words: string, files: Parameters<typeof starting.start>[1]) {
      agreed.current = plan;
      void starting.start(ideaOf(plan, words), files);
    },
  };
}

/** What the rows of a table become, and the views that are ticked for it. */
function useTablePlan(table: OpenTable | null, { listName, version }: { listName: string; version: number }) {
  const [made, setMade] = useState<{ readonly list: List; readonly columns: Readonly<Record<string, number>> } | null>(null);
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
    columns: made?.columns ?? {},
    ticked,
    tick: (type: ViewType) => setOwn(ticked.includes(type) ? ticked.filter((one) => one !== type) : [...ticked, type]),
  };
}

const bestViews = (list: List): ViewType[] =>
  documentOf(list.name, list, 'studio').pages.flatMap(({ views }) => views.map(({ view }) => view));

/** An app of the table's list with the ticked views, or a table if none is. */
function withTicked(list: List, words: string, ticked: readonly ViewType[]) {
  const types = ticked.length === 0 ? (['table'] as const) : ticked;
  return types.reduce((document, type) => withView(document, type, list), emptyDocument(list.name, 'studio', [list]));
}

function requestOf(words: string, facts: TableFacts | null, start: string | undefined): string {
  if (words !== '') return words.slice(0, maxPromptCharacters);
  if (facts !== null && !('problem' in facts))
    return `Pasted table, ${facts.rows.toLocaleString('en')} rows, ${facts.columns.length} columns`;
  return start ?? 'An app';
}

function placeholderOf(hasTable: boolean, hasStart: boolean): string {
  if (hasTable) return 'What do you want to know from it?';
  if (hasStart) return 'What is different in yours? You can leave this empty.';
  return 'Show us who has which tool and when it is due back, or paste a table, a price list, a set of questions…';
}

function hintOf({ isTooLong, length, block }: { isTooLong: boolean; length: number; block: string | null }) {
  if (isTooLong)
    return { text: `${length.toLocaleString('en')} of ${maxPromptCharacters.toLocaleString('en')} characters`, isBad: true };
  return block === null ? { text: 'Ctrl + Enter', isBad: false } : { text: block, isBad: true };
}

function DropSheet() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 animate-fade bg-ground/85 p-4 backdrop-blur-[2px]">
      <div className="flex h-full flex-col items-center justify-center rounded-2xl border-2 border-accent border-dashed text-center">
        <FileDown aria-hidden="true" className="mb-3 size-8 stroke-[1.5] text-accent" />
        <p className="font-semibold text-lg">Drop a CSV file anywhere</p>
        <p className="mt-1 text-[13px] text-ink-2">Koda shows what it recognises before anything is built.</p>
      </div>
    </div>
  );
}
