import {
  Check,
  ChevronRight,
  CirclePause,
  CirclePlay,
  ClipboardCheck,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Play,
  Table2,
  Wrench,
  X,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '../../ui/elements.tsx';
import { FileCard } from './attached-files.tsx';
import { LongText } from './long-text.tsx';
import type { Entry, ShownStep, StepLook, Target } from './steps.ts';
import { VideosProgress } from './videos-progress.tsx';

/** More steps than this fold. */
const maxShown = 30;
/** Steps that stay when the older ones fold. */
const shownWhenFolded = 6;

interface StepListProps {
  entries: readonly Entry[];
  /** Surface that is open over the stage. `null` for the current one. */
  opened: Target | null;
  onOpen: (target: Target) => void;
}

/** The conversation so far: what was said, the steps, and the surfaces as chips. */
export function StepList({ entries, opened, onOpen }: StepListProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const count = entries.filter(({ kind }) => kind === 'step').length;
  const folds = count > maxShown && !isUnfolded;
  const shown = folds ? lastSteps(entries, shownWhenFolded) : entries;
  const current = currentStep(entries);
  return (
    <>
      {folds && (
        <button
          type="button"
          onClick={() => setIsUnfolded(true)}
          className="mb-3 flex min-h-8 items-center gap-2 rounded-lg px-2 text-[13px] text-ink-2 hover:bg-sunken"
        >
          <ChevronRight aria-hidden="true" className="size-3.5" />
          {`${count - shownWhenFolded} earlier steps`}
        </button>
      )}
      <ol aria-label="Steps" className="flex flex-col gap-0.5">
        {shown.map((entry) =>
          entry.kind === 'step' ? (
            <StepItem key={entry.id} step={entry} isCurrent={entry.id === current} opened={opened} onOpen={onOpen} />
          ) : (
            <li key={entry.id} className={cx('py-1.5', entry.kind === 'said' && 'mb-2 flex justify-end pl-8')}>
              {entry.kind === 'said' ? (
                <div className="min-w-0 rounded-2xl rounded-br-md bg-bubble px-3.5 py-2.5">
                  <LongText text={entry.text} />
                  {entry.files.length > 0 && (
                    <ul aria-label="Attached files" className="-mx-1.5 mt-2 flex flex-col gap-1.5">
                      {entry.files.map((file) => (
                        <FileCard key={file.name} file={file} className="bg-panel pr-2.5" />
                      ))}
                    </ul>
                  )}
                </div>
              ) : (
                <div className="pl-8.5 text-[13px] leading-5">
                  <LongText text={entry.text} hasLinks />
                </div>
              )}
            </li>
          ),
        )}
      </ol>
    </>
  );
}

function lastSteps(entries: readonly Entry[], count: number): readonly Entry[] {
  let left = count;
  const start = entries.findLastIndex(({ kind }) => {
    if (kind === 'step') left -= 1;
    return left === 0;
  });
  return entries.slice(Math.max(0, start));
}

/** Returns the id of the step that is going on, or of the last one. */
function currentStep(entries: readonly Entry[]): string | null {
  const steps = entries.filter((entry) => entry.kind === 'step' && entry.look !== 'next');
  return steps.at(-1)?.id ?? null;
}

const icons: Readonly<Record<StepLook, LucideIcon>> = {
  done: Check,
  started: CirclePlay,
  working: LoaderCircle,
  waiting: Hand,
  failed: X,
  stopped: CirclePause,
  adjusted: Wrench,
  next: Play,
};

const circles: Readonly<Record<StepLook, string>> = {
  done: 'border-line-strong bg-ground text-ok',
  started: 'border-line-strong bg-ground text-accent-text',
  adjusted: 'border-line-strong bg-ground text-ok',
  working: 'border-accent bg-accent-soft text-accent-text',
  waiting: 'border-accent bg-accent-soft text-accent-text',
  failed: 'border-transparent bg-bad-soft text-bad',
  stopped: 'border-line-strong bg-ground text-ink-2',
  next: 'border-dashed border-line-strong bg-ground text-ink-3',
};

interface StepItemProps {
  step: ShownStep;
  isCurrent: boolean;
  opened: Target | null;
  onOpen: (target: Target) => void;
}

function StepItem({ step: { look, verb, time, sentence, chip, progress }, isCurrent, opened, onOpen }: StepItemProps) {
  const Icon = icons[look];
  return (
    <li
      aria-current={isCurrent ? 'step' : undefined}
      data-step=""
      tabIndex={-1}
      className="relative grid grid-cols-[24px_minmax(0,1fr)] gap-2.5 rounded-lg pt-1.25 pb-1.75 before:absolute before:top-7 before:-bottom-1.5 before:left-[11.5px] before:w-px before:bg-line-strong last:before:hidden"
    >
      <span aria-hidden="true" className={cx('relative z-10 grid size-6 place-items-center rounded-full border', circles[look])}>
        <Icon className={cx('size-3.5', look === 'working' && 'animate-spin motion-reduce:animate-none')} />
      </span>
      <div className="min-w-0">
        <p className="flex justify-between gap-2 text-[13px] leading-6">
          <span className={cx('min-w-0 wrap-anywhere', look === 'next' ? 'text-ink-3' : 'font-medium')}>{verb}</span>
          {time !== null && (
            <span className="shrink-0 text-ink-3 text-xs leading-6 tabular-nums">
              <StepTime time={time} />
            </span>
          )}
        </p>
        {sentence !== null && sentence !== '' && (
          <p className="line-clamp-4 wrap-anywhere text-[13px] text-ink-2 leading-4.5">{sentence}</p>
        )}
        {progress !== null && <VideosProgress label={verb} progress={progress} className="mt-2" />}
        {chip !== null && <Chip {...chip} isShown={isOpen(chip.target, opened)} onOpen={() => onOpen(chip.target)} />}
      </div>
    </li>
  );
}

function isOpen(target: Target, opened: Target | null): boolean {
  if (opened === null || opened.kind === 'now') return target.kind === 'now';
  if (opened.kind === 'form') return target.kind === 'form' && target.approvalId === opened.approvalId;
  return target.kind === 'message' && target.messageId === opened.messageId;
}

interface ChipProps {
  title: string;
  target: Target;
  isShown: boolean;
  onOpen: () => void;
}

function Chip({ title, target, isShown, onOpen }: ChipProps) {
  const Icon = target.kind === 'form' ? ClipboardCheck : Table2;
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onOpen}
      className={cx(
        'mt-1.5 flex min-h-9 w-full items-center gap-2 rounded-[9px] border bg-panel px-2.5 py-1.5 text-left text-[13px] leading-4.5 transition-colors max-pane:min-h-11',
        isShown ? 'border-accent ring-1 ring-accent' : 'border-line hover:border-ink-3',
      )}
    >
      <Icon aria-hidden="true" className="size-3.75 shrink-0" />
      <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{title}</span>
      {!isShown && <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />}
    </button>
  );
}

const clock = (iso: string) => new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Formats “0.6 s” or “2:31”. */
function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function StepTime({ time }: { time: NonNullable<ShownStep['time']> }) {
  const startedAt = 'startedAt' in time ? time.startedAt : null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (startedAt === null) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [startedAt]);
  if ('at' in time) return clock(time.at);
  if ('durationMs' in time) return durationText(time.durationMs);
  const seconds = Math.max(0, Math.floor((now - Date.parse(time.startedAt)) / 1000));
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1000);
}
