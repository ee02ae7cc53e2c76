import { useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { formatCount } from '#contract/display.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { type TableName, tableNameOf } from '#kinds/app/contract/request.ts';
import { splitWords } from '../../../../../sandbox-image/templates/app/model/tables.ts';
import { startNotice, useHealth } from '../../../home/health-line.tsx';
import type { StartProps } from '../../../home/start-props.ts';
import { cx, ErrorNotice } from '../../../ui/elements.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useDroppedFiles } from '../../../uploads/file-input.tsx';
import { appApi } from '../app-document.ts';
import { type Draft, useDraft } from './draft.ts';
import { FittingViews } from './fitting-views.tsx';
import { Gallery } from './gallery.tsx';
import { type FirstPlans, plansOfWords, suggestedApps } from './plan/first-plans.ts';
import { emptyDocument, planOf } from './plan/plan.ts';
import { PlanSheet } from './plan/plan-sheet.tsx';
import { RequestBox } from './request-box.tsx';
import { hasRows, readRowsFile } from './rows-file.ts';
import { PasteReview } from './table/paste-review.tsx';
import type { TableFacts } from './table/table-reader.ts';
import { useTable } from './table/use-table.ts';
import { useBuild } from './use-build.ts';
import { useTablePlan } from './use-table-plan.ts';

/** Starts an app from words, rows or a starting point. Its plan is shown and agreed before anything is created. */
export default function AppComposer({ rows, handedOver, onTaken, onRows }: StartProps) {
  const { draft, change, decide, setTable, clear } = useDraft();
  const textbox = useRef<HTMLTextAreaElement>(null);
  const [plans, setPlans] = useState<FirstPlans | null>(null);
  const starts = useStarts();
  const health = useHealth();
  const state = useTable(draft.table?.text ?? null, draft.decisions);
  const words = draft.prompt.trim();
  const read = readFacts(state.facts);
  const { name: listName, from } = useMemo(() => tableName(words, draft.table, read), [words, draft.table, read]);
  const tablePlan = useTablePlan(read === null ? null : state.table, {
    ...{ listName, version: state.version },
    isGuessed: from === 'guess',
  });
  const building = useBuild(state.table, {
    listName,
    onStarted: () => {
      clear();
      setPlans(null);
    },
  });
  const focusText = () => textbox.current?.focus();
  const takeTable = (text: string, name: string | null) => {
    const before = draft.table;
    const { words: above, rows: below } = splitWords(text);
    const movesWords = above !== '' && words === '';
    setTable({ text: movesWords ? below : text, name });
    if (movesWords) change({ prompt: above });
    if (before !== null) toast('The table was replaced.', { action: { label: 'Undo', run: () => setTable(before) } });
  };
  useHandedOver(handedOver, (text) => {
    takeTable(text, null);
    onTaken();
  });
  useEffect(() => textbox.current?.focus(), []);

  const files = useRowsFiles(takeTable, { enabled: plans === null });

  const suggestions = useMemo(() => suggestedApps(words, starts.known), [words, starts.known]);
  const chosen = starts.known.find(({ id }) => id === draft.start) ?? suggestions.find(({ id }) => id === draft.start);
  const hasRequest = draft.table === null ? words !== '' || chosen !== undefined : tablePlan.list !== null;
  const isReady = hasRequest && words.length <= maxPromptCharacters;
  const plan = async () => {
    if (!isReady) return;
    building.dismiss();
    if (draft.table === null) {
      setPlans(plansOfWords(words, starts.known, draft.start));
      return;
    }
    const ofTable = await tablePlan.plan(words);
    if (ofTable !== null) setPlans({ plans: [ofTable], others: [] });
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!hasRows(text)) return;
    event.preventDefault();
    takeTable(text, null);
    onRows(text, () => setTable(null));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!submits(event)) return;
    event.preventDefault();
    void plan();
  };
  const removeTable = () => {
    const before = draft;
    setTable(null);
    focusText();
    toast('The table was removed.', {
      action: { label: 'Undo', run: () => change({ table: before.table, decisions: before.decisions }) },
    });
  };
  const tableText = tableTextOf(read);
  const request = [words, tableText, chosen?.name].find(Boolean) ?? 'An app';
  return (
    <>
      {files.isDragging && <DropSheet />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void plan();
        }}
        onKeyDown={onKeyDown}
        className={cx('mx-auto', draft.table === null ? 'max-w-190' : 'max-w-284')}
      >
        <span role="status" className="sr-only">
          {tableText}
        </span>
        <RequestBox
          textbox={textbox}
          prompt={draft.prompt}
          start={draft.table === null ? (chosen?.name ?? null) : null}
          suggestions={suggestions}
          onSuggestion={(id) => {
            change({ start: id });
            focusText();
          }}
          notice={startNotice(health)}
          isReady={isReady}
          model={modelIn(health)}
          onAskModel={() => building.askModel(words)}
          onType={(prompt) => change({ prompt })}
          onPaste={onPaste}
          onExample={(text) => takeTable(text, null)}
          onFiles={files.open}
          onRemoveStart={() => {
            change({ start: null });
            focusText();
          }}
          review={
            draft.table && (
              <PasteReview
                state={state}
                decisions={draft.decisions}
                name={draft.table.name}
                onDecide={decide}
                onShowAsText={() => {
                  change({ prompt: [draft.prompt.trimEnd(), draft.table?.text ?? ''].filter(Boolean).join('\n\n') });
                  setTable(null);
                  focusText();
                }}
                onRemove={removeTable}
              />
            )
          }
        />
        {files.problem !== null && <ErrorNotice error={files.problem} onDismiss={files.dismiss} className="mt-3" />}
        {plans === null && building.error !== null && (
          <ErrorNotice error={building.error} onDismiss={building.dismiss} className="mt-3" />
        )}
        {tablePlan.list !== null && (
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
          {starts.error !== null && <ErrorNotice error={starts.error} onRetry={starts.retry} />}
          <Gallery
            starts={starts.known}
            rows={rows}
            disabled={building.busy}
            onUse={({ id }) => {
              change({ start: id });
              focusText();
            }}
            onBuild={(start) => building.build(planOf(start.document, { words: start.name, start: start.id }), start.name)}
          />
        </div>
      )}
      {plans !== null && (
        <PlanSheet
          plans={plans.plans}
          others={plans.others}
          words={request}
          typed={words}
          table={state.table}
          listName={listName}
          rows={read?.rows ?? 0}
          building={building}
          onBuild={(built) => building.build(built, request)}
          onClose={() => {
            setPlans(null);
            building.dismiss();
            // The sheet gives the focus back to the page first.
            setTimeout(focusText);
          }}
        />
      )}
    </>
  );
}

