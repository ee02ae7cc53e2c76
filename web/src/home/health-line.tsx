import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Bot, Box, ChevronDown, CircleAlert, HardDrive, Settings } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { type CircuitReport, type HealthResponse, lowDiskBytes } from '#contract/api.ts';
import { formatBytes } from '#contract/display.ts';
import { api } from '../api/client.ts';
import { cx, Link } from '../ui/elements.tsx';

/** One component that the studio depends on. */
interface HealthFact {
  readonly part: 'model' | 'sandbox' | 'disk';
  readonly isWell: boolean;
  readonly name: string;
  readonly detail: string;
  /** The problem and its solution; `null` if the component is healthy. */
  readonly advice: string | null;
  /** Used fraction, 0 to 1; `null` if there is no limit. */
  readonly share: number | null;
}

const componentNames: Record<HealthFact['part'], string> = { model: 'Model', sandbox: 'Sandboxes', disk: 'Disk' };

const retryText = (time: string | null) =>
  time === null ? 'Koda tries again with the next request.' : `Koda tries again at ${time}.`;

/** Describes the state of the studio's components. `timeOf` formats an ISO 8601 time as a time of day. */
export function healthFacts(health: HealthResponse, timeOf: (iso: string) => string): readonly HealthFact[] {
  const retryTime = ({ retryAt }: CircuitReport) => (retryAt === null ? null : timeOf(retryAt));
  const open = (name: string) => health.circuits.find((circuit) => circuit.name === name && circuit.state === 'open');
  return [modelFact(health, open('model'), retryTime), sandboxFact(health, open('docker'), retryTime), diskFact(health)];
}

type RetryTime = (circuit: CircuitReport) => string | null;

function modelFact({ model }: HealthResponse, resting: CircuitReport | undefined, retryTime: RetryTime): HealthFact {
  return {
    part: 'model',
    isWell: resting === undefined,
    name: model.name,
    detail: model.kind === 'director' ? 'Built in; needs no key and no network' : '',
    advice: resting
      ? `The model service is not responding. ${retryText(retryTime(resting))} If this persists, check the model and its key in the settings.`
      : null,
    share: null,
  };
}

function sandboxFact({ sandbox }: HealthResponse, resting: CircuitReport | undefined, retryTime: RetryTime): HealthFact {
  const kinds: Record<string, string> = { docker: 'Docker', process: 'Processes on this machine' };
  const down = sandbox.available
    ? null
    : `${sandbox.detail ?? ''} Koda cannot start sandboxes, so it cannot build or render. Check that Docker is running.`.trim();
  return {
    part: 'sandbox',
    isWell: sandbox.available && resting === undefined,
    name: kinds[sandbox.kind] ?? sandbox.kind,
    detail: sandbox.available ? (sandbox.detail ?? 'Ready') : '',
    advice: resting ? `Docker is not responding. ${retryText(retryTime(resting))} If this persists, restart Docker.` : down,
    share: null,
  };
}

function diskFact({ database, freeDiskBytes, usedDiskBytes, diskLimitBytes }: HealthResponse): HealthFact {
  const over = diskLimitBytes !== null && usedDiskBytes > diskLimitBytes;
  const low = freeDiskBytes <= lowDiskBytes;
  const used = formatBytes(usedDiskBytes);
  return {
    part: 'disk',
    isWell: !over && !low && database !== 'damaged',
    name: `${formatBytes(freeDiskBytes)} free`,
    detail: diskLimitBytes === null ? `${used} used by projects` : `${used} of ${formatBytes(diskLimitBytes)} used by projects`,
    advice: database === 'damaged' ? damagedAdvice : diskAdvice({ over, low }),
    share: diskLimitBytes === null ? null : Math.min(1, usedDiskBytes / diskLimitBytes),
  };
}

const damagedAdvice = 'The database is damaged. Stop Koda, copy the data folder, and restore a backup: koda restore <file>.';

function diskAdvice({ over, low }: { over: boolean; low: boolean }): string | null {
  if (over) return 'The disk limit is reached, so nothing new can start. Delete projects or videos, or raise KODA_DISK_LIMIT_MB.';
  return low ? 'Little disk space is left, so renders may fail. Delete projects or videos, or free up some space.' : null;
}

/** Polls a missing server more often, because the user waits for it. */
const pollMs = { working: 20_000, failed: 5_000 };

