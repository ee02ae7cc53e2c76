import type { TextMark } from '../kind-page.ts';

const followed = 'underline decoration-2 decoration-dotted decoration-ink-3 underline-offset-4';
const notFollowed =
  'rounded-[3px] box-decoration-clone bg-warn-soft underline decoration-2 decoration-dashed decoration-warn underline-offset-4';

/** Marks words behind the letters of a field, which must have the same font, padding and width. */
export function MessageMarks({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none relative -z-1 select-none whitespace-pre-wrap wrap-break-word px-1 py-1.5 text-transparent leading-5 [grid-area:1/1]"
    >
      {marks.map(({ start, end, isFollowed }, at) => [
        text.slice(marks[at - 1]?.end ?? 0, start),
        <span key={start} data-followed={isFollowed} className={isFollowed ? followed : notFollowed}>
          {text.slice(start, end)}
        </span>,
      ])}
      {text.slice(marks.at(-1)?.end ?? 0)}
      {/* A field shows the empty line after a final line break, other elements do not. */}
      {text.endsWith('\n') ? '\u200b' : null}
    </div>
  );
}
