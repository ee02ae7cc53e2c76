import { useQuery } from '@tanstack/react-query';
import { Bot, Box, ChevronDown, CircleAlert, HardDrive, Settings } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { Link } from '../ui/link.tsx';
import { type HealthFact, healthFacts } from './health-facts.ts';

const pollMs = 20_000;
const icons: Record<HealthFact['part'], ReactNode> = {
  model: <Bot />,
  sandbox: <Box />,
  disk: <HardDrive />,
};
const timeOf = (iso: string) =>
  new Date(iso).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

/** Whether this studio can work, in a word or two; more, and what to do, in a panel. */
export function HealthLine() {
  const health = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => api.health(signal), refetchInterval: pollMs });
  const facts = health.data ? healthFacts(health.data, timeOf) : [];
  const troubled = facts.filter(({ isWell }) => !isWell);
  const status = health.isPending
    ? texts.health.checking
    : health.isError
      ? texts.health.down
      : health.data.status === 'ok'
        ? texts.health.ready
        : texts.health.degraded;
  const tone = health.isPending ? 'bg-ink-3' : health.isError ? 'bg-bad' : health.data.status === 'ok' ? 'bg-ok' : 'bg-warn';
  return (
    <Popover.Root>
      <Popover.Trigger
        title={texts.health.details}
        // Words that come later would move what stands before them.
        className={cx(
          'flex h-8 min-w-0 items-center gap-2 rounded-lg px-2 text-ink-2 text-xs transition-colors hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken',
          health.isPending && 'invisible',
        )}
      >
        <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tone)} />
        <span className="truncate">{[status, ...troubled.map(({ part }) => texts.health[part])].join(' · ')}</span>
        {troubled.length === 0 &&
          facts.map(({ part, name }) => (
            <span key={part} className="hidden max-w-56 truncate border-line-strong border-l pl-2 lg:inline">
              {name}
            </span>
          ))}
        <span className="sr-only">{texts.health.details}</span>
        <ChevronDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
      </Popover.Trigger>
      {/* What changes is said aloud, also while the panel is closed. */}
      <span role="status" className="sr-only">
        {health.isPending ? '' : status}
      </span>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={texts.health.title}
          className="z-40 w-[min(22rem,calc(100vw-1.5rem))] animate-fade rounded-2xl border border-line-strong bg-panel p-2 shadow-lift outline-none"
        >
          {health.isError && <Advice>{`${texts.health.down}. ${texts.health.downAdvice}`}</Advice>}
          {health.isPending && <p className="p-3 text-[13px] text-ink-2">{texts.health.checking}</p>}
          <ul>
            {facts.map((fact) => (
              <FactRow key={fact.part} fact={fact} />
            ))}
          </ul>
          <div className="mt-1 flex items-center justify-between border-line border-t px-3 pt-2 pb-1 text-xs">
            <span className="text-ink-3">{health.data ? texts.health.version(health.data.version) : ''}</span>
            <Link href="/settings" className="flex items-center gap-1.5 rounded text-ink-2 hover:text-ink">
              <Settings aria-hidden="true" className="size-3.5" />
              {texts.health.settings}
            </Link>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FactRow({ fact }: { fact: HealthFact }) {
  const { part, isWell, name, detail, advice, share } = fact;
  return (
    <li className="rounded-xl p-3">
      <div className="flex gap-3">
        <span
          aria-hidden="true"
          className={cx('mt-0.5 shrink-0 [&_svg]:size-4.5 [&_svg]:stroke-[1.6]', isWell ? 'text-ink-3' : 'text-warn')}
        >
          {icons[part]}
        </span>
        <div className="min-w-0 flex-1 text-[13px] leading-5">
          <p className="text-ink-3 text-xs">{texts.health[part]}</p>
          <p className="wrap-anywhere font-medium">{name}</p>
          {detail !== '' && <p className="text-ink-2">{detail}</p>}
          {share !== null && (
            <div className="relative mt-1.5 h-1 overflow-hidden rounded-full bg-line">
              <meter className="sr-only" aria-label={texts.health.diskShare} value={share} />
              <div className={cx('h-full', isWell ? 'bg-ink-3' : 'bg-warn')} style={{ width: `${share * 100}%` }} />
            </div>
          )}
        </div>
      </div>
      {advice && <Advice>{advice}</Advice>}
    </li>
  );
}

function Advice({ children }: { children: string }) {
  return (
    <p className="mt-2 flex gap-2 rounded-lg bg-warn-soft px-2.5 py-2 text-[13px] text-warn leading-5">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}
