import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, MoreHorizontal, PenLine, Play, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { missedText, type Schedule, type ScheduleRun, whenText } from '#contract/schedules.ts';
import { scheduleApi } from '../api/client.ts';
import { StudioHeader } from '../home/studio-header.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Button, cx, Empty, ErrorNotice, IconButton, Link, Waiting } from '../ui/elements.tsx';
import { Switch } from '../ui/fields.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { ScheduleDialog } from './schedule-form.tsx';
import { clockOf, type Day, placeOf, resultOf, timeText, weekOf } from './texts.ts';

const listKey = ['schedules'] as const;
const refetchMs = 5_000;
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const tones = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', neutral: 'text-ink-2' } as const;

export default function SchedulesPage() {
  const list = useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => scheduleApi.list(signal),
    refetchInterval: refetchMs,
  });
  const [isAdding, setIsAdding] = useState(false);
  useEffect(() => {
    document.title = 'Schedules – Koda';
  }, []);
  const schedules = list.data ?? [];
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      New schedule
    </Button>
  );
  return (
    <div className="flex min-h-full flex-col">
      <StudioHeader path="/schedules" />
      <main className="mx-auto w-full max-w-320 flex-1 px-4 pb-16 sm:px-8">
        <div className="flex flex-wrap items-center justify-between gap-3 pt-2 pb-4">
          <div>
            <h1 className="font-semibold text-[22px] tracking-tight">Schedules</h1>
            <p className="text-ink-2 text-sm">Films that make themselves. Times are in {ownZone}.</p>
          </div>
          {schedules.length > 0 && add}
        </div>
        {list.isPending && <Waiting>Loading schedules…</Waiting>}
        {list.error && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        {list.data?.length === 0 && (
          <Empty icon={<CalendarClock />} title="No schedules yet." text="Pick a film and a time.">
            {add}
          </Empty>
        )}
        {schedules.length > 0 && <Overview schedules={schedules} nowMs={list.dataUpdatedAt} />}
      </main>
      {isAdding && <ScheduleDialog schedule={null} onClose={() => setIsAdding(false)} />}
    </div>
  );
}

function Overview({ schedules, nowMs }: { schedules: readonly Schedule[]; nowMs: number }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const selected = schedules.find(({ id }) => id === chosen) ?? schedules[0];
  return (
    <>
      <Week days={weekOf(schedules, ownZone, nowMs)} onChoose={setChosen} />
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_360px]">
        <ul aria-label="All schedules" className="overflow-hidden rounded-xl border border-line bg-panel">
          {schedules.map((schedule) => (
            <Row
              key={schedule.id}
              schedule={schedule}
              nowMs={nowMs}
              isSelected={schedule === selected}
              onChoose={() => setChosen(schedule.id)}
            />
          ))}
        </ul>
        {selected && <Detail key={selected.id} schedule={selected} nowMs={nowMs} />}
      </div>
    </>
  );
}

/** More runs of a day than this are counted. */
const shownPerDay = 4;

function Week({ days, onChoose }: { days: readonly Day[]; onChoose: (id: string) => void }) {
  return (
    <ol
      aria-label="The next seven days"
      className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-panel sm:grid-cols-4 lg:grid-cols-7"
    >
      {days.map(({ key, label, items }, index) => (
        <li
          key={key}
          className={cx('min-h-16 border-line border-l p-2 first:border-l-0 lg:min-h-32', index === 0 && 'bg-accent-soft/50')}
        >
          <p className={cx('px-1 pb-1.5 font-medium text-xs', index === 0 ? 'text-accent-text' : 'text-ink')}>{label}</p>
          {items.slice(0, shownPerDay).map(({ at, schedule }) => (
            <button
              key={schedule.id + at}
              type="button"
              onClick={() => onChoose(schedule.id)}
              className="mb-1 flex w-full gap-2 rounded-md bg-sunken px-1.5 py-1 text-left text-xs hover:bg-bubble"
            >
              <span className="text-ink-2 tabular-nums">{clockOf(at, ownZone)}</span>
              <span className="truncate">{schedule.name}</span>
            </button>
          ))}
          {items.length > shownPerDay && <p className="px-1 text-ink-2 text-xs">and {items.length - shownPerDay} more</p>}
        </li>
      ))}
    </ol>
  );
}

interface RowProps {
  schedule: Schedule;
  nowMs: number;
  isSelected: boolean;
  onChoose: () => void;
}

function Row({ schedule, nowMs, isSelected, onChoose }: RowProps) {
  const { name, projectName, cron, timeZone, nextRunAt, lastRun, state } = schedule;
  const result = lastRun === null ? null : resultOf(lastRun, schedule.delivery.type !== 'none');
  const when = timeZone === ownZone ? whenText(cron) : `${whenText(cron)}, ${placeOf(timeZone)}`;
  return (
    <li className="border-line border-t first:border-t-0">
      <button
        type="button"
        aria-current={isSelected}
        onClick={onChoose}
        className={cx(
          'grid w-full gap-x-4 gap-y-1 border-l-3 px-4 py-3 text-left text-[13px] sm:grid-cols-[minmax(0,1fr)_11rem_11rem]',
          isSelected ? 'border-accent bg-accent-soft/50' : 'border-transparent hover:bg-sunken',
        )}
      >
        <span className="min-w-0">
          <span className="block truncate font-medium text-sm">{name}</span>
          <span className="block truncate text-ink-2">
            {[...(state === 'paused' ? ['Paused'] : []), when, ...(name === projectName ? [] : [projectName])].join(' · ')}
          </span>
        </span>
        <span>
          <span className="text-ink-2">Next run: </span>
          {nextRunAt === null ? 'none' : timeText(nextRunAt, ownZone, nowMs)}
        </span>
        <span className={result === null ? 'text-ink-2' : tones[result.tone]}>{result?.text ?? 'Not run yet'}</span>
      </button>
    </li>
  );
}

