import { ArrowUp, Paperclip, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useRef } from 'react';
import { formatCount } from '#contract/format.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { navigate, projectHref } from '../router.ts';
import { Button, cx, ErrorNotice, IconButton } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { FilePicker, useDroppedFiles, usePastedFiles } from '../uploads/file-input.tsx';
import { acceptedFiles } from '../uploads/upload.ts';
import type { Attachment, RefusedFile } from './attachment-list.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { ideaOf, useDraft } from './idea.ts';
import { DropSheet, ExampleList, examples, IdeaOptions } from './idea-options.tsx';
import { UploadsFailed, useStart } from './start-project.ts';

/** The character count appears from this length on. */
const countFrom = maxPromptCharacters * 0.8;

export function PromptBox() {
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
  const hintId = useId();
  const idea = ideaOf(draft);
  const count = idea?.prompt.length ?? draft.prompt.trim().length;
  const over = count - maxPromptCharacters;
  const tooLong = over > 0;
  const ready = idea !== null && count > 0 && !tooLong && !busy;
  const sent = attached.filter(({ state }) => state.kind === 'done').length;
  const progress = attached.length > 0 ? `Uploading ${Math.min(sent + 1, attached.length)} of ${attached.length}…` : 'Starting…';

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!ready) return;
    fromBox.current = true;
    void start(idea);
  };
  const startExample = (prompt: string) => {
    const example = ideaOf({ ...draft, prompt }) ?? ideaOf({ ...draft, prompt, duration: 'auto' });
    fromBox.current = false;
    if (example) void start(example);
  };
  const editExample = (prompt: string) => {
    const before = draft.prompt;
    change({ prompt });
    textbox.current?.focus();
    if (before.trim() !== '' && !examples.some((example) => example.prompt === before))
      toast('Your text was replaced by the example.', {
        action: { label: 'Undo', run: () => change({ prompt: before }) },
      });
  };
  const cut = () => {
    const before = draft.prompt;
    change({ prompt: before.trim().slice(0, maxPromptCharacters) });
    textbox.current?.focus();
    toast('The end of your text was removed.', { action: { label: 'Undo', run: () => change({ prompt: before }) } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <form onSubmit={submit} onKeyDown={onKeyDown}>
      {isDragging && <DropSheet />}
      <span role="status" className="sr-only">
        {busy ? progress : ''}
      </span>
      <div
        className={cx(
          'mx-auto max-w-190 rounded-2xl border bg-panel shadow-card transition-colors focus-within:border-ink-3',
          tooLong ? 'border-bad!' : 'border-line-strong',
        )}
      >
        <textarea
          ref={textbox}
          // Typing this sentence is the purpose of the page.
          // biome-ignore lint/a11y/noAutofocus: nothing comes before it on the page.
          autoFocus
          rows={3}
          value={draft.prompt}
          onChange={(event) => change({ prompt: event.target.value })}
          aria-label="Describe your film"
          aria-invalid={tooLong}
          aria-describedby={hintId}
          placeholder="A red ball bounces three times, playful, with the title “Hello”"
          className="field-sizing-content block max-h-80 min-h-24 w-full resize-none bg-transparent px-5 pt-4 pb-2 text-[17px] leading-7 outline-none placeholder:text-ink-3"
        />
        {tooLong && (
          <div
            role="alert"
            className="mx-4 mb-3 flex animate-fade flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg bg-bad-soft py-2 pr-2 pl-3 text-[13px] text-bad"
          >
            <span className="min-w-60 flex-1 text-balance">{`Too long by ${formatCount(over, 'character')}. Keep what the film should show, in order, and leave out the rest.`}</span>
            <Button size="sm" onClick={cut}>
              Remove the end
            </Button>
          </div>
        )}
        {attached.length > 0 && <AttachmentList attached={attached} onRemove={remove} onRetry={retry} />}
        <div className="flex items-center gap-2 px-3 pb-3">
          <FilePicker ref={picker} accept={acceptedFiles} onFiles={add} />
          <IconButton label="Attach images, audio or fonts" onClick={() => picker.current?.click()} disabled={busy}>
            <Paperclip className="size-4.5" />
          </IconButton>
          <span
            id={hintId}
            className={cx(
              'min-w-0 flex-1 truncate text-right text-xs tabular-nums',
              tooLong ? 'text-bad' : 'text-ink-3',
              count < countFrom && 'hidden sm:block',
            )}
          >
            {count < countFrom
              ? '⌘/Ctrl + Enter'
              : `${count.toLocaleString('en')} of ${maxPromptCharacters.toLocaleString('en')} characters`}
          </span>
          <div className="ml-auto flex items-center gap-2">
            {busy && (
              <Button variant="quiet" onClick={cancel}>
                Cancel
              </Button>
            )}
            <Button variant="primary" type="submit" pending={busy && progress} disabled={!ready}>
              Create
              <ArrowUp className="size-4" />
            </Button>
          </div>
        </div>
      </div>
      {(refused.length > 0 || error !== null) && (
        <div className="mx-auto mt-3 flex max-w-190 flex-col gap-2">
          {refused.length > 0 && <RefusedFiles refused={refused} onDismiss={dismiss} />}
          {error !== null && !(error instanceof UploadsFailed) && <ErrorNotice error={error} onDismiss={dismiss} />}
          {error instanceof UploadsFailed && <FailedUploads attached={attached} />}
        </div>
      )}
      <div className="mx-auto mt-4 max-w-290">
        <IdeaOptions draft={draft} onChange={change} />
      </div>
      <div className="mt-7">
        <ExampleList disabled={busy} onStart={startExample} onEdit={editExample} />
      </div>
    </form>
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