const submits = ({ nativeEvent, key, metaKey, ctrlKey }: KeyboardEvent) =>
  !nativeEvent.isComposing && key === 'Enter' && (metaKey || ctrlKey);

/** Takes rows over that were pasted for another kind. */
function useHandedOver(text: string | null, onText: (text: string) => void): void {
  const take = useEffectEvent(onText);
  useEffect(() => {
    if (text !== null) take(text);
  }, [text]);
}

/** Reads files of rows that are dropped anywhere or opened. */
function useRowsFiles(onTable: (text: string, name: string) => void, { enabled }: { enabled: boolean }) {
  const [problem, setProblem] = useState<Error | null>(null);
  const take = async (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined) return;
    const found = await readRowsFile(file);
    setProblem('problem' in found ? new Error(found.problem) : null);
    if ('text' in found) onTable(found.text, found.name);
    if (files.length > 1) toast(`Only ${file.name} was read. An app starts from one table.`);
  };
  const open = (files: readonly File[]) => void take(files).catch(setProblem);
  const isDragging = useDroppedFiles(null, { onFiles: open, enabled });
  return { isDragging, problem, open, dismiss: () => setProblem(null) };
}

function useStarts() {
  const { data, error, refetch } = useQuery({
    queryKey: ['app-starts'],
    queryFn: ({ signal }) => appApi.starts(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { known: data ?? [], error, retry: () => void refetch() };
}

function tableName(words: string, table: Draft['table'], read: ReturnType<typeof readFacts>): TableName {
  return tableNameOf(words, {
    heading: read?.heading ?? null,
    file: table?.name ?? null,
    columns: read?.columns.map(({ name }) => name) ?? [],
  });
}

/** Returns the name of the connected language model, or `null` if there is none. */
const modelIn = ({ data }: ReturnType<typeof useHealth>) =>
  data === undefined || data.model.kind === 'director' ? null : data.model.name;

const readFacts = (facts: TableFacts | null) => (facts === null || 'problem' in facts ? null : facts);

function tableTextOf(read: ReturnType<typeof readFacts>): string {
  if (read === null) return '';
  return `Pasted table, ${formatCount(read.rows, 'row')}, ${formatCount(read.columns.length, 'column')}`;
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
