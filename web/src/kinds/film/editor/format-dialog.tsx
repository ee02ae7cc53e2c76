import { Ban, Check, CornerDownLeft, Search, X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { dialogClass, overlayClass } from '../../../ui/dialog.tsx';
import { Button, cx, IconButton } from '../../../ui/elements.tsx';
import { fieldsOf } from './field-schema.ts';
import { allPurposes, hasPurpose, Purposes, pictureOf, purposeName, useFormats } from './formats.tsx';

interface FormatDialogProps {
  open: boolean;
  onClose: () => void;
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

/** Dialog of the format picker. Its child is a `FormatChoice`, which is mounted only while the dialog is open. */
export function FormatDialog({ open, onClose, onCloseAutoFocus, children }: FormatDialogProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          className={cx(dialogClass, 'flex h-[min(100dvh-2rem,760px)] max-w-280 flex-col overflow-hidden p-0!')}
          // Escape clears the search first.
          onEscapeKeyDown={(event) => event.preventDefault()}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
        >
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

const columns = 4;

export interface FormatEntry {
  readonly info: FormatInfo;
  /** Reason why the format cannot be chosen; `null` if it can. */
  readonly refusal: string | null;
}

export interface FormatSection {
  readonly title: string;
  readonly entries: readonly FormatEntry[];
}

interface FormatChoiceProps {
  title: string;
  description: string;
  sections: readonly FormatSection[];
  /** Verb for the action, shown in the line of keys. */
  verb: string;
  /** The label of the button. */
  action: (format: FormatInfo) => string;
  /** Returns the effect of choosing the format. */
  note: (format: FormatInfo) => string;
  onChoose: (format: FormatInfo) => void;
  /** Called with words that describe a scene instead of a format; `null` if that is not possible. */
  onDescribe?: ((words: string) => void) | null;
  onClose: () => void;
}

/** Lets the user choose a format by search, purpose, picture and details. */
export function FormatChoice(props: FormatChoiceProps) {
  const { title, description, sections, verb, onChoose, onDescribe = null, onClose } = props;
  const id = useId();
  const formats = useFormats();
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState(allPurposes);
  const [wanted, setWanted] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ info }: FormatEntry) => {
    const text = `${info.title} ${info.use} ${info.purposes.map(purposeName).join(' ')}`.toLowerCase();
    return hasPurpose(info, group) && words.every((word) => text.includes(word));
  };
  const shown = sections
    .map((section) => ({ ...section, entries: section.entries.filter(matches) }))
    .filter(({ entries }) => entries.length > 0);
  const flat = shown.flatMap(({ entries }) => entries);
  const active = flat.find(({ info }) => info.id === wanted) ?? flat[0] ?? null;
  const choose = (entry: FormatEntry | null) => {
    if (entry === null || entry.refusal !== null) return;
    onClose();
    onChoose(entry.info);
  };
  const move = (by: number) => {
    const at = active === null ? 0 : flat.indexOf(active) + by;
    const next = flat[Math.min(flat.length - 1, Math.max(0, at))];
    setWanted(next?.info.id ?? null);
    document.getElementById(`${id}-${next?.info.id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const sideways = search === '' ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    const by = { ArrowUp: -columns, ArrowDown: columns }[event.key] ?? sideways;
    if (by !== undefined) move(by);
    else if (event.key === 'Enter') choose(active);
    else return;
    event.preventDefault();
  };
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (search === '') onClose();
    else setSearch('');
    input.current?.focus();
  };
  return (
    <section aria-label="Formats" onKeyDown={onEscape} className="contents">
      <div className="px-6 pt-5 pb-4">
        <RadixDialog.Title className="pr-8 font-semibold text-base">{title}</RadixDialog.Title>
        <RadixDialog.Description className="text-ink-2">{description}</RadixDialog.Description>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <div className="relative w-64 max-w-full">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3"
            />
            <input
              ref={input}
              // biome-ignore lint/a11y/noAutofocus: the dialog is a search, and the focus stays in it
              autoFocus
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-grid`}
              aria-activedescendant={active === null ? undefined : `${id}-${active.info.id}`}
              aria-label={`Search ${formats.length} formats`}
              placeholder={`Search ${formats.length} formats`}
              value={search}
              autoComplete="off"
              onChange={(event) => {
                setSearch(event.target.value);
                setWanted(null);
              }}
              onKeyDown={onKeyDown}
              className="h-9 w-full rounded-lg border border-line-strong bg-panel pr-3 pl-9 text-[13px]"
            />
          </div>
          <Purposes formats={formats} value={group} onChange={setGroup} />
        </div>
      </div>
      <div className="flex min-h-0 flex-1 border-line border-y">
        {/* biome-ignore lint/a11y/useSemanticElements: a grid of pictures, whose rows depend on the width */}
        <div
          id={`${id}-grid`}
          role="grid"
          aria-label="Formats"
          tabIndex={-1}
          className="min-w-0 flex-1 overflow-y-auto px-5 pt-3 pb-5 outline-none"
        >
          {shown.map((section) => (
            // biome-ignore lint/a11y/useSemanticElements: see above
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search
            <div key={section.title} role="row" aria-label={section.title || 'Formats'} className="mb-3">
              {section.title !== '' && <p className="mb-1.5 px-1.5 text-ink-2 text-xs">{section.title}</p>}
              <div className="grid grid-cols-2 gap-1.5 md:grid-cols-3 lg:grid-cols-4">
                {section.entries.map((entry) => (
                  <FormatCard
                    key={entry.info.id}
                    id={`${id}-${entry.info.id}`}
                    entry={entry}
                    active={entry === active}
                    onShow={() => setWanted(entry.info.id)}
                    onChoose={() => choose(entry)}
                  />
                ))}
              </div>
            </div>
          ))}
          {flat.length === 0 && (
            <p role="status" className="px-2 py-10 text-center text-ink-2">
              {formats.length === 0 ? 'Loading the formats…' : `No format matches “${search}”. Try another word, or choose All.`}
            </p>
          )}
        </div>
        {active !== null && (
          <Details
            entry={active}
            action={props.action(active.info)}
            note={props.note(active.info)}
            onChoose={() => choose(active)}
            onClose={onClose}
          />
        )}
      </div>
      {onDescribe !== null && (
        <DescribeScene
          onDescribe={(words) => {
            onClose();
            onDescribe(words);
          }}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-6 py-2.5 text-ink-2 text-xs max-pane:hidden">
        <Keys keys={['←', '↑', '↓', '→']} text="Choose" />
        <Keys keys={['↵']} text={verb} />
        <Keys keys={['Tab']} text="Purposes" />
        <Keys keys={['Esc']} text="Close" />
        <span className="ml-auto">Just type to search</span>
      </div>
      {active !== null && (
        <div className="flex items-center gap-3 px-5 py-3 pane:hidden">
          <span className="min-w-0 flex-1 truncate font-medium">{active.info.title}</span>
          <Button variant="primary" disabled={active.refusal !== null} onClick={() => choose(active)}>
            {props.action(active.info)}
          </Button>
        </div>
      )}
      <RadixDialog.Close asChild>
        <IconButton icon={X} label="Close" className="absolute top-4 right-4" />
      </RadixDialog.Close>
    </section>
  );
}

function DescribeScene({ onDescribe }: { onDescribe: (words: string) => void }) {
  const [words, setWords] = useState('');
  return (
    <form
      className="flex items-center gap-2 border-line border-b px-6 py-2.5 max-pane:px-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== '') onDescribe(words.trim());
      }}
    >
      <input
        aria-label="What happens in the scene"
        placeholder="Or say what happens, and Koda builds the scene"
        value={words}
        maxLength={1000}
        onChange={(event) => setWords(event.target.value)}
        className="h-9 min-w-0 flex-1 rounded-lg border border-line-strong bg-panel px-3 text-[13px] max-pane:h-11 max-pane:text-base"
      />
      <Button type="submit" disabled={words.trim() === ''}>
        Add in words
      </Button>
    </form>
  );
}

interface FormatCardProps {
  id: string;
  entry: FormatEntry;
  active: boolean;
  onShow: () => void;
  onChoose: () => void;
}

function FormatCard({ id, entry, active, onShow, onChoose }: FormatCardProps) {
  const { info, refusal } = entry;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a cell of a grid of pictures
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search
    <div
      id={id}
      role="gridcell"
      aria-selected={active}
      aria-disabled={refusal !== null}
      aria-describedby={`${id}-use`}
      onClick={onShow}
      onDoubleClick={onChoose}
      className={cx(
        'cursor-pointer rounded-[10px] border-2 p-1',
        active ? 'border-accent bg-accent-soft' : 'border-transparent hover:bg-sunken',
      )}
    >
      <img
        src={pictureOf(info.id)}
        alt=""
        width={384}
        height={216}
        loading="lazy"
        className={cx('aspect-video w-full rounded-md border border-line bg-sunken', refusal !== null && 'opacity-40 grayscale')}
      />
      <p className={cx('mt-1 px-0.5 font-medium text-[13px]', active && 'text-accent-text', refusal !== null && 'text-ink-3')}>
        {info.title}
      </p>
      {refusal !== null && <p className="px-0.5 text-ink-2 text-xs leading-4">{refusal}</p>}
      <span id={`${id}-use`} className="sr-only">
        {info.use}
      </span>
    </div>
  );
}

