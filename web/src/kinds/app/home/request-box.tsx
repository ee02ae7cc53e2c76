import { ArrowUp, Paperclip, Sparkles, X } from 'lucide-react';
import { type ClipboardEvent, Fragment, type ReactNode, type RefObject, useId, useRef } from 'react';
import { maxPromptCharacters } from '#contract/project.ts';
import { ownListId, type Suggestion } from '#kinds/app/contract/request.ts';
import type { startNotice } from '../../../home/health-line.tsx';
import { Button, cx, IconButton } from '../../../ui/elements.tsx';
import { FilePicker } from '../../../uploads/file-input.tsx';
import { examples } from './examples.ts';
import { rowsEndings } from './rows-file.ts';

interface RequestBoxProps {
  readonly textbox: RefObject<HTMLTextAreaElement | null>;
  readonly prompt: string;
  /** The pasted table, which is part of the request. */
  readonly review: ReactNode;
  /** Name of the starting point in the box. `null` if there is none. */
  readonly start: string | null;
  /** Apps that the words lead to, best first. */
  readonly suggestions: readonly Suggestion[];
  readonly onSuggestion: (id: string) => void;
  readonly notice: ReturnType<typeof startNotice>;
  readonly isReady: boolean;
  /** The language model that can plan the app from the words alone. `null` if none is connected. */
  readonly model: string | null;
  readonly onAskModel: () => void;
  readonly onType: (prompt: string) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
  readonly onExample: (rows: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemoveStart: () => void;
}

/** The request: words, with a table or a starting point above them. */
export function RequestBox(props: RequestBoxProps) {
  const { textbox, prompt, review, start, suggestions, onSuggestion, notice, isReady, model } = props;
  const { onAskModel, onType, onPaste, onExample, onFiles, onRemoveStart } = props;
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const length = prompt.trim().length;
  const isTooLong = length > maxPromptCharacters;
  const hint = isTooLong
    ? `${length.toLocaleString('en')} of ${maxPromptCharacters.toLocaleString('en')} characters`
    : (notice?.block ?? null);
  return (
    <>
      {notice !== null && <p className="mb-3 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">{notice.text}</p>}
      <div
        className={cx(
          'rounded-2xl border bg-panel shadow-card transition-colors focus-within:border-ink-3',
          isTooLong ? 'border-bad' : 'border-line-strong',
        )}
      >
        {review}
        {start !== null && (
          <div className="px-4 pt-3.5">
            <span className="inline-flex h-8 items-center gap-1.5 rounded-lg bg-accent-soft pr-1 pl-2.5 font-medium text-[13px] text-accent-text">
              {start}
              <IconButton icon={X} label={`Remove ${start}`} onClick={onRemoveStart} className="size-6 text-accent-text" />
            </span>
          </div>
        )}
        <textarea
          ref={textbox}
          rows={review === null ? 2 : 1}
          value={prompt}
          onChange={(event) => onType(event.target.value)}
          onPaste={onPaste}
          aria-label="Describe your app"
          aria-invalid={isTooLong}
          aria-describedby={hintId}
          placeholder={placeholderOf(review !== null, start !== null)}
          className="field-sizing-content block max-h-[40vh] w-full resize-none bg-transparent px-5 pt-3.5 pb-1 text-[17px] leading-7 outline-none placeholder:text-ink-3"
        />
        {review === null && start === null && suggestions.length > 0 && (
          <fieldset className="flex flex-wrap items-center gap-1.5 px-5 pt-1.5 text-[13px]">
            <legend className="float-left mr-1 py-1 text-ink-2">
              {suggestions.length > 1 ? 'It could be' : 'It could start as'}
            </legend>
            {suggestions.map(({ id, name, words }, at) => (
              <button
                key={id}
                type="button"
                onClick={() => onSuggestion(id)}
                className="inline-flex min-h-7.5 items-center gap-1.5 rounded-full border border-line-strong px-3 py-1 text-left text-ink-2 leading-4.5 hover:border-ink-3 hover:text-ink max-sm:min-h-11"
              >
                <span className={cx(at === 0 && 'font-medium text-ink')}>
                  {id === ownListId ? `A list of ${name.toLowerCase()}` : name}
                </span>
                <span>
                  {words.slice(0, 3).map((word, index) => (
                    <Fragment key={word}>
                      {index > 0 && ', '}
                      <u className="decoration-2 decoration-accent underline-offset-3">{word}</u>
                    </Fragment>
                  ))}
                </span>
                {at === 0 && <span className="text-xs">guessed</span>}
              </button>
            ))}
          </fieldset>
        )}
        <div className="flex flex-wrap items-center gap-1 p-3 pt-1.5">
          <IconButton
            icon={Paperclip}
            label="Open a CSV file"
            onClick={() => picker.current?.click()}
            className="max-sm:size-11"
          />
          {review === null ? (
            <span className="flex flex-wrap items-center gap-x-1 border-line border-l pl-3 text-[13px] text-ink-2">
              Try pasting
              {examples.map(({ name, icon, text }) => (
                <Button key={name} variant="quiet" size="sm" icon={icon} onClick={() => onExample(text)} className="max-sm:h-11">
                  {name}
                </Button>
              ))}
            </span>
          ) : (
            <span className="pl-1.5 text-[13px] text-ink-2">The plan comes first. Nothing is built before you agree.</span>
          )}
          <span className="ml-auto flex flex-wrap items-center justify-end gap-1.5 max-sm:w-full">
            <span
              id={hintId}
              className={cx('px-2 text-xs tabular-nums', hint === null ? 'text-ink-3 max-sm:hidden' : 'text-bad')}
            >
              {hint ?? 'Ctrl + Enter'}
            </span>
            {model !== null && review === null && start === null && (
              <Button
                disabled={!isReady || isTooLong}
                icon={Sparkles}
                title={`${model} plans it from your words`}
                onClick={onAskModel}
                className="max-sm:mt-1 max-sm:h-12! max-sm:w-full"
              >
                Let the model plan it
              </Button>
            )}
            <Button
              variant="primary"
              type="submit"
              disabled={!isReady || isTooLong}
              aria-describedby={hintId}
              className="max-sm:mt-1 max-sm:h-12! max-sm:w-full max-sm:text-base!"
            >
              Plan the app
              <ArrowUp aria-hidden="true" className="size-4" />
            </Button>
          </span>
        </div>
        <FilePicker ref={picker} accept={rowsEndings.join(',')} onFiles={onFiles} />
      </div>
    </>
  );
}

function placeholderOf(hasTable: boolean, hasStart: boolean): string {
  if (hasTable) return 'What do you want to know from it?';
  if (hasStart) return 'What is different in yours? You can leave this empty.';
  return 'Show us who has which tool and when it is due back, or paste a table, a price list, a set of questions…';
}
