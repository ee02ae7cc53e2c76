import { useMemo } from 'react';
import { visibleParts } from '#contract/visible-text.ts';

/** Shows a text in the order of its characters, with a mark in place of everything that cannot be seen. */
export function VisibleText({ text }: { text: string }) {
  const parts = useMemo(() => withOffsets(visibleParts(text)), [text]);
  return (
    <bdo dir="ltr">
      {parts.map(({ offset, ...part }) =>
        part.isMark ? (
          <mark key={offset} className="mx-px whitespace-nowrap rounded bg-bad-soft px-1 font-medium text-bad ring-1 ring-bad/40">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </bdo>
  );
}

function withOffsets(parts: ReturnType<typeof visibleParts>) {
  let offset = 0;
  return parts.map((part) => {
    offset += part.text.length;
    return { ...part, offset };
  });
}
