import { Check, CircleAlert, CirclePause, CirclePlay, Hand, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { AssistantState } from '#kinds/assistant/contract/assistant.ts';
import { cx } from '../../ui/elements.tsx';
import type { ShownState } from './steps.ts';

const looks: Readonly<Record<ShownState, { readonly Icon: LucideIcon; readonly name: string; readonly tone: string }>> = {
  thinking: { Icon: LoaderCircle, name: 'Thinking', tone: 'bg-bubble text-ink' },
  waiting: { Icon: Hand, name: 'Waiting for you', tone: 'bg-accent-soft text-accent-text' },
  running: { Icon: LoaderCircle, name: 'Running', tone: 'bg-bubble text-ink' },
  done: { Icon: Check, name: 'Done', tone: 'bg-ok-soft text-ok' },
  started: { Icon: CirclePlay, name: 'Started', tone: 'bg-accent-soft text-accent-text' },
  failed: { Icon: CircleAlert, name: 'Failed', tone: 'bg-bad-soft text-bad' },
  stopped: { Icon: CirclePause, name: 'Stopped', tone: 'bg-sunken text-ink-2' },
};

interface TrackProps {
  state: ShownState;
  passed: readonly AssistantState[];
  /** What thinking is called. */
  thinking: string;
}

/** The states of a round in their order. Failed, stopped and started take the place of done. */
export function Track({ state, passed, thinking }: TrackProps) {
  const last = state === 'failed' || state === 'stopped' || state === 'started' ? state : 'done';
  return (
    <ol aria-label="State" className="flex items-center text-sm">
      {(['thinking', 'waiting', 'running', last] as const).map((one, index) => {
        const isNow = one === state;
        const isPast = one !== 'started' && passed.includes(one);
        const Icon = isNow ? looks[one].Icon : Check;
        const isMoving = isNow && (one === 'thinking' || one === 'running');
        return (
          <li key={one} aria-current={isNow ? 'step' : undefined} className="flex items-center">
            {index > 0 && <span aria-hidden="true" className="h-px w-3 bg-line-strong lg:w-5.5" />}
            <span
              className={cx(
                'flex h-7.5 items-center gap-1.5 whitespace-nowrap rounded-full px-2.75',
                isNow && cx('font-medium', looks[one].tone),
                !isNow && (isPast ? 'text-ink-2' : 'text-ink-3'),
              )}
            >
              {(isNow || isPast) && (
                <Icon aria-hidden="true" className={cx('size-4', isMoving && 'animate-spin motion-reduce:animate-none')} />
              )}
              {one === 'thinking' ? thinking : looks[one].name}
              {isPast && <span className="sr-only">, passed</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

interface StateNameProps {
  state: ShownState;
  thinking: string;
  className?: string;
}

export function StateName({ state, thinking, className }: StateNameProps) {
  const { Icon, name, tone } = looks[state];
  return (
    <span className={cx('inline-flex items-center gap-1.25', tone, className)}>
      <Icon aria-hidden="true" className="size-3.25" />
      {state === 'thinking' ? thinking : name}
    </span>
  );
}
