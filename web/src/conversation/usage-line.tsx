import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { formatDollars } from '../../../server/contract/format.ts';
import { useView } from '../project/context.ts';
import { texts } from '../texts.ts';

/** What the model used and cost in this project: one quiet line that opens to its parts. Nothing without a model. */
export function UsageLine() {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = useView((view) => view.usage);
  const { usage } = texts.work;
  if (inputTokens + outputTokens === 0) return null;
  const parts = [
    [usage.read, usage.total(inputTokens)],
    ...(cachedInputTokens > 0 ? [[usage.cached, usage.total(cachedInputTokens)]] : []),
    [usage.written, usage.total(outputTokens)],
    ...(costUsd > 0 ? [[usage.cost, formatDollars(costUsd)]] : []),
  ];
  return (
    <Collapsible.Root className="text-ink-3 text-xs tabular-nums">
      <Collapsible.Trigger
        title={parts.map((part) => part.join(': ')).join('\n')}
        className="group -ml-1 flex items-center gap-1.5 rounded-md px-1 py-0.5 hover:text-ink-2"
      >
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-data-[state=open]:rotate-90" />
        {usage.total(inputTokens + outputTokens)}
        {costUsd > 0 && ` · ${formatDollars(costUsd)}`}
      </Collapsible.Trigger>
      <Collapsible.Content>
        <dl className="mt-1 ml-1.5 grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 border-line border-l pl-3.5">
          {parts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd className="text-right">{value}</dd>
            </div>
          ))}
        </dl>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
