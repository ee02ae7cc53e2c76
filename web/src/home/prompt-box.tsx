import { ArrowUp, CircleAlert, ClipboardList, Code, GitCommitVertical, ListOrdered, Paperclip, Table, X } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatCount } from '#contract/format.ts';
import type { FormatInfo } from '#contract/format-list.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { pictureOf } from '../editor/formats.tsx';
import { navigate, projectHref } from '../router.ts';
import { Button, cx, ErrorNotice, IconButton } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { FilePicker, useDroppedFiles, usePastedFiles } from '../uploads/file-input.tsx';
import { acceptedFiles } from '../uploads/upload.ts';
import type { Attachment, RefusedFile } from './attachment-list.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { FormatGallery } from './format-gallery.tsx';
import { startNotice, useHealth } from './health-line.tsx';
import { type Draft, ideaOf, shortened, useDraft } from './idea.ts';
import { DropSheet, IdeaOptions } from './idea-options.tsx';
import { describePaste, type PasteInfo } from './paste.ts';
import { exampleOf, isExample, pasteExamples } from './request-text.ts';
import { UploadsFailed, useStart } from './start-project.ts';

const emptyPlaceholder = 'Sum up our spring survey for the team meeting, or paste a table, a changelog, an agenda…';

/** The character count appears from this length. */
const countFrom = maxPromptCharacters * 0.8;

const exampleIcons = { Table, Changelog: GitCommitVertical, Agenda: ListOrdered };
const exampleNames = ['Table', 'Changelog', 'Agenda'] as const;
type ExampleName = (typeof exampleNames)[number];

