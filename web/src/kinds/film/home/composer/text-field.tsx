import { type ClipboardEvent, type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { ReadingSpan } from '#kinds/film/contract/reading.ts';
import { MarkLayer, markAt } from './mark-layer.tsx';
import type { TextRange } from './ranges.ts';

const pointMs = 180;
const leaveMs = 250;
const selectMs = 300;

interface TextFieldProps {
  readonly textbox: RefObject<HTMLTextAreaElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
  readonly value: string;
  /** Position of the text in the request. */
  readonly offset: number;
  readonly spans: readonly ReadingSpan[];
  readonly lit: readonly TextRange[];
  readonly isDense: boolean;
  readonly isInvalid: boolean;
  readonly placeholder: string;
  readonly describedBy: string;
  readonly formatOfScene: (scene: number) => string;
  readonly onChange: (text: string) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly onCompose: (isComposing: boolean) => void;
  /** The pointer rests on the words of a span, given by its start, or has left them (`null`). */
  readonly onPoint: (start: number | null) => void;
  readonly onSelect: (selected: TextRange | null) => void;
  readonly onTap: (start: number) => void;
}

/** A native field with marks behind its letters. It grows with its text; its parent scrolls. */
export function TextField(props: TextFieldProps) {
  const { textbox, layer, value, offset, spans, lit, isDense, formatOfScene, onPoint, onSelect } = props;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointed = useRef<number | null>(null);
  const point = (start: number | null, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      pointed.current = start;
      onPoint(start);
    }, afterMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  const onPointerMove = ({ clientX, clientY, pointerType, buttons }: PointerEvent) => {
    if (pointerType !== 'mouse' || buttons !== 0 || layer.current === null) return;
    const start = markAt(layer.current, clientX, clientY)?.start ?? null;
    if (start !== null) point(start, pointMs);
    else if (pointed.current !== null) point(null, leaveMs);
    else clearTimeout(timer.current);
  };
  // `select` events come with each letter that a drag adds, so the end of the selection is awaited.
  const selecting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onSelected = () => {
    clearTimeout(selecting.current);
    const { selectionStart: start, selectionEnd: end } = textbox.current ?? { selectionStart: 0, selectionEnd: 0 };
    if (start === end) onSelect(null);
    else selecting.current = setTimeout(() => onSelect({ start: start + offset, end: end + offset }), selectMs);
  };
  return (
    <div className="composer-text" {...(isDense && { 'data-dense': '' })}>
      <MarkLayer layer={layer} text={value} offset={offset} spans={spans} lit={lit} formatOfScene={formatOfScene} />
      <textarea
        ref={textbox}
        // The page's purpose is to accept this sentence.
        // biome-ignore lint/a11y/noAutofocus: nothing comes before it on the page.
        autoFocus
        rows={1}
        dir="auto"
        value={value}
        onChange={(event) => props.onChange(event.target.value)}
        onPaste={props.onPaste}
        onKeyDown={(event) => {
          if (pointed.current !== null) point(null, 0);
          props.onKeyDown(event);
        }}
        onCompositionStart={() => props.onCompose(true)}
        onCompositionEnd={() => props.onCompose(false)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => (pointed.current === null ? clearTimeout(timer.current) : point(null, leaveMs))}
        onPointerUp={({ clientX, clientY, pointerType }) => {
          const mark = layer.current && markAt(layer.current, clientX, clientY);
          if (pointerType === 'touch' && mark) props.onTap(mark.start);
        }}
        onSelect={onSelected}
        aria-label="Describe your film"
        aria-invalid={props.isInvalid}
        aria-describedby={props.describedBy}
        placeholder={props.placeholder}
        className="placeholder:text-ink-3"
      />
    </div>
  );
}
