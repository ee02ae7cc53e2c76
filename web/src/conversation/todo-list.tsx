import { Check, ChevronRight, X } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useEffect, useState } from 'react';
import { formatCount, formatDollars } from '#contract/display.ts';
import type { Todo } from '#contract/project.ts';
import { useView } from '../project/context.ts';
import { cx } from '../ui/elements.tsx';

/** Lists the build steps, expanded while the agent is running. */
export function TodoList() {
  const todos = useView((view) => view.todos);
  const working = useView((view) => view.project.phase === 'executing' || view.project.phase === 'error');
  const [open, setOpen] = useState(working);
  useEffect(() => setOpen(working), [working]);
  if (todos.length === 0) return null;
  const done = todos.filter((todo) => todo.status === 'done').length;
  return (
    <Collapsible.Root open={open} onOpenChange={setOpen} className="rounded-xl border border-line bg-panel">
      <Collapsible.Trigger className="group flex w-full items-center gap-2 rounded-xl px-3.5 py-2.5 text-left">
        <ChevronRight className="size-3.5 text-ink-3 transition-transform group-data-[state=open]:rotate-90" />
        <span className="font-medium">Steps</span>
        <span className="ml-auto text-ink-2 text-xs tabular-nums">{`${done} of ${todos.length} done`}</span>
      </Collapsible.Trigger>
      <div aria-hidden="true" className="mx-3.5 h-0.5 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-ok transition-[width] duration-500"
          style={{ width: `${(100 * done) / todos.length}%` }}
        />
      </div>
      <Collapsible.Content>
        <ol aria-label="Steps" className="px-3.5 py-2.5">
          {todos.map((todo) => (
            <TodoItem key={todo.id} todo={todo} />
          ))}
        </ol>
      </Collapsible.Content>
      {!open && <div className="h-2.5" />}
    </Collapsible.Root>
  );
}

const statusText: Record<Todo['status'], string> = { pending: 'to do', active: 'in progress', done: 'done', failed: 'failed' };

function TodoItem({ todo }: { todo: Todo }) {
  return (
    <li className="flex items-start gap-2.5 py-1" aria-label={`${todo.title}: ${statusText[todo.status]}`}>
      <TodoMark status={todo.status} />
      <span
        className={cx(
          'min-w-0 flex-1 wrap-anywhere leading-5',
          todo.status === 'pending' && 'text-ink-3',
          todo.status === 'done' && 'text-ink-2',
          todo.status === 'active' && 'font-medium',
          todo.status === 'failed' && 'text-bad',
        )}
      >
        {todo.title}
      </span>
      {todo.attempts > 1 && <span className="text-ink-3 text-xs leading-5">{`attempt ${todo.attempts}`}</span>}
    </li>
  );
}

function TodoMark({ status }: { status: Todo['status'] }) {
  const mark = 'mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full';
  switch (status) {
    case 'pending':
      return <span aria-hidden="true" className={cx(mark, 'border-[1.5px] border-line-strong')} />;
    case 'active':
      return (
        <span aria-hidden="true" className={cx(mark, 'border-[1.5px] border-accent')}>
          <span className="size-1.5 animate-breathe rounded-full bg-accent" />
        </span>
      );
    case 'done':
      return (
        <span aria-hidden="true" className={cx(mark, 'bg-ok text-panel')}>
          <Check className="size-2.5" strokeWidth={3.5} />
        </span>
      );
    case 'failed':
      return (
        <span aria-hidden="true" className={cx(mark, 'bg-bad text-panel')}>
          <X className="size-2.5" strokeWidth={3.5} />
        </span>
      );
  }
}

/** Shows the model's tokens and cost in this project, with a breakdown on request. Empty if no model was used. */
export function UsageLine() {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = useView((view) => view.usage);
  if (inputTokens + outputTokens === 0) return null;
  const parts = [
    ['Read by the model', formatCount(inputTokens, 'token')],
    ...(cachedInputTokens > 0 ? [['– from its cache', formatCount(cachedInputTokens, 'token')]] : []),
    ['Written by the model', formatCount(outputTokens, 'token')],
    ...(costUsd > 0 ? [['Cost at list prices', formatDollars(costUsd)]] : []),
  ];
  return (
    <Collapsible.Root className="text-ink-3 text-xs tabular-nums">
      <Collapsible.Trigger
        title={parts.map((part) => part.join(': ')).join('\n')}
        className="group -ml-1 flex items-center gap-1.5 rounded-md px-1 py-0.5 hover:text-ink-2"
      >
        <ChevronRight className="size-3.5 shrink-0 transition-transform group-data-[state=open]:rotate-90" />
        {formatCount(inputTokens + outputTokens, 'token')}
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