export function useHealth(): UseQueryResult<HealthResponse> {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.health(signal),
    refetchInterval: ({ state }) => (state.status === 'error' ? pollMs.failed : pollMs.working),
  });
}

const serverAdvice = 'The server is not responding. Start it with npm start. This page reconnects automatically.';

type Health = Pick<UseQueryResult<HealthResponse>, 'data' | 'isError' | 'errorUpdateCount'>;

/** Whether the server does not respond. A retry after the first request failed is pending again, but nothing has changed. */
const isDown = ({ data, isError, errorUpdateCount }: Health) => isError || (data === undefined && errorUpdateCount > 0);

interface StartNotice {
  readonly text: string;
  /** Short reason why no film can be started; `null` if one can. */
  readonly block: string | null;
}

/** Returns what the user must know before starting a film, or `null` if there is nothing to report. */
export function startNotice(health: Health): StartNotice | null {
  const { data } = health;
  if (isDown(health)) return { text: serverAdvice, block: 'Server not responding' };
  if (data === undefined) return null;
  const { advice, share } = diskFact(data);
  return advice === null ? null : { text: advice, block: share === 1 ? 'Disk limit reached' : null };
}

const icons: Record<HealthFact['part'], ReactNode> = {
  model: <Bot />,
  sandbox: <Box />,
  disk: <HardDrive />,
};
const timeOf = (iso: string) =>
  new Date(iso).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

function studioState(health: Health): { status: string; tone: string } {
  if (isDown(health)) return { status: 'Server not responding', tone: 'bg-bad' };
  if (health.data === undefined) return { status: 'Checking the studio…', tone: 'bg-ink-3' };
  return health.data.status === 'ok' ? { status: 'Ready', tone: 'bg-ok' } : { status: 'Limited', tone: 'bg-warn' };
}

/** Shows in a word or two whether the studio is ready to work, with details and advice in a panel. */
export function HealthLine() {
  const health = useHealth();
  const facts = health.data ? healthFacts(health.data, timeOf) : [];
  const troubled = facts.filter(({ isWell }) => !isWell);
  const { status, tone } = studioState(health);
  const isChecking = health.isPending && !isDown(health);
  return (
    <Popover.Root>
      <Popover.Trigger
        title="Studio status: show details"
        // Invisible until loaded, because its text would move its neighbours.
        className={cx(
          'flex h-8 min-w-0 items-center gap-2 rounded-lg px-2 text-ink-2 text-xs transition-colors hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken',
          isChecking && 'invisible',
        )}
      >
        <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tone)} />
        <span className="truncate">{[status, ...troubled.map(({ part }) => componentNames[part])].join(' · ')}</span>
        {troubled.length === 0 &&
          facts.map(({ part, name }) => (
            <span key={part} className="hidden max-w-56 truncate border-line-strong border-l pl-2 lg:inline">
              {name}
            </span>
          ))}
        <span className="sr-only">Studio status: show details</span>
        <ChevronDown className="size-3.5 shrink-0 text-ink-3" />
      </Popover.Trigger>
      {/* Screen readers announce changes even while the panel is closed. */}
      <span role="status" className="sr-only">
        {isChecking ? '' : status}
      </span>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="This studio"
          className="z-40 w-[min(22rem,calc(100vw-1.5rem))] animate-fade rounded-2xl border border-line-strong bg-panel p-2 shadow-lift outline-none"
        >
          {isDown(health) && <Advice>{serverAdvice}</Advice>}
          {isChecking && <p className="p-3 text-[13px] text-ink-2">Checking the studio…</p>}
          <ul>
            {facts.map((fact) => (
              <FactRow key={fact.part} fact={fact} />
            ))}
          </ul>
          <div className="mt-1 flex items-center justify-between border-line border-t px-3 pt-2 pb-1 text-xs">
            <span className="text-ink-3">{health.data ? `Koda ${health.data.version}` : ''}</span>
            <Link href="/settings" className="flex items-center gap-1.5 rounded text-ink-2 hover:text-ink">
              <Settings className="size-3.5" />
              Settings
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
          <p className="text-ink-3 text-xs">{componentNames[part]}</p>
          <p className="wrap-anywhere font-medium">{name}</p>
          {detail !== '' && <p className="text-ink-2">{detail}</p>}
          {share !== null && (
            <div className="relative mt-1.5 h-1 overflow-hidden rounded-full bg-line">
              <meter className="sr-only" aria-label="Disk usage" value={share} />
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
      <CircleAlert className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}
