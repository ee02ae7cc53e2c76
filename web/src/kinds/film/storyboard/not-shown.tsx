import { ChevronRight } from 'lucide-react';
import { Button } from '../../../ui/elements.tsx';

interface NotShownProps {
  texts: readonly string[];
  disabled: boolean;
  onShow: (text: string) => void;
}

/** Lists the parts of the request that the film does not show, so that the user can add one that was misread. */
export function NotShown({ texts, disabled, onShow }: NotShownProps) {
  if (texts.length === 0) return null;
  return (
    <details className="group mt-4 text-[13px]">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-x-1.5 rounded-md text-ink-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.5 shrink-0 text-ink-3 transition-transform group-open:rotate-90" />
        {texts.length === 1
          ? 'One part of your request is not shown as text'
          : `${texts.length} parts of your request are not shown as text`}
      </summary>
      <p className="mt-2 max-w-180 text-pretty text-ink-3 text-xs leading-5">
        Koda read these as instructions or left them out. If one is content, show it in a scene of its own.
      </p>
      <ul className="mt-2 divide-y divide-line rounded-lg border border-line bg-panel">
        {texts.map((text) => (
          <li key={text} className="flex items-center gap-x-3 px-3.5 py-2">
            <span className="wrap-anywhere min-w-0 flex-1">{text}</span>
            <Button size="sm" disabled={disabled} aria-label={`Show “${text}”`} onClick={() => onShow(text)}>
              Show it
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
