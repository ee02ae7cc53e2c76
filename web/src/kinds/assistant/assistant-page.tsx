import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronLeft, Keyboard, Plus } from 'lucide-react';
import { type CSSProperties, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { refuse } from '#contract/permission.ts';
import { submitAction } from '#contract/surface/question.ts';
import { browserStorage } from '../../browser-storage.ts';
import { carryOut, type Order } from '../../conversation/orders.ts';
import { PermissionList } from '../../conversation/permission-list.tsx';
import { useProject, useView } from '../../project/context.ts';
import { OriginContext } from '../../project/origin.ts';
import { useTabState } from '../../project/project-status.ts';
import { ConnectionBanner } from '../../project-page/connection-banner.tsx';
import { ColumnDivider } from '../../project-page/pane-divider.tsx';
import { ProjectName, ProjectTitle } from '../../project-page/top-bar.tsx';
import { navigate } from '../../router.ts';
import { AppButtons } from '../../shortcuts/app-buttons.tsx';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { Button, buttonClass, ErrorNotice, Link } from '../../ui/elements.tsx';
import { useHasSheet, useWindowEvent } from '../../ui/hooks.ts';
import { assistantApi, startPath, useModelName } from './assistant-api.ts';
import { PhoneBar } from './phone-bar.tsx';
import { CurrentStage, EarlierSurface } from './stage.tsx';
import { StepList } from './step-list.tsx';
import { StepScroller } from './step-scroller.tsx';
import {
  announcement,
  type Entry,
  entriesOf,
  jobOf,
  type Stage,
  stageOf,
  startedIn,
  surfaceOf,
  type Target,
  thinkingName,
  trackOf,
} from './steps.ts';
import { cardTitleId } from './surface-card.tsx';
import { StateName, Track } from './track.tsx';
import { useChange, useFollowed, workStates } from './use-followed.ts';
import { WordsBox } from './words-box.tsx';

/** In CSS pixels. */
const widths = { least: 320, usual: 372, most: 440 };
const widthKey = 'koda:assistant-width';

const fitting = (wanted: number): number => Math.round(Math.max(widths.least, Math.min(wanted, widths.most)));

function keptWidth(): number | null {
  const kept = Number(browserStorage.read(widthKey) ?? Number.NaN);
  return Number.isFinite(kept) ? fitting(kept) : null;
}

const column = createStore<{ readonly width: number | null }>(() => ({ width: keptWidth() }));

function setColumn(wanted: number | null): void {
  const width = wanted === null ? null : fitting(wanted);
  column.setState({ width });
  browserStorage.write(widthKey, width === null ? null : String(width));
}

/** Reads the answered forms again after each message, because each answer is one. */
function useAnswers() {
  const { projectId } = useProject();
  const lastMessage = useView((view) => view.messages.findLast(({ role }) => role === 'user')?.id ?? null);
  const { data } = useQuery({
    queryKey: ['assistant-answers', projectId, lastMessage],
    queryFn: async ({ signal }) => ({
      answers: (await assistantApi.conversation(projectId, signal)).answers,
      readUpTo: lastMessage,
    }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return data ?? { answers: [], readUpTo: null };
}

/** Links in a conversation carry its id, so that the pages of films and apps can lead back. */
export default function AssistantPage() {
  const { projectId } = useProject();
  return (
    <OriginContext value={projectId}>
      <ConversationPage />
    </OriginContext>
  );
}

/** The conversation's steps beside what it is about now. Nothing of it is stored in the page. */
function ConversationPage() {
  const { projectId } = useProject();
  const isNarrow = useHasSheet();
  useTabState();
  const view = useView((known) => known);
  const { answers, readUpTo } = useAnswers();
  const followed = useFollowed(startedIn(view));
  const change = useChange(followed);
  const work = workStates(followed);
  const entries = entriesOf(view, { answers, readUpTo, work });
  const { state, passed } = trackOf(view, answers, work);
  const stage = stageOf(view, answers);
  const thinking = thinkingName(view);
  const orders = useMutation({ mutationFn: (order: Order) => carryOut(projectId, order) });
  const [opened, setOpened] = useState<Target | null>(null);
  const [hasSheet, setHasSheet] = useState(false);
  const [isWriting, setIsWriting] = useState(false);
  const words = useRef<HTMLTextAreaElement>(null);
  const model = useModelName();
  const speaks = model !== null && jobOf(view) === null;
  const columnId = useId();
  const width = useStore(column, (kept) => kept.width);
  const open = (target: Target) => {
    setOpened(target.kind === 'now' ? null : target);
    setHasSheet(false);
  };
  const openedPast = opened === null || opened.kind === 'now' ? null : opened;
  useEffect(() => {
    if (isWriting) words.current?.focus();
  }, [isWriting]);
  useKeys({
    stage,
    isPast: openedPast !== null,
    write: () => (isNarrow && speaks ? setIsWriting(true) : words.current?.focus()),
    leave: () => {
      if (openedPast !== null) setOpened(null);
      else if (hasSheet) setHasSheet(false);
      else if (isWriting) setIsWriting(false);
      else if (view.project.running && !orders.isPending) orders.mutate({ kind: 'stop' });
      else refuseOpen(view, orders.mutate);
    },
  });
  const shown =
    openedPast === null ? (
      <CurrentStage
        stage={stage}
        state={state}
        followed={followed}
        busy={orders.isPending}
        give={orders.mutate}
        {...(isNarrow && isWriting && { instead: <PhoneWords boxRef={words} onForm={() => setIsWriting(false)} /> })}
      />
    ) : (
      <EarlierSurface target={openedPast} onBack={() => setOpened(null)} />
    );
  const problem = orders.isError && (
    <ErrorNotice error={orders.error} onDismiss={() => orders.reset()} className="mb-3 w-full max-w-165" />
  );
  const steps = <StepList entries={entries} opened={opened} onOpen={open} />;
  const newest = `${entries.length} ${entries.at(-1)?.id ?? ''}`;
  const live = (
    <p role="status" className="sr-only">
      {[announcement(view, state), change].filter((text) => text !== '').join('. ')}
    </p>
  );
  if (isNarrow) {
    return (
      <div className="flex h-dvh flex-col">
        <header className="flex h-14 shrink-0 items-center gap-1 border-line border-b bg-panel px-1">
          <Link href={startPath} aria-label="Assistant" className="grid size-11 place-items-center text-ink-2">
            <ChevronLeft className="size-5" />
          </Link>
          <div className="min-w-0 flex-1 leading-5">
            <h1 className="-ml-1.5 [&_button]:py-0">
              <ProjectName />
            </h1>
            <StateName state={state} thinking={thinking} className="bg-transparent! font-medium text-xs" />
          </div>
          <Link href={startPath} aria-label="New conversation" className="grid size-11 place-items-center text-ink-2">
            <Plus className="size-5" />
          </Link>
        </header>
        <ConnectionBanner />
        <aside aria-label="Conversation" className="shrink-0 border-line border-b">
          <button
            type="button"
            aria-expanded={hasSheet}
            onClick={() => setHasSheet(!hasSheet)}
            className="flex min-h-11.5 w-full items-center gap-2 px-4 text-left text-[13px] text-ink-2"
          >
            <span className="min-w-0 flex-1 truncate">{stepsInShort(entries)}</span>
            <ChevronDown aria-hidden="true" className={`size-4 transition-transform ${hasSheet ? 'rotate-180' : ''}`} />
          </button>
          {hasSheet && (
            <StepScroller newest={newest} className="max-h-[60dvh] px-4 pb-4">
              {steps}
              <PermissionList />
            </StepScroller>
          )}
        </aside>
        {live}
        <main aria-labelledby={cardTitleId} className="flex min-h-0 flex-1 flex-col">
          {problem}
          {shown}
        </main>
        {speaks && !isWriting && (
          <button
            type="button"
            onClick={() => setIsWriting(true)}
            className="flex min-h-11 shrink-0 items-center justify-end gap-2 bg-panel px-4 font-medium text-[13px]"
          >
            <Keyboard aria-hidden="true" className="size-4" />
            Answer in words
          </button>
        )}
        {!isWriting && <PhoneBar here="conversation" />}
      </div>
    );
  }
  return (
    <div className="flex h-dvh flex-col">
      <header className="grid h-13 shrink-0 grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-3 border-line border-b bg-panel px-3 sm:px-4">
        <ProjectTitle backTo={startPath} label="Assistant" />
        <Track state={state} passed={passed} thinking={thinking} />
        <div className="flex min-w-0 items-center justify-end gap-2">
          <p className="hidden min-w-0 items-center gap-2 text-[13px] text-ink-2 lg:flex">
            <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-ok" />
            <span className="truncate">{jobOf(view) === null ? (model ?? 'No model') : 'No model needed'}</span>
          </p>
          <AppButtons />
        </div>
      </header>
      <ConnectionBanner />
      {live}
      <div
        className="grid min-h-0 flex-1 grid-cols-[var(--steps)_minmax(0,1fr)] grid-rows-[minmax(0,1fr)]"
        style={{ '--steps': `${width ?? widths.usual}px` } as CSSProperties}
      >
        <aside id={columnId} aria-label="Conversation" className="flex min-h-0 min-w-0 flex-col border-line border-r">
          <StepScroller newest={newest} className="min-h-0 flex-1 p-4.5 pb-2">
            {steps}
          </StepScroller>
          <div className="flex flex-col gap-2.5 p-4.5 pt-3.5">
            <PermissionList />
            <WordsOrWhy speaks={speaks} hasModel={model !== null} boxRef={words} />
          </div>
        </aside>
        <main aria-labelledby={cardTitleId} className="relative min-h-0 min-w-0 bg-backdrop">
          <ColumnDivider columnId={columnId} width={width} onWidth={setColumn} />
          <div className="flex h-full flex-col items-center p-6">
            {problem}
            {shown}
          </div>
        </main>
      </div>
    </div>
  );
}

interface WordsOrWhyProps {
  speaks: boolean;
  hasModel: boolean;
  boxRef: React.RefObject<HTMLTextAreaElement | null>;
}

/** The box for words, or why there is none. */
function WordsOrWhy({ speaks, hasModel, boxRef }: WordsOrWhyProps) {
  if (speaks) return <WordsBox ref={boxRef} />;
  return (
    <div className="flex items-center gap-3 rounded-[14px] border border-line-strong border-dashed p-1.5 pl-3 text-[13px] text-ink-2">
      <p className="min-w-0 flex-1">
        {hasModel ? 'A ready job asks with forms. Use words in another conversation.' : 'To answer in words, connect a model.'}
      </p>
      {hasModel ? (
        <Button size="sm" onClick={() => navigate(startPath)}>
          New
        </Button>
      ) : (
        <Link href="/settings" className={buttonClass('secondary', 'sm')}>
          Connect
        </Link>
      )}
    </div>
  );
}

interface PhoneWordsProps {
  boxRef: React.RefObject<HTMLTextAreaElement | null>;
  onForm: () => void;
}

function PhoneWords({ boxRef, onForm }: PhoneWordsProps) {
  return (
    <div className="flex flex-col gap-1">
      <WordsBox ref={boxRef} />
      <button type="button" onClick={onForm} className="min-h-11 font-medium text-[13px]">
        Back to the form
      </button>
    </div>
  );
}

type Open = Parameters<typeof stageOf>[0];

/** Says no to an open question of Koda's own. Other questions stay open. */
function refuseOpen(known: Open, give: (order: Order) => void): void {
  const { approval } = known;
  if (approval === null) return;
  const { kind } = stageOf(known, []);
  if (kind === 'permission') give({ kind: 'permission', approvalId: approval.id, optionId: refuse });
  if (kind === 'confirmation') give({ kind: 'permission', approvalId: approval.id, optionId: 'no' });
  const surface = kind === 'deletion' ? surfaceOf(approval.surface) : null;
  if (surface === null) return;
  give({
    kind: 'action',
    surfaceId: surface.surfaceId,
    pressed: { name: submitAction, sourceComponentId: 'keep', context: {} },
  });
}

interface Keys {
  readonly stage: Stage;
  readonly isPast: boolean;
  readonly write: () => void;
  readonly leave: () => void;
}

const typing = 'input, textarea, select';

function useKeys({ stage, isPast, write, leave }: Keys): void {
  useShortcuts({
    n: () => navigate(startPath),
    '/': write,
    'Alt+ArrowUp': () => walk(-1),
    'Alt+ArrowDown': () => walk(1),
  });
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    // An open dialog or menu handles the keys.
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      if (stage.kind !== 'surface' || isPast || target?.closest('aside')) return;
      event.preventDefault();
      const buttons = document.querySelectorAll<HTMLButtonElement>('[data-surface] [data-footer] button:enabled');
      [...buttons].at(-1)?.click();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (target?.matches(typing)) target.blur();
    else leave();
  });
}

/** Returns how many steps are done and what comes next, in one line. */
function stepsInShort(entries: readonly Entry[]): string {
  const steps = entries.filter((entry) => entry.kind === 'step');
  const done = steps.filter(({ look, id }) => look !== 'next' && id !== 'now').length;
  const next = steps.find(({ look }) => look === 'next');
  const counted = done === 0 ? 'No steps yet' : `${done} ${done === 1 ? 'step' : 'steps'} done`;
  return next === undefined ? counted : `${counted}, ${next.verb.replace(/^T/, 't')}`;
}

/** Moves the focus to the step before or after the focused or current one. */
function walk(by: -1 | 1): void {
  const steps = [...document.querySelectorAll<HTMLElement>('[data-step]')];
  const focused = steps.findIndex((step) => step.contains(document.activeElement));
  const from = focused === -1 ? steps.findIndex((step) => step.hasAttribute('aria-current')) : focused;
  const next = steps[Math.max(0, Math.min(from + by, steps.length - 1))];
  (next?.querySelector<HTMLElement>('button') ?? next)?.focus();
}
