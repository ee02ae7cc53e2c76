import { useState } from 'react';
import { OwnLinks } from '../../surface/own-links.tsx';

const maxLines = 12;
/** In the narrowest column. */
const charactersPerLine = 36;

const isLong = (text: string): boolean =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / charactersPerLine)), 0) > maxLines;

/** Text whose end is hidden until the person asks for it, if it is long. */
export function LongText({ text, hasLinks = false }: { text: string; hasLinks?: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const clamp = isWhole ? '' : 'line-clamp-[12]';
  return (
    <>
      <p className={`whitespace-pre-wrap wrap-anywhere ${clamp}`}>{hasLinks ? <OwnLinks text={text} /> : text}</p>
      {isLong(text) && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="mt-1 min-h-6 font-medium text-[13px] text-ink-2 underline underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}