interface DetailsProps {
  entry: FormatEntry;
  action: string;
  note: string;
  onChoose: () => void;
  onClose: () => void;
}

function Details({ entry: { info, refusal }, action, note, onChoose, onClose }: DetailsProps) {
  return (
    <div className="flex w-84 shrink-0 flex-col border-line border-l bg-ground p-5 max-pane:hidden">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <img
          src={pictureOf(info.id)}
          alt=""
          width={384}
          height={216}
          className="aspect-video w-full rounded-lg border border-line bg-sunken"
        />
        <h3 className="mt-4 font-semibold text-base">{info.title}</h3>
        <p className="mt-2 flex gap-2 text-[13px] leading-5">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ok" />
          <span>
            <span className="font-medium">Use it for: </span>
            {info.use}
          </span>
        </p>
        <p className="mt-2 flex gap-2 text-[13px] leading-5">
          <Ban aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          <span>
            <span className="font-medium">Avoid it for: </span>
            {info.avoid}
          </span>
        </p>
        <h4 className="mt-4 border-line border-t pt-4 font-medium text-[13px]">Fields to fill in</h4>
        <ul className="mt-1.5 flex flex-wrap gap-1.5 text-xs">
          {fieldsOf(info.schema)
            .slice(0, 8)
            .map((field) => (
              <li key={field.name} className="rounded-md bg-sunken px-2 py-1 text-ink-2">
                {field.kind === 'list'
                  ? `${field.label}, ${field.min} to ${field.max}`
                  : `${field.label}${field.optional ? ', optional' : ''}`}
              </li>
            ))}
        </ul>
      </div>
      <p className="pt-3 text-[13px] text-ink-2">{refusal ?? note}</p>
      <div className="mt-2.5 flex gap-2">
        <Button variant="primary" disabled={refusal !== null} onClick={onChoose} className="flex-1">
          {action}
          <CornerDownLeft aria-hidden="true" className="size-3.5 opacity-70" />
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  );
}

function Keys({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-[5px] border border-line-strong border-b-2 bg-panel px-1 font-sans text-[11px]"
        >
          {key}
        </kbd>
      ))}
      <span className="ml-0.5">{text}</span>
    </span>
  );
}
