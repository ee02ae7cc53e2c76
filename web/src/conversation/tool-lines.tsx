import { Check, ChevronRight, X } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { memo } from 'react';
import { formatDurationMs } from '../format.ts';
import type { ToolCall } from '../project/reducer.ts';
import { texts } from '../texts.ts';
import { Spinner } from '../ui/spinner.tsx';

/** What the agent did between two messages: one quiet line that opens to all of them. */
export const ToolLines = memo(function ToolLines({ calls }: { calls: readonly ToolCall[] }) {
  const running = calls.findLast((call) => call.durationMs === null);
  const failures = calls.filter((call) => call.error !== null).length;
  const total = calls.reduce((sum, call) => sum + (call.durationMs ?? 0), 0);
  return (
    <Collapsible.Root className="text-[13px] text-ink-2">
      <Collapsible.Trigger className="group -ml-1 flex w-full items-center gap-1.5 rounded-md px-1 py-0.5 text-left hover:text-ink">
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-data-[state=open]:rotate-90" />
        <span className="shrink-0">{texts.work.tools(calls.length)}</span>
        {running ? (
          <span className="min-w-0 truncate text-ink-3">· {running.summary || running.name}</span>
        ) : (
          <span className="text-ink-3 tabular-nums">· {formatDurationMs(total)}</span>
        )}
        {failures > 0 && <span className="size-1.5 shrink-0 rounded-full bg-bad" title={texts.renders.failed} />}
      </Collapsible.Trigger>
      <Collapsible.Content>
        <ol className="mt-1 ml-1.5 border-line border-l pl-3.5">
          {calls.map((call) => (
            <ToolLine key={call.callId} call={call} />
          ))}
        </ol>
      </Collapsible.Content>
    </Collapsible.Root>
  );
});

function ToolLine({ call }: { call: ToolCall }) {
  return (
    <li className="py-0.5">
      <div className="flex items-center gap-2" title={call.name}>
        {call.durationMs === null ? (
          <Spinner className="size-3.5 shrink-0 text-ink-3" />
        ) : call.error ? (
          <X aria-label={texts.renders.failed} className="size-3.5 shrink-0 text-bad" />
        ) : (
          <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />
        )}
        <span className="min-w-0 flex-1 truncate">{call.summary || call.name}</span>
        <span className="shrink-0 text-ink-3 text-xs tabular-nums">
          {call.durationMs === null ? texts.work.toolRunning : formatDurationMs(call.durationMs)}
        </span>
      </div>
      {call.error && <p className="ml-5.5 whitespace-pre-wrap wrap-anywhere text-bad text-xs">{call.error.message}</p>}
    </li>
  );
}
