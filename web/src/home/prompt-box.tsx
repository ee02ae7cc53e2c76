import { ArrowUp, Paperclip, X } from 'lucide-react';
import { type DragEvent, type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { type Aspect, aspectSchema, maxPromptCharacters, type Style, styleSchema } from '../../../server/contract/project.ts';
import { navigate, projectHref } from '../router.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { cx } from '../ui/class-names.ts';
import { FrameIcon } from '../ui/frame-icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { noProgress, startProject } from './start-project.ts';

const auto = 'auto';
const durations = ['5', '8', '12', '20'] as const;
type Duration = (typeof durations)[number] | typeof auto;

const aspectOptions = [
  { value: auto, label: texts.home.auto } as const,
  ...aspectSchema.options.map((aspect) => ({ value: aspect, label: aspect, icon: <FrameIcon aspect={aspect} /> })),
];
const durationOptions = [
  { value: auto, label: texts.home.auto } as const,
  ...durations.map((seconds) => ({ value: seconds, label: `${seconds} s` })),
];
const styleOptions = [
  { value: auto, label: texts.home.auto } as const,
  ...styleSchema.options.map((style) => ({ value: style, label: texts.plan.styles[style] })),
];

export function PromptBox() {
  const [prompt, setPrompt] = useState('');
  const [aspect, setAspect] = useState<Aspect | typeof auto>(auto);
  const [duration, setDuration] = useState<Duration>(auto);
  const [style, setStyle] = useState<Style | typeof auto>(auto);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [dragging, setDragging] = useState(false);
  const progress = useRef(noProgress());
  const textbox = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const tooLong = prompt.length > maxPromptCharacters;
  const ready = prompt.trim() !== '' && !tooLong && busy === null;

  const add = (list: FileList | null) => {
    // Copied at once: the browser empties its own list when the field is cleared.
    const added = [...(list ?? [])];
    if (added.length > 0) setFiles((old) => [...old, ...added]);
  };

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (!ready) return;
    setBusy(texts.home.creating);
    setError(null);
    try {
      const projectId = await startProject(
        {
          prompt: prompt.trim(),
          aspect: aspect === auto ? null : aspect,
          style: style === auto ? null : style,
          durationSeconds: duration === auto ? null : Number(duration),
          files,
        },
        progress.current,
        (name) => setBusy(texts.home.uploading(name)),
      );
      navigate(projectHref(projectId));
    } catch (failure) {
      setError(failure);
      setBusy(null);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    add(event.dataTransfer.files);
  };

  return (
    <form onSubmit={submit} className="[&>*]:mx-auto [&>*]:max-w-190">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping files is a short cut; the button does the same. */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setDragging(true);
        }}
        onDragLeave={() => setDragging(false)}
        onDrop={onDrop}
        className={cx(
          'rounded-2xl border bg-panel shadow-card transition-colors focus-within:border-ink-3',
          dragging ? 'border-accent' : 'border-line-strong',
        )}
      >
        <textarea
          ref={textbox}
          // The page exists to take this sentence.
          // biome-ignore lint/a11y/noAutofocus: nothing comes before it on the page.
          autoFocus
          rows={3}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => add(event.clipboardData.files)}
          aria-label={texts.home.promptLabel}
          aria-describedby={tooLong ? hintId : undefined}
          placeholder={dragging ? texts.home.dropHere : texts.home.placeholder}
          className="field-sizing-content block max-h-80 min-h-24 w-full resize-none bg-transparent px-5 pt-4 pb-2 text-[17px] leading-7 outline-none placeholder:text-ink-3"
        />
        {files.length > 0 && (
          <Attachments files={files} onRemove={(file) => setFiles((old) => old.filter((other) => other !== file))} />
        )}
        <div className="flex items-center gap-2 px-3 pb-3">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            accept="image/*,audio/*,.ttf,.otf,.woff,.woff2"
            onChange={(event) => {
              add(event.target.files);
              event.target.value = '';
            }}
          />
          <IconButton label={texts.home.attach} onClick={() => picker.current?.click()}>
            <Paperclip className="size-4.5" />
          </IconButton>
          <span
            id={hintId}
            className={cx('min-w-0 flex-1 truncate text-right text-xs', tooLong ? 'text-bad' : 'hidden text-ink-3 sm:block')}
          >
            {tooLong ? texts.home.tooLong(prompt.length, maxPromptCharacters) : texts.home.shortcut}
          </span>
          <Button variant="primary" type="submit" disabled={!ready} className="ml-auto">
            {busy === null ? (
              <>
                {texts.home.create}
                <ArrowUp aria-hidden="true" className="size-4" />
              </>
            ) : (
              <>
                <Spinner />
                <span className="max-w-48 truncate">{busy}</span>
              </>
            )}
          </Button>
        </div>
      </div>
      {error !== null && (
        <div className="mt-3">
          <ErrorNotice error={error} onDismiss={() => setError(null)} />
        </div>
      )}
      <div className="mt-4 flex max-w-270! flex-wrap items-center justify-center gap-x-6 gap-y-2.5">
        <Choice label={texts.home.aspect} showLabel value={aspect} options={aspectOptions} onChange={setAspect} />
        <Choice label={texts.home.duration} showLabel value={duration} options={durationOptions} onChange={setDuration} />
        <Choice label={texts.home.style} showLabel value={style} options={styleOptions} onChange={setStyle} />
      </div>
      <div className="mt-6 flex flex-wrap items-center justify-center gap-2">
        <span className="w-full text-center text-ink-3 text-xs">{texts.home.examplesLabel}</span>
        {texts.home.examples.map((example) => (
          <button
            key={example.label}
            type="button"
            title={example.prompt}
            onClick={() => {
              setPrompt(example.prompt);
              textbox.current?.focus();
            }}
            className="h-8 rounded-full border border-line-strong px-3.5 text-[13px] text-ink-2 transition-colors hover:border-ink-3 hover:bg-panel hover:text-ink"
          >
            {example.label}
          </button>
        ))}
      </div>
    </form>
  );
}

function Attachments({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  return (
    <ul aria-label={texts.home.attachedLabel} className="flex flex-wrap gap-1.5 px-4 pb-2">
      {files.map((file) => (
        <li
          key={`${file.name}:${file.size}:${file.lastModified}`}
          className="flex h-7 max-w-60 items-center gap-1 rounded-md bg-sunken pl-2.5 text-[13px]"
        >
          <span className="truncate">{file.name}</span>
          <IconButton label={texts.home.removeAttachment(file.name)} onClick={() => onRemove(file)} className="size-7">
            <X className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