/** Starts a film from a sentence, pasted text, files, options or a format. `rows` is the height of the gallery. */
export function PromptBox({ rows }: { rows: number }) {
  const { draft, change, clear } = useDraft();
  const fromBox = useRef(false);
  const started = (projectId: string) => {
    if (fromBox.current) clear();
    navigate(projectHref(projectId));
  };
  const { attached, refused, busy, error, add, remove, start, retry, cancel, dismiss } = useStart({ onStarted: started });
  const isDragging = useDroppedFiles(null, { onFiles: add, enabled: !busy });
  usePastedFiles({ onFiles: add, from: () => !busy });
  const textbox = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [news, setNews] = useState('');
  const hintId = useId();
  const notice = startNotice(useHealth());
  const block = notice?.block ?? null;
  const idea = ideaOf(draft);
  const count = ideaOf({ ...draft, duration: 'auto' })?.prompt.length ?? 0;
  const over = count - maxPromptCharacters;
  const tooLong = over > 0;
  const ready = idea !== null && count > 0 && !tooLong && !busy && block === null;
  const sent = attached.filter(({ state }) => state.kind === 'done').length;
  const progress = attached.length > 0 ? `Uploading ${Math.min(sent + 1, attached.length)} of ${attached.length}…` : 'Creating…';

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!ready) return;
    fromBox.current = true;
    void start(idea);
  };
  /** Changes the draft and selects the text, so that typing replaces it. */
  const fill = (part: Partial<Draft>, replaced: string) => {
    const before = draft;
    flushSync(() => change(part));
    textbox.current?.focus();
    textbox.current?.select();
    if (part.prompt !== undefined && before.prompt.trim() !== '' && !isExample(before.prompt))
      toast(replaced, { action: { label: 'Undo', run: () => change(before) } });
  };
  const selectFormat = ({ id, title }: FormatInfo) => {
    const format = { id, title };
    const example = exampleOf(id);
    // The user has pasted content for this format, so the example must not replace it.
    const keepsText = example === '' || draft.pasted.length > 0;
    fill(keepsText ? { format } : { format, prompt: example }, 'Your text was replaced by the example.');
  };
  const startFormat = (info: FormatInfo) => {
    const prompt = exampleOf(info.id);
    const own = { ...draft, prompt, pasted: [], format: info };
    const example = ideaOf(own) ?? ideaOf({ ...own, duration: 'auto' });
    fromBox.current = false;
    if (prompt === '' || example === null || block !== null) selectFormat(info);
    else void start(example);
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const text = event.clipboardData.getData('text/plain');
    const info = describePaste(text);
    if (info === null) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    change({ prompt: value.slice(0, selectionStart) + value.slice(selectionEnd), pasted: [...draft.pasted, text] });
    setNews(info.label);
  };
  const removePaste = (at: number) => {
    change({ pasted: draft.pasted.filter((_, index) => index !== at) });
    textbox.current?.focus();
  };
  const showAsText = (at: number) => {
    const prompt = [draft.prompt.trimEnd(), draft.pasted[at]?.trimEnd() ?? ''].filter(Boolean).join('\n\n');
    change({ prompt, pasted: draft.pasted.filter((_, index) => index !== at) });
    textbox.current?.focus();
  };
  const cut = () => {
    const before = draft;
    change(shortened(draft));
    textbox.current?.focus();
    toast('The end of your text was removed.', { action: { label: 'Undo', run: () => change(before) } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <>
      <form onSubmit={submit} onKeyDown={onKeyDown}>
        {isDragging && <DropSheet />}
        <span role="status" className="sr-only">
          {busy ? progress : news}
        </span>
        {notice !== null && (
          <p
            role="alert"
            className={cx(
              'mx-auto mb-3 flex max-w-190 animate-fade items-start gap-2.5 rounded-lg px-3 py-2.5 text-[13px] leading-5',
              block === null ? 'bg-warn-soft text-warn' : 'bg-bad-soft text-bad',
            )}
          >
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {notice.text}
          </p>
        )}
        <div
          className={cx(
            'mx-auto max-w-190 rounded-2xl border bg-panel shadow-card transition-colors focus-within:border-ink-3',
            tooLong ? 'border-bad!' : 'border-line-strong',
          )}
        >
          <DraftParts
            draft={draft}
            onRemoveFormat={() => {
              change({ format: null });
              textbox.current?.focus();
            }}
            onRemovePaste={removePaste}
            onShowAsText={showAsText}
          />
          <textarea
            ref={textbox}
            // The page's purpose is to accept this sentence.
            // biome-ignore lint/a11y/noAutofocus: nothing comes before it on the page.
            autoFocus
            rows={2}
            value={draft.prompt}
            onChange={(event) => change({ prompt: event.target.value })}
            onPaste={onPaste}
            aria-label="Describe your film"
            aria-invalid={tooLong}
            aria-describedby={hintId}
            placeholder={draft.pasted.length === 0 ? emptyPlaceholder : 'What should the film say about it?'}
            className="field-sizing-content block max-h-80 min-h-21 w-full [tab-size:14] resize-none bg-transparent px-5 pt-4 pb-2 text-[17px] leading-7 outline-none placeholder:text-ink-3"
          />
          {tooLong && (
            <div
              role="alert"
              className="mx-4 mb-3 flex animate-fade flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg bg-bad-soft py-2 pr-2 pl-3 text-[13px] text-bad"
            >
              <span className="min-w-60 flex-1 text-balance">{`Too long by ${formatCount(over, 'character')}. Keep only what the film should show, in order.`}</span>
              <Button size="sm" onClick={cut}>
                Remove the end
              </Button>
            </div>
          )}
          {attached.length > 0 && <AttachmentList attached={attached} onRemove={remove} onRetry={retry} />}
          <div className="flex flex-wrap items-center gap-x-1 gap-y-2 px-3 pb-3">
            <FilePicker ref={picker} accept={acceptedFiles} onFiles={add} />
            <IconButton label="Attach images, audio or fonts" onClick={() => picker.current?.click()} disabled={busy}>
              <Paperclip className="size-4.5" />
            </IconButton>
            <PasteExamples
              disabled={busy}
              onUse={(name) => fill({ prompt: pasteExamples[name], format: null }, 'Your text was replaced by the example.')}
            />
            <Hint id={hintId} count={count} tooLong={tooLong} block={block} />
            <div className="ml-auto flex items-center gap-2 pl-2">
              {busy && (
                <Button variant="quiet" onClick={cancel}>
                  Cancel
                </Button>
              )}
              <Button variant="primary" type="submit" pending={busy && progress} disabled={!ready} aria-describedby={hintId}>
                Create
                <ArrowUp className="size-4" />
              </Button>
            </div>
          </div>
        </div>
        <Problems refused={refused} error={error} attached={attached} onDismiss={dismiss} />
        <div className="mt-3.5">
          <IdeaOptions draft={draft} onChange={change} />
        </div>
      </form>
      <div className="mt-8">
        <FormatGallery rows={rows} disabled={busy} onUse={selectFormat} onStart={startFormat} />
      </div>
    </>
  );
}

interface DraftPartsProps {
  readonly draft: Draft;
  readonly onRemoveFormat: () => void;
  readonly onRemovePaste: (at: number) => void;
  readonly onShowAsText: (at: number) => void;
}

/** Shows the chosen format and the pasted texts above the textbox. */
function DraftParts({ draft: { format, pasted }, onRemoveFormat, onRemovePaste, onShowAsText }: DraftPartsProps) {
  if (format === null && pasted.length === 0) return null;
  return (
    <div className="flex flex-col items-start gap-2 px-4 pt-4">
      {format !== null && <FormatChip format={format} onRemove={onRemoveFormat} />}
      {pasted.length > 0 && (
        <ul aria-label="Pasted content" className="flex w-full flex-col gap-2">
          {pasted.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be pasted twice
            <PasteCard key={at} text={text} onRemove={() => onRemovePaste(at)} onShowAsText={() => onShowAsText(at)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Shows buttons that fill the textbox with sample content. */
function PasteExamples({ disabled, onUse }: { disabled: boolean; onUse: (name: ExampleName) => void }) {
  return (
    <ul
      aria-label="Try pasting"
      className="flex items-center max-sm:order-first max-sm:w-full sm:ml-1 sm:before:mr-1.5 sm:before:h-4.5 sm:before:border-line sm:before:border-l sm:before:content-['']"
    >
      <li aria-hidden="true" className="mx-1 text-[13px] text-ink-3 max-sm:hidden">
        Try pasting
      </li>
      {exampleNames.map((name) => {
        const Icon = exampleIcons[name];
        return (
          <li key={name}>
            <Button variant="quiet" size="sm" disabled={disabled} onClick={() => onUse(name)} className="font-normal">
              <Icon aria-hidden="true" className="size-4 stroke-[1.75]" />
              {name}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

interface HintProps {
  readonly id: string;
  readonly count: number;
  readonly tooLong: boolean;
  readonly block: string | null;
}

/** Shows the character count of a long text, otherwise the reason why no film can start, or the key that starts one. */
function Hint({ id, count, tooLong, block }: HintProps) {
  return (
    <span
      id={id}
      className={cx(
        'min-w-0 flex-1 truncate text-right text-xs tabular-nums',
        tooLong || block !== null ? 'text-bad' : 'text-ink-3',
        count < countFrom && block === null && 'hidden md:block',
      )}
    >
      {count < countFrom
        ? (block ?? '⌘/Ctrl + Enter')
        : `${count.toLocaleString('en')} of ${maxPromptCharacters.toLocaleString('en')} characters`}
    </span>
  );
}

interface ProblemsProps {
  readonly refused: readonly RefusedFile[];
  readonly error: unknown;
  readonly attached: readonly Attachment[];
  readonly onDismiss: () => void;
}

/** Shows rejected files and the error of the last start. */
function Problems({ refused, error, attached, onDismiss }: ProblemsProps) {
  if (refused.length === 0 && error === null) return null;
  return (
    <div className="mx-auto mt-3 flex max-w-190 flex-col gap-2">
      {refused.length > 0 && <RefusedFiles refused={refused} onDismiss={onDismiss} />}
      {error !== null && !(error instanceof UploadsFailed) && <ErrorNotice error={error} onDismiss={onDismiss} />}
      {error instanceof UploadsFailed && <FailedUploads attached={attached} />}
    </div>
  );
}

/** Shows the chosen format, which the request names. */
function FormatChip({ format, onRemove }: { format: { id: string; title: string }; onRemove: () => void }) {
  return (
    <span className="flex h-8 items-center gap-2 rounded-lg border border-line-strong bg-sunken pl-1.5 font-medium text-[13px]">
      <img src={pictureOf(format.id)} alt="" width={384} height={216} className="h-5 w-auto rounded-sm" />
      {format.title}
      <IconButton icon={X} label={`Remove the format ${format.title}`} onClick={onRemove} className="size-7.5 [&_svg]:size-3.5" />
    </span>
  );
}

const pasteIcons: Readonly<Record<PasteInfo['kind'], typeof Table>> = {
  ...{ table: Table, changelog: GitCommitVertical, sections: GitCommitVertical, agenda: ListOrdered },
  ...{ checklist: ClipboardList, list: ClipboardList, json: Code, code: Code },
};

/** Shows pasted text by its structure and its first line. */
function PasteCard({ text, onRemove, onShowAsText }: { text: string; onRemove: () => void; onShowAsText: () => void }) {
  const { kind, label } = useMemo(() => describePaste(text), [text]) ?? { kind: 'sections', label: 'Pasted text' };
  const Icon = pasteIcons[kind];
  return (
    <li className="flex flex-wrap items-center gap-x-3 rounded-lg border border-line bg-sunken p-1.5 pr-1">
      <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-bubble text-ink-2">
        <Icon aria-hidden="true" className="size-4.5 stroke-[1.75]" />
      </span>
      <span className="min-w-0 flex-1 leading-4.5">
        <span className="block font-medium text-[13px]">{label}</span>
        <span className="block truncate text-ink-3 text-xs">{text.trim().slice(0, 120).replace(/\s+/gu, ' ')}</span>
      </span>
      <Button
        variant="quiet"
        size="sm"
        onClick={onShowAsText}
        className="max-sm:order-last max-sm:w-full max-sm:justify-start max-sm:pl-12"
      >
        Show as text
      </Button>
      <IconButton icon={X} label={`Remove: ${label}`} onClick={onRemove} className="[&_svg]:size-3.5" />
    </li>
  );
}

/** Reports why attached files were not uploaded. */
function FailedUploads({ attached }: { attached: readonly Attachment[] }) {
  const failed = attached.flatMap(({ id, file, state }) =>
    state.kind === 'failed' ? [{ id, text: `${file.name}: ${state.reason}` }] : [],
  );
  if (failed.length === 0) return null;
  return (
    <div role="alert" className="animate-fade rounded-lg bg-bad-soft px-3 py-2.5 text-[13px] text-bad leading-5">
      <ul className="wrap-anywhere">
        {failed.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <p className="mt-1">Try again, or remove the file and continue without it.</p>
    </div>
  );
}

function RefusedFiles({ refused, onDismiss }: { refused: readonly RefusedFile[]; onDismiss: () => void }) {
  return (
    <div
      role="alert"
      className="flex animate-fade items-start gap-2.5 rounded-lg bg-warn-soft px-3 py-2.5 text-[13px] text-warn leading-5"
    >
      <ul className="min-w-0 flex-1 wrap-anywhere">
        {refused.map(({ name, reason }) => (
          <li key={name}>{`${name}: ${reason}`}</li>
        ))}
      </ul>
      <IconButton icon={X} label="Dismiss" onClick={onDismiss} className="-my-1 -mr-1.5 size-7 text-warn" />
    </div>
  );
}
