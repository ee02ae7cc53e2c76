import type { ReactNode } from 'react';
import { formatCount } from '#contract/display.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { Button, cx } from '../../../../ui/elements.tsx';
import { FormatChip, PasteCard } from '../draft-parts.tsx';
import type { Draft } from '../idea.ts';

interface TextPaneProps {
  readonly draft: Draft;
  /** Characters of the whole request. */
  readonly count: number;
  /** Returns the numbers of the scenes that show a pasted text. */
  readonly scenesIn: (pasted: string) => readonly number[];
  readonly field: ReactNode;
  readonly onFocusText: () => void;
  readonly onRemoveFormat: () => void;
  readonly onRemovePaste: (at: number) => void;
  readonly onShowAsText: (at: number) => void;
  readonly onRemoveEnd: () => void;
  readonly children: ReactNode;
}

/** The text, with the chosen format above it and what was pasted below it. */
export function TextPane(props: TextPaneProps) {
  const { draft, count, scenesIn, field, onFocusText } = props;
  const hasPasted = draft.pasted.length > 0;
  return (
    <div className="flex min-h-58 min-w-0 flex-col max-sm:min-h-40">
      {draft.format !== null && (
        <div className="px-4 pt-4">
          <FormatChip format={draft.format} onRemove={props.onRemoveFormat} />
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the field itself */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the field is meant for it */}
      <div
        className={cx('max-h-[50vh] cursor-text overflow-y-auto rounded-tl-2xl', !hasPasted && 'min-h-24 flex-1')}
        onClick={(event) => event.target === event.currentTarget && onFocusText()}
      >
        {field}
      </div>
      {hasPasted && (
        <ul aria-label="Pasted content" className="mx-6 mt-3 mb-auto flex flex-col gap-2 pb-2 max-sm:mx-4">
          {draft.pasted.map((text, at) => (
            <PasteCard
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be pasted twice
              key={at}
              text={text}
              scenes={scenesIn(text)}
              onRemove={() => props.onRemovePaste(at)}
              onShowAsText={() => props.onShowAsText(at)}
            />
          ))}
        </ul>
      )}
      {count > maxPromptCharacters && (
        <div
          role="alert"
          className="mx-4 mb-3 flex animate-fade flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg bg-bad-soft py-2 pr-2 pl-3 text-[13px] text-bad"
        >
          <span className="min-w-60 flex-1 text-balance">
            {`Too long by ${formatCount(count - maxPromptCharacters, 'character')}. Nothing is lost. Keep only what the film should show, in order.`}
          </span>
          <Button size="sm" onClick={props.onRemoveEnd}>
            Remove the end
          </Button>
        </div>
      )}
      {props.children}
    </div>
  );
}