/** Changes a schedule and shows the change at once. */
function useChange(change: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: listKey }) });
}

function Detail({ schedule, nowMs }: { schedule: Schedule; nowMs: number }) {
  const { id, name, keep, state, pausedBy, lastRun } = schedule;
  const run = useChange(() => scheduleApi.run(id));
  const toggle = useChange(() => (state === 'paused' ? scheduleApi.resume(id) : scheduleApi.pause(id)));
  const remove = useChange(() => scheduleApi.remove(id));
  const [isAsking, setIsAsking] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const isGoing = lastRun !== null && lastRun.finishedAt === null;
  const error = run.error ?? toggle.error ?? remove.error;
  return (
    <section aria-label={name} className="rounded-xl border border-line bg-panel">
      <div className="p-5">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="wrap-anywhere font-semibold">{name}</h2>
            <p className="text-[13px] text-ink-2">Keeps the videos of the newest {keep} runs</p>
          </div>
          <div className="flex items-center gap-2">
            <Switch
              aria-label="Active"
              title={state === 'paused' ? 'Resume' : 'Pause'}
              disabled={toggle.isPending}
              checked={state === 'active'}
              onChange={() => toggle.mutate()}
            />
            <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label={`More for ${name}`} />}>
              <MenuItem icon={<Play />} disabled={run.isPending || isGoing} onSelect={() => run.mutate()}>
                Run now
              </MenuItem>
              <MenuItem icon={<PenLine />} onSelect={() => setIsEditing(true)}>
                Edit
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger onSelect={() => setIsAsking(true)}>
                Delete…
              </MenuItem>
            </Menu>
          </div>
        </div>
        {pausedBy === 'failures' && (
          <p role="status" className="mt-3 rounded-lg bg-bad-soft px-3 py-2 text-[13px] text-bad">
            Paused after three failures. {lastRun?.error?.message}
          </p>
        )}
        {error && <ErrorNotice error={error} className="mt-3" />}
        <ol className="mt-4 grid gap-3 text-[13px]">
          <Step title="Film">
            <Link href={`/p/${schedule.projectId}?tab=video`} className="text-ink underline underline-offset-2">
              {schedule.projectName}, with its videos
            </Link>
          </Step>
          <Step title="Data">{dataText(schedule)}</Step>
          <Step title="When">
            {whenText(schedule.cron)}, {schedule.timeZone}
          </Step>
          <Step title="Delivery">{deliveryText(schedule)}</Step>
        </ol>
      </div>
      <Runs schedule={schedule} nowMs={nowMs} />
      {isEditing && <ScheduleDialog schedule={schedule} onClose={() => setIsEditing(false)} />}
      <Confirm
        open={isAsking}
        title={`Delete “${name}”?`}
        text="It makes no more films. Those that it has made stay in the project."
        action="Delete schedule"
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <p className="font-medium">{title}</p>
      <p className="wrap-anywhere text-ink-2">{children}</p>
    </li>
  );
}

function dataText({ source }: Schedule): string {
  switch (source.type) {
    case 'none':
      return 'The film as it is';
    case 'table':
      return source.name;
    case 'address':
      return source.url;
    case 'tool':
      return `“${source.tool}” of ${source.server}`;
  }
}

function deliveryText({ delivery }: Schedule): string {
  if (delivery.type === 'none') return 'Stays in Koda';
  return delivery.type === 'folder' ? delivery.folder : `${delivery.url}, signed, up to five attempts`;
}

function Runs({ schedule, nowMs }: { schedule: Schedule; nowMs: number }) {
  const runs = useQuery({
    queryKey: [...listKey, schedule.id],
    queryFn: ({ signal }) => scheduleApi.runs(schedule.id, signal),
    refetchInterval: refetchMs,
  });
  return (
    <div className="border-line border-t p-5">
      <h3 className="font-medium text-[13px]">Runs</h3>
      {runs.error && <ErrorNotice error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.data?.length === 0 && <p className="mt-1 text-[13px] text-ink-2">Not run yet</p>}
      <ol>
        {runs.data?.slice(0, 10).map((run) => (
          <RunRow key={run.id} run={run} schedule={schedule} nowMs={nowMs} />
        ))}
      </ol>
    </div>
  );
}

function RunRow({ run, schedule, nowMs }: { run: ScheduleRun; schedule: Schedule; nowMs: number }) {
  const { text, tone } = resultOf(run, schedule.delivery.type !== 'none');
  const seconds = run.finishedAt === null ? null : Math.round((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000);
  const notes = [
    missedText(run, ownZone),
    run.error?.message,
    run.skipped > 0 ? `${run.skipped} later runs were left out, because this one was still going.` : null,
  ];
  return (
    <li className="border-line border-t py-2 text-[13px] first:border-t-0">
      <p className="flex justify-between gap-3">
        <span>
          {timeText(run.startedAt, ownZone, nowMs)}: <span className={tones[tone]}>{text}</span>
        </span>
        {seconds !== null && <span className="text-ink-2 tabular-nums">{seconds} s</span>}
      </p>
      {notes.map(
        (note) =>
          note && (
            <p key={note} className="wrap-anywhere text-ink-2">
              {note}
            </p>
          ),
      )}
    </li>
  );
}
