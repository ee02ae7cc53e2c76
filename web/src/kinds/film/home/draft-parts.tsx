import { ClipboardList, Code, GitCommitVertical, ListOrdered, Table, X } from 'lucide-react';
import { useMemo } from 'react';
import { describePaste, type PasteInfo } from '../../../home/paste.ts';
import { Button, IconButton } from '../../../ui/elements.tsx';
import { pictureOf } from '../editor/formats.tsx';
import { SceneNumber } from './composer/scene-number.tsx';

/** Shows the chosen format, which the request names. */
export function FormatChip({ format, onRemove }: { format: { id: string; title: string }; onRemove: () => void }) {
  return (
    <span className="flex h-8 items-center gap-2 rounded-lg border border-line-strong bg-sunken pl-1.5 font-medium text-[13px]">
      <img src={pictureOf(format.id)} alt="" width={384} height={216} className="h-5 w-auto rounded-sm" />
      {format.title}
      <IconButton icon={X} label={`Remove the format ${format.title}`} onClick={onRemove} className="size-7.5 [&_svg]:size-3.5" />
    </span>
  );
}

const pasteIcons: Readonly<Record<PasteInfo['kind'], typeof Table>> = {
  ...{ table: Table, changelog: GitCommitVertical, sections: GitCommitVertical, agenda: ListOrdered },
  ...{ checklist: ClipboardList, list: ClipboardList, json: Code, code: Code },
};

interface PasteCardProps {
  readonly text: string;
  /** Numbers of the scenes that show it. */
  readonly scenes: readonly number[];
  readonly onRemove: () => void;
  readonly onShowAsText: () => void;
}

/** Shows pasted text by its structure and its first line. */
export function PasteCard({ text, scenes, onRemove, onShowAsText }: PasteCardProps) {
  const { kind, label } = useMemo(() => describePaste(text), [text]) ?? { kind: 'sections', label: 'Pasted text' };
  const Icon = pasteIcons[kind];
  return (
    <li className="flex flex-wrap items-center gap-x-3 rounded-xl border-[1.5px] border-line-strong bg-panel p-2 pr-1.5">
      <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-sunken text-ink-2">
        <Icon aria-hidden="true" className="size-4.5 stroke-[1.75]" />
      </span>
      <span className="min-w-0 flex-1 leading-4.5">
        <span className="flex items-center gap-1.5 font-medium text-[13px]">
          {label}
          {scenes.slice(0, 6).map((number) => (
            <SceneNumber key={number} number={number} />
          ))}
        </span>
        <span className="block truncate text-ink-3 text-xs">{text.trim().slice(0, 120).replace(/\s+/gu, ' ')}</span>
      </span>
      <Button
        variant="quiet"
        size="sm"
        onClick={onShowAsText}
        className="max-sm:order-last max-sm:w-full max-sm:justify-start max-sm:pl-12"
      >
        Show as text
      </Button>
      <IconButton icon={X} label={`Remove: ${label}`} onClick={onRemove} className="[&_svg]:size-3.5" />
    </li>
  );
}
