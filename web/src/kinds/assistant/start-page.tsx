import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { ArrowRight, ArrowUp, CalendarClock, HardDrive, type LucideIcon, Plug, Scaling, Sparkles, Table2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { HealthResponse, ProjectListItem } from '#contract/api.ts';
import { formatAgo, formatBytes, formatCount } from '#contract/display.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import {
  type AssistantState,
  assistantKindId,
  endWithStarted,
  type JobId,
  jobNamed,
  type Step,
} from '#kinds/assistant/contract/assistant.ts';
import { api } from '../../api/client.ts';
import { browserStorage, parseStored } from '../../browser-storage.ts';
import { useHealth } from '../../home/health-line.tsx';
import { StudioHeader } from '../../home/studio-header.tsx';
import { useProjectList } from '../../home/use-projects.ts';
import { projectStatus } from '../../project/project-status.ts';
import { navigate, projectHref } from '../../router.ts';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { Button, buttonClass, cx, ErrorNotice, Link } from '../../ui/elements.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { useSettled } from '../../ui/hooks.ts';
import { FileDrop, onPasteFiles, useNoStrayDrops } from '../../uploads/file-input.tsx';
import { assistantApi, type Beginning, startPath, useModelName, useReadyJobs } from './assistant-api.ts';
import { AttachButton, AttachedFiles, dropHint, useAttached } from './attached-files.tsx';
import { JobPicture } from './job-picture.tsx';
import { noteAct } from './person-acts.ts';
import { PhoneBar } from './phone-bar.tsx';
import { ToolChoice } from './tool-choice.tsx';
import { StateName } from './track.tsx';

/** What a row of jobs has room for. */
const jobsInShort: Readonly<Record<JobId, { readonly icon: LucideIcon; readonly words: string }>> = {
  variants: { icon: Table2, words: 'One film, a row per version' },
  sizes: { icon: Scaling, words: 'Upright, square or wide' },
  'clean-up': { icon: HardDrive, words: 'Choose what to delete' },
  schedule: { icon: CalendarClock, words: 'Fresh numbers, delivered' },
};

/** Starts conversations, and lists those before. */
export default function StartPage() {
  const health = useHealth();
  const model = useModelName();
  const starting = useMutation({
    mutationFn: assistantApi.start,
    onSuccess(id) {
      noteAct(id);
      navigate(projectHref(id));
    },
  });
  useEffect(() => {
    document.title = 'Assistant – Koda';
  }, []);
  const focusStart = () => document.querySelector<HTMLElement>('[data-start]')?.focus();
  useShortcuts({ n: focusStart, '/': focusStart });
  const facts = useFacts(health.data);
  const busy = starting.isPending || starting.isSuccess;
  return (
    <div className="flex h-dvh flex-col">
      <StudioHeader path={startPath} />
      <main className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
        <div className="mx-auto w-full max-w-300 px-4 pt-5 pb-12 pane:px-8 pane:pt-7">
          <div className="text-center">
            <h1 className="font-semibold text-[28px] leading-9 tracking-[-0.028em] pane:text-[40px] pane:leading-11.5">
              What needs doing?
            </h1>
            <p className="mt-1 text-balance text-[15px] text-ink-2 pane:mt-2 pane:text-base">
              {model === null
                ? 'Pick a job. It asks for what it needs, and shows what it will do before it does it.'
                : 'Describe the job. Koda builds the form for it, runs it and shows the result.'}
            </p>
          </div>
          {starting.isError && (
            <ErrorNotice error={starting.error} onDismiss={() => starting.reset()} className="mx-auto mt-5 max-w-190" />
          )}
          {/* Whether there is a model decides what the page is, so nothing is shown before. */}
          {health.data !== undefined &&
            (model === null ? (
              <JobCards facts={facts} busy={busy} start={starting.mutate} />
            ) : (
              <>
                <AskBox busy={busy} start={starting.mutate} />
                <JobRow facts={facts} busy={busy} start={starting.mutate} />
              </>
            ))}
          {health.data !== undefined && <Earlier most={model === null ? 3 : 8} searchable={model !== null} />}
        </div>
      </main>
      <PhoneBar here="start" />
    </div>
  );
}

