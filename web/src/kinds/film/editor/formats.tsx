import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { addressOf } from '../../../address.ts';
import { filmApi } from '../film-document.ts';

const noFormats: readonly FormatInfo[] = [];

/** Returns the studio's formats, or an empty list until they are loaded. */
export function useFormats(): readonly FormatInfo[] {
  const { data } = useQuery({
    queryKey: ['formats'],
    queryFn: ({ signal }) => filmApi.formats(signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Retries indefinitely, because nothing can be chosen without the formats.
    retry: true,
  });
  return data ?? noFormats;
}

/** Address of the format's picture, 384 by 216 pixels. */
export const pictureOf = (format: string) => addressOf(`/formats/${format}.jpg`);
export const videoOf = (format: string) => addressOf(`/formats/${format}.mp4`);

const purposeNames: Readonly<Record<string, string>> = {
  announce: 'Announce',
  explain: 'Explain',
  compare: 'Compare',
  numbers: 'Show numbers',
  people: 'People',
  product: 'Product',
  code: 'Show code',
  story: 'Story',
  parts: 'Parts',
};
export const allPurposes = 'all';

export const purposeName = (purpose: string) => purposeNames[purpose] ?? purpose;

export const hasPurpose = ({ purposes }: FormatInfo, purpose: string) =>
  purpose === allPurposes || purposes.some((each) => each === purpose);

interface PurposesProps {
  formats: readonly FormatInfo[];
  value: string;
  onChange: (purpose: string) => void;
  className?: string;
}

/** Filters formats by purpose. The group is a single tab stop, in which arrow keys choose. */
export function Purposes({ formats, value, onChange, className = 'flex-wrap' }: PurposesProps) {
  const names = [allPurposes, ...Object.keys(purposeNames).filter((name) => formats.some((info) => hasPurpose(info, name)))];
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = (names.indexOf(value) + by + names.length) % names.length;
    onChange(names[at] ?? allPurposes);
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[at]?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label="Purpose"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={`flex gap-1.5 outline-none ${className}`}
    >
      {names.map((name) => (
        // biome-ignore lint/a11y/useSemanticElements: shown as a chip
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={name === value}
          tabIndex={name === value ? 0 : -1}
          onClick={() => onChange(name)}
          className="h-7.5 shrink-0 rounded-full border border-line-strong px-3 text-[13px] text-ink-2 hover:text-ink aria-checked:border-ink-3 aria-checked:bg-bubble aria-checked:font-medium aria-checked:text-ink"
        >
          {name === allPurposes ? 'All' : purposeNames[name]}
        </button>
      ))}
    </div>
  );
}
