import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { formatSeconds } from '#contract/format.ts';
import { parseTime } from '../time-text.ts';
import { cx } from '../ui/elements.tsx';

interface InlineTextFieldProps {
  label: string;
  value: string;
  placeholder: string;
  maxCharacters: number;
  editing: boolean;
  onEdit: () => void;
  onCommit: (text: string) => void;
  onEnd: () => void;
  issue?: string | null;
  /** Places the field in a line with other elements. */
  inline?: boolean;
  className?: string;
}

// Text and field share one box, so that nothing moves when one replaces the other.
const box = 'rounded-md px-1.5 py-0.5 text-left whitespace-pre-wrap wrap-anywhere';
const boxOf = (inline: boolean) => cx(box, inline ? 'inline-block align-baseline' : '-mx-1.5 block w-[calc(100%+0.75rem)]');
/** Text up to this length is selected as a whole, because users mostly replace it. */
const selectedUpTo = 80;

/** Edits text inline. A click turns it into a field. Enter or a click elsewhere saves; Escape cancels. */
export function InlineTextField(props: InlineTextFieldProps) {
  const { label, value, placeholder, editing, onEdit, issue = null, inline = false, className } = props;
  const issueId = useId();
  const shown = useRef<HTMLButtonElement>(null);
  const refocus = useRef(false);
  useEffect(() => {
    if (editing || !refocus.current) return;
    refocus.current = false;
    shown.current?.focus();
  }, [editing]);
  return (
    <>
      {editing ? (
        <Field
          {...props}
          issueId={issueId}
          leave={() => {
            refocus.current = true;
          }}
        />
      ) : (
        <button
          ref={shown}
          type="button"
          title={label}
          aria-describedby={issue === null ? undefined : issueId}
          onClick={onEdit}
          className={cx(
            boxOf(inline),
            className,
            'cursor-text transition-colors hover:bg-sunken',
            value === '' && 'text-ink-3 italic',
          )}
        >
          {value === '' ? placeholder : value}
        </button>
      )}
      {issue !== null && (
        <span id={issueId} className="mt-0.5 block font-normal text-bad text-xs">
          {issue}
        </span>
      )}
    </>
  );
}

function Field({
  label,
  value,
  placeholder,
  maxCharacters,
  onCommit,
  onEnd,
  issue = null,
  inline = false,
  className,
  issueId,
  leave,
}: InlineTextFieldProps & { issueId: string; leave: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    if (current && current.value.length <= selectedUpTo) current.select();
    else current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const end = (keep: boolean) => {
    // Removing the field also blurs it.
    if (done.current) return;
    done.current = true;
    const text = field.current?.value.replaceAll('\r', '').trim() ?? value;
    if (keep && text !== value) onCommit(text);
    onEnd();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    leave();
    end(event.key === 'Enter');
  };
  return (
    <textarea
      ref={field}
      rows={1}
      defaultValue={value}
      maxLength={maxCharacters}
      placeholder={placeholder}
      aria-label={label}
      aria-invalid={issue !== null}
      aria-describedby={issue === null ? undefined : issueId}
      onBlur={() => end(true)}
      onKeyDown={onKeyDown}
      className={cx(
        boxOf(inline),
        className,
        'field-sizing-content resize-none bg-sunken outline-2 outline-accent outline-offset-0',
      )}
    />
  );
}

interface InlineLengthFieldProps {
  label: string;
  seconds: number;
  /** The film's frame rate, for lengths in frames. */
  fps: number;
  editing: boolean;
  onEdit: () => void;
  onCommit: (seconds: number) => void;
  onEnd: () => void;
  className?: string;
}

export function InlineLengthField({ seconds, fps, onCommit, ...props }: InlineLengthFieldProps) {
  return (
    <InlineTextField
      {...props}
      inline
      value={formatSeconds(seconds)}
      placeholder=""
      maxCharacters={12}
      onCommit={(text) => {
        const read = parseTime(text, fps);
        if (read !== null && read > 0) onCommit(read);
      }}
    />
  );
}
