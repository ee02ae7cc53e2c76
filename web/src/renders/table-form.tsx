import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { BatchCheck } from '#contract/batch.ts';
import { formatCount } from '#contract/display.ts';
import { resolutionSchema } from '#contract/render.ts';
import { batchApi, renderApi } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { useProject, useRenderSubject } from '../project/context.ts';
import { Button, cx, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { inputClass } from '../ui/fields.tsx';
import { useSettled } from '../ui/hooks.ts';
import { OutputFields } from './output-fields.tsx';
import { offerOf, type RenderChoice, recallChoice, requestOf } from './render-choice.ts';

const settledMs = 600;
const maxTableBytes = 1_000_000;

/** Makes one video per row of a pasted or chosen table, after showing how its columns are read. */
export default function TableForm({ onDone }: { onDone: () => void }) {
  const { projectId } = useProject();
  const subject = useRenderSubject();
  const [table, setTable] = useState('');
  const [choice, setChoice] = useState<RenderChoice>(() => recallChoice(projectId, browserStorage));
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const tableId = useId();
  const settled = useSettled(table, settledMs);
  const { kind: _, ...render } = requestOf(choice, { range: undefined, parameters: undefined });
  const film = useQuery({
    queryKey: ['film', projectId],
    queryFn: ({ signal }) => renderApi.film(projectId, signal),
    staleTime: 0,
  });
  const names = film.data?.parameters.map(({ name }) => name) ?? [];
  const check = useQuery({
    queryKey: ['batch-check', projectId, settled],
    queryFn: ({ signal }) => batchApi.check(projectId, { rows: settled }, signal),
    enabled: settled.trim() !== '',
    retry: false,
  });
  const start = useMutation({ mutationFn: () => batchApi.start(projectId, { render, rows: table }), onSuccess: onDone });
  const change = (next: string) => {
    start.reset();
    setFileProblem(null);
    setTable(next);
  };
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > maxTableBytes) setFileProblem(`${file.name} is larger than 1 MB. Split the table.`);
    else change(await file.text());
  };
  const result = table === settled ? check.data : undefined;
  const isReady = result !== undefined && result.badRows === 0;
  const offer = offerOf(choice, subject ?? { aspect: '16:9', fps: 60 });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) start.mutate();
      }}
      className="mt-5 flex min-h-0 flex-1 flex-col"
    >
      <div className="-mx-6 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-6 pt-0.5 pb-5">
        <div>
          <label htmlFor={tableId} className="font-medium text-[13px]">
            Table
          </label>
          <textarea
            id={tableId}
            value={table}
            onChange={(event) => change(event.target.value)}
            rows={7}
            maxLength={maxTableBytes}
            spellCheck={false}
            placeholder={names.slice(0, 3).join(',')}
            className={cx(inputClass, 'mt-1.5 h-auto w-full py-2 font-mono text-xs leading-5')}
          />
          {names.length > 0 && (
            <p className="mt-1.5 text-ink-2 text-xs wrap-anywhere">{`Parameters of this film: ${names.join(', ')}`}</p>
          )}
          <label className="mt-1.5 block text-[13px] text-ink-2">
            Or choose a CSV file:{' '}
            <input
              type="file"
              accept=".csv,.tsv,.txt,.json,.jsonl,text/csv"
              onChange={(event) => void choose(event.target.files?.[0])}
              className="text-xs"
            />
          </label>
          {fileProblem !== null && (
            <p role="alert" className="mt-1.5 text-[13px] text-bad">
              {fileProblem}
            </p>
          )}
        </div>
        {check.isFetching && (
          <p role="status" className="flex items-center gap-2 text-ink-3 text-xs">
            <Spinner className="size-3.5" />
            Comparing the table with the film…
          </p>
        )}
        {check.isError && table === settled && <ErrorNotice error={check.error} onRetry={() => void check.refetch()} />}
        {result && <CheckResult check={result} />}
        <div className="flex flex-col gap-3 border-line border-t pt-4">
          <OutputFields
            choice={choice}
            offer={offer}
            resolutions={resolutionSchema.options}
            onChange={(next) => setChoice({ ...choice, ...next })}
          />
        </div>
      </div>
      <div className="-mx-6 flex flex-col gap-4 border-line border-t px-6 pt-4">
        {start.isError && <ErrorNotice error={start.error} onDismiss={() => start.reset()} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>Cancel</Button>
          <Button variant="primary" type="submit" pending={start.isPending && 'Checking the rows…'} disabled={!isReady}>
            {result ? `Make ${formatCount(result.rows, 'video')}` : 'Make videos'}
          </Button>
        </div>
      </div>
    </form>
  );
}

const useTexts: Record<BatchCheck['columns'][number]['use'], string> = {
  parameter: 'changes the film',
  name: 'for file names only',
  unknown: 'not in the film',
};

function CheckResult({ check: { rows, columns, problems, badRows } }: { check: BatchCheck }) {
  return (
    <section aria-label="How the table is read" className="text-[13px]">
      <p className="font-medium">
        {`${formatCount(rows, 'row')}${badRows === 0 ? '' : `, ${badRows.toLocaleString('en')} with a problem`}`}
      </p>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {columns.map(({ name, use }) => (
          <li key={name} className="rounded-md bg-sunken px-2 py-1 text-xs">
            {name} <span className={use === 'unknown' ? 'text-bad' : 'text-ink-3'}>{useTexts[use]}</span>
          </li>
        ))}
      </ul>
      {problems.length > 0 && (
        <ul className="mt-3 flex max-h-40 flex-col gap-1 overflow-y-auto wrap-anywhere text-bad">
          {problems.map(({ row, message }) => (
            <li key={row}>{`Row ${row}: ${message}`}</li>
          ))}
          {badRows > problems.length && <li>{`and ${(badRows - problems.length).toLocaleString('en')} more`}</li>}
        </ul>
      )}
    </section>
  );
}