type Facts = Readonly<Partial<Record<JobId, string>>>;

/** A fact for each job, as far as the server knows one. */
function useFacts(health: HealthResponse | undefined): Facts {
  const { data } = useQuery({
    queryKey: ['assistant-films'],
    queryFn: ({ signal }) => api.listProjects({ search: '', state: 'complete', sort: 'newest', cursor: null }, signal),
  });
  const films = data?.items.filter(({ videoUrl }) => videoUrl !== null).length ?? 0;
  // Of a longer list, only the first page is known.
  const counted = data === undefined || data.nextCursor !== null ? null : filmsText(films);
  return {
    ...(counted !== null && { variants: counted, sizes: counted, schedule: counted }),
    ...(health && { 'clean-up': `${formatBytes(health.freeDiskBytes)} free` }),
  };
}

const filmsText = (count: number): string => (count === 0 ? 'No finished film yet' : formatCount(count, 'finished film'));

interface JobsProps {
  busy: boolean;
  start: (beginning: Beginning) => void;
}

function JobCards({ facts, busy, start }: JobsProps & { facts: Facts }) {
  const jobs = useReadyJobs();
  return (
    <section aria-label="Jobs" className="mt-6 pane:mt-7">
      {jobs.isError && <ErrorNotice error={jobs.error} onRetry={() => void jobs.refetch()} />}
      <ul className="grid gap-3 pane:grid-cols-2 pane:gap-4 xl:grid-cols-4">
        {jobs.data?.map(({ id, title, sentence }, index) => (
          <li key={id}>
            <button
              type="button"
              disabled={busy}
              data-start={index === 0 ? '' : undefined}
              onClick={() => start({ prompt: title })}
              className="group flex h-full w-full flex-col overflow-hidden rounded-[14px] border border-line bg-panel text-left transition-[border-color,box-shadow] enabled:hover:border-ink-3 enabled:hover:shadow-lift"
            >
              <JobPicture id={id} />
              <span className="flex flex-1 flex-col gap-1 px-4 pt-3.5 pb-4">
                <span className="font-semibold text-[15px] leading-5">{title}</span>
                <span className="text-[13px] text-ink-2 leading-4.5">{sentence}</span>
              </span>
              <span className="flex items-center justify-between px-4 pb-3.5 text-ink-3 text-xs">
                {facts[id] ?? ''}
                <span className="flex items-center gap-1 font-medium text-[13px] group-hover:text-accent-text">
                  <span className="hidden group-hover:inline group-focus-visible:inline">Start</span>
                  <ArrowRight aria-hidden="true" className="size-3.5" />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-x-3.5 gap-y-3 rounded-xl border border-line-strong border-dashed py-3.5 pr-4 pl-4.5">
        <span aria-hidden="true" className="grid size-9 place-items-center rounded-[10px] bg-sunken text-ink-2">
          <Plug className="size-4.5" />
        </span>
        <div className="min-w-60 flex-1">
          <p className="font-medium">For anything else, connect a model</p>
          <p className="text-[13px] text-ink-2">
            Then describe a job in your own words, and Koda builds the form for it. A model on this computer is enough.
          </p>
        </div>
        <Link href="/settings" className={cx(buttonClass('secondary'), 'max-pane:h-11')}>
          Connect a model
        </Link>
      </div>
    </section>
  );
}

/** Keys of the unsent request in the browser's storage. */
const kept = { words: 'koda:ask', files: 'koda:ask-files', toolsOff: 'koda:ask-tools-off' };
const namesSchema = z.array(z.string());

function AskBox({ busy, start }: JobsProps) {
  const [text, setText] = useState(() => browserStorage.read(kept.words) ?? '');
  const [toolsOff, setToolsOff] = useState<readonly string[]>(
    () => parseStored(namesSchema, browserStorage.read(kept.toolsOff)) ?? [],
  );
  const attached = useAttached({ keptAs: kept.files, words: text, maxCharacters: maxPromptCharacters });
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => browserStorage.write(kept.words, text === '' ? null : text), [text]);
  useEffect(() => browserStorage.write(kept.toolsOff, toolsOff.length === 0 ? null : JSON.stringify(toolsOff)), [toolsOff]);
  useEffect(() => box.current?.focus(), []);
  useNoStrayDrops();
  const isReady = text.trim() !== '' && !attached.isTooLong && !busy;
  const ask = () => {
    if (!isReady) return;
    for (const name of Object.values(kept)) browserStorage.write(name, null);
    start({ prompt: attached.content, toolsOff });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <FileDrop
      onFiles={attached.add}
      hint={dropHint}
      className="mx-auto mt-6 w-full max-w-190 rounded-2xl border border-line-strong bg-panel p-2.5 shadow-card focus-within:border-ink-3"
    >
      <textarea
        ref={box}
        data-start=""
        rows={2}
        value={text}
        maxLength={maxPromptCharacters}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => onPasteFiles(event, attached.add)}
        aria-label="What needs doing?"
        placeholder="Make a version of a film for every row of a table, collect last month’s renders, check which films mention the old opening hours…"
        className="field-sizing-content max-h-60 min-h-17 w-full resize-none bg-transparent px-2.5 py-2 text-[17px] leading-7 outline-none placeholder:text-ink-3"
      />
      <AttachedFiles attached={attached} className="px-1 pb-2.5" />
      <div className="flex items-center gap-2">
        <AttachButton attached={attached} />
        <span aria-hidden="true" className="h-4.5 w-px bg-line-strong" />
        <div className="flex min-w-0 flex-1 items-center pl-1">
          <ToolChoice off={toolsOff} onChange={setToolsOff} />
        </div>
        <span className="text-ink-3 text-xs max-pane:hidden pointer-coarse:hidden">Enter</span>
        <Button variant="primary" disabled={!isReady} pending={busy && 'Starting…'} onClick={ask} className="max-pane:h-11">
          Ask
          <ArrowUp aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </FileDrop>
  );
}

function JobRow({ facts, busy, start }: JobsProps & { facts: Facts }) {
  const jobs = useReadyJobs();
  return (
    <section aria-labelledby="ready-jobs" className="mt-8">
      <SectionHead id="ready-jobs" title="Ready jobs">
        <span className="text-[13px] text-ink-2">These also work without a model</span>
      </SectionHead>
      <ul className="grid gap-3 pane:grid-cols-2 xl:grid-cols-4">
        {jobs.data?.map(({ id, title }) => {
          const { icon: Icon, words } = jobsInShort[id];
          return (
            <li key={id}>
              <button
                type="button"
                disabled={busy}
                onClick={() => start({ prompt: title })}
                className="flex h-full w-full items-center gap-3.5 rounded-xl border border-line bg-panel p-3.5 text-left transition-colors enabled:hover:border-ink-3"
              >
                <span aria-hidden="true" className="grid size-9 shrink-0 place-items-center rounded-[10px] bg-sunken">
                  <Icon className="size-4.5" />
                </span>
                <span className="min-w-0">
                  <span className="block font-medium">{title}</span>
                  <span className="block text-ink-2 text-xs">{id === 'clean-up' ? (facts[id] ?? words) : words}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function SectionHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 id={id} className="font-semibold text-base">
        {title}
      </h2>
      {children}
    </div>
  );
}

/** Returns the state as far as the list tells it. A turn that does not run waits for the person. */
function listedState(project: ProjectListItem): AssistantState {
  const status = projectStatus(project);
  if (status === 'working') return 'running';
  if (status === 'stopped') return 'stopped';
  if (status === 'error') return 'failed';
  return status === 'conversation' || status === 'idle' ? 'done' : 'waiting';
}

const isOpen = (project: ProjectListItem): boolean => ['running', 'waiting'].includes(listedState(project));

interface EarlierProps {
  /** Rows that are shown before the rest is asked for. */
  most: number;
  searchable: boolean;
}

/** Earlier conversations, those that run or wait on top. Absent if there are none. */
function Earlier({ most, searchable }: EarlierProps) {
  const [words, setWords] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  /** Height in pixels when the search began. */
  const [height, setHeight] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const search = useSettled(words.trim(), 300);
  const { data, isPlaceholderData } = useProjectList({ search, state: null, sort: 'changed', kind: assistantKindId });
  const known = data?.pages.flatMap(({ items }) => items) ?? [];
  const sorted = [...known.filter(isOpen), ...known.filter((project) => !isOpen(project))];
  // After a search without results, the whole list is on its way.
  const isSearch = words !== '' || search !== '' || isPlaceholderData;
  if (known.length === 0 && !isSearch) return null;
  const onWords = (next: string) => {
    if (!isSearch) setHeight(list.current?.offsetHeight ?? 0);
    setWords(next);
  };
  return (
    <section aria-labelledby="earlier" className="mt-7">
      <SectionHead id="earlier" title="Earlier">
        {/*
          Hiding the button must not move the search box. So the button comes first, and on a phone, where the box has its own line, the
          button is no higher than the heading.
        */}
        <div className="ml-auto flex items-center gap-3 max-pane:contents">
          {sorted.length > most && !showsAll && (
            <Button
              size="sm"
              variant="quiet"
              onClick={() => setShowsAll(true)}
              className="max-pane:-mt-3 max-pane:-mb-2 max-pane:h-11"
            >
              All conversations
              <ArrowRight aria-hidden="true" className="size-3.5" />
            </Button>
          )}
          {searchable && (
            <SearchField
              label="Search conversations"
              clearLabel="Clear the search"
              value={words}
              onChange={onWords}
              className="h-8.5 w-55 max-pane:h-11 max-pane:w-full"
            />
          )}
        </div>
      </SectionHead>
      {/* Without its height, a shorter page would scroll, and the box would move under the pointer. */}
      <div ref={list} style={{ minHeight: isSearch ? height : undefined }}>
        {sorted.length === 0 && search !== '' && (
          <p role="status" className="text-ink-2">{`No conversation about “${search}”.`}</p>
        )}
        {sorted.length > 0 && (
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-panel">
            {sorted.slice(0, showsAll ? sorted.length : most).map((project) => (
              <EarlierRow key={project.id} project={project} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** Returns what a conversation's row says beside its state. */
function factOf({ error, thinking }: ProjectListItem, state: AssistantState, steps: readonly Step[]): string {
  const last = steps.at(-1);
  switch (state) {
    case 'failed':
      return error?.message ?? '';
    case 'stopped':
      return 'By you';
    case 'thinking':
      return thinking ?? '';
    case 'running':
      return last?.verb ?? '';
    case 'waiting':
    case 'done':
      return last?.sentence ?? last?.verb ?? '';
  }
}

function EarlierRow({ project }: { project: ProjectListItem }) {
  const job = jobNamed(project.prompt);
  const Icon = job === null ? Sparkles : jobsInShort[job.id].icon;
  const { data } = useQuery({
    queryKey: ['assistant-conversation', project.id, project.updatedAt],
    queryFn: ({ signal }) => assistantApi.conversation(project.id, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const state = data?.state ?? listedState(project);
  const isStarted = state === 'done' && data !== undefined && endWithStarted(data.steps.slice(-1));
  return (
    <li>
      <Link
        href={projectHref(project.id)}
        className="grid min-h-11 grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-3 py-1.5 pr-3.5 pl-4 -outline-offset-2 hover:bg-sunken/60 pane:grid-cols-[20px_minmax(0,1fr)_128px_180px_96px]"
      >
        <Icon aria-hidden="true" className="size-4.25 text-ink-3" />
        <span className="truncate">{project.name}</span>
        <StateName state={isStarted ? 'started' : state} thinking="Preparing" className="h-5.5 w-fit rounded-md px-2 text-xs" />
        <span className="hidden truncate text-[13px] text-ink-2 pane:block">{factOf(project, state, data?.steps ?? [])}</span>
        <time dateTime={project.updatedAt} className="hidden text-right text-[13px] text-ink-3 pane:block">
          {formatAgo(project.updatedAt, Date.now())}
        </time>
      </Link>
    </li>
  );
}
