import { Check, ChevronRight, CirclePause, Hourglass, X } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { memo } from 'react';
import { formatDurationMs } from '#contract/display.ts';
import { wasStoppedByUser } from '#contract/project.ts';
import type { ToolCall } from '#contract/tool-calls.ts';
import { useView } from '../project/context.ts';
import { cx, Spinner } from '../ui/elements.tsx';

/** Shows the agent's tool calls between two messages as one expandable line. */
export const ToolLines = memo(function ToolLines({ calls }: { calls: readonly ToolCall[] }) {
  const atWork = useView((view) => view.project.running);
  const running = atWork ? calls.findLast((call) => call.durationMs === null) : undefined;
  const failures = calls.filter(hasFailed).length;
  const total = calls.reduce((sum, call) => sum + (call.durationMs ?? 0), 0);
  return (
    <Collapsible.Root className="text-[13px] text-ink-2">
      <Collapsible.Trigger className="group -ml-1 flex w-full items-center gap-1.5 rounded-md px-1 py-0.5 text-left hover:text-ink">
        <ChevronRight className="size-3.5 shrink-0 transition-transform group-data-[state=open]:rotate-90" />
        <span className="shrink-0">{calls.length === 1 ? '1 action' : `${calls.length} actions`}</span>
        {running ? (
          <span className="min-w-0 truncate text-ink-3">· {running.summary || running.name}</span>
        ) : (
          <span className="text-ink-3 tabular-nums">· {formatDurationMs(total)}</span>
        )}
        {failures > 0 && (
          <span className="shrink-0 text-bad text-xs" title={`${failures} failed`}>
            · {`${failures} failed`}
          </span>
        )}
      </Collapsible.Trigger>
      <Collapsible.Content>
        <ol className="mt-1 ml-1.5 border-line border-l pl-2">
          {calls.map((call) => (
            // Call ids come from the model and may repeat in another run.
            <ToolLine key={`${call.startedAt} ${call.callId}`} call={call} atWork={atWork} />
          ))}
        </ol>
      </Collapsible.Content>
    </Collapsible.Root>
  );
});

function ToolLine({ call, atWork }: { call: ToolCall; atWork: boolean }) {
  return (
    <li>
      <Collapsible.Root>
        <Collapsible.Trigger className="group flex w-full items-center gap-2 rounded-md px-1.5 py-0.5 text-left hover:bg-sunken">
          <ToolMark call={call} atWork={atWork} />
          <span className="min-w-0 flex-1 truncate">{call.summary || call.name}</span>
          <span className="shrink-0 text-ink-3 text-xs tabular-nums">{durationOf(call, atWork)}</span>
          <ChevronRight className="size-3 shrink-0 text-ink-3 transition-transform group-data-[state=open]:rotate-90" />
        </Collapsible.Trigger>
        <Collapsible.Content>
          <ToolDetails call={call} atWork={atWork} />
        </Collapsible.Content>
      </Collapsible.Root>
    </li>
  );
}

const hasFailed = ({ error }: ToolCall) => error !== null && !wasStoppedByUser(error);

function ToolMark({ call, atWork }: { call: ToolCall; atWork: boolean }) {
  if (call.error && !hasFailed(call)) {
    return <CirclePause aria-label="stopped" className="size-3.5 shrink-0 text-ink-3" />;
  }
  if (call.error) return <X aria-label="Failed" className="size-3.5 shrink-0 text-bad" />;
  if (call.durationMs !== null) return <Check className="size-3.5 shrink-0 text-ok" />;
  return atWork ? <Spinner className="size-3.5 shrink-0 text-ink-3" /> : <Hourglass className="size-3.5 shrink-0 text-ink-3" />;
}

/** A call without an end while nothing is running has either requested an approval or been interrupted by a stop. */
function durationOf({ durationMs }: ToolCall, atWork: boolean): string {
  if (durationMs !== null) return formatDurationMs(durationMs);
  return atWork ? 'running' : 'not finished';
}

function ToolDetails({ call, atWork }: { call: ToolCall; atWork: boolean }) {
  const rows = [
    ['Tool', call.name],
    ['To do', call.label],
    ['Done', call.summary === call.label ? '' : call.summary],
    ['Started', new Date(call.startedAt).toLocaleTimeString('en', { hour12: false })],
    ['Duration', durationOf(call, atWork)],
    ...(call.error ? [['Error', call.error.code]] : []),
  ].filter(([, value]) => value !== '');
  return (
    <div className="mt-0.5 mb-1.5 ml-7 rounded-lg bg-sunken px-3 py-2 text-xs">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className={name === 'Tool' || name === 'Error' ? 'font-mono' : 'whitespace-pre-wrap wrap-anywhere'}>{value}</dd>
          </div>
        ))}
      </dl>
      {call.error && (
        <p
          className={cx(
            'mt-1.5 max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere border-line border-t pt-1.5',
            hasFailed(call) && 'text-bad',
          )}
        >
          {call.error.message}
        </p>
      )}
    </div>
  );
}
