import { ArrowRight, ArrowUp } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { cx } from '../../../ui/elements.tsx';
import { HoverVideo, useLooked } from '../../../ui/hover-video.tsx';
import { allPurposes, hasPurpose, Purposes, pictureOf, useFormats, videoOf } from '../editor/formats.tsx';

const AllFormats = lazy(() => import('./all-formats.tsx'));

/** Formats that come first, because most requests use them. The others follow in the order of the catalogue. */
const favourites = [
  ...['event', 'bar-chart', 'checklist', 'title', 'steps', 'code'],
  ...['comparison', 'race', 'quote', 'features', 'timeline', 'route', 'number', 'icon-story'],
];

/** Summaries on format cards. A format without an entry shows the start of its own description. */
const summaries: Readonly<Record<string, string>> = {
  ...{ event: 'Announce a date', 'bar-chart': 'Compare a few numbers', checklist: 'Tick off items', title: 'Animate a headline' },
  ...{ steps: 'Explain a process', code: 'Show real code', comparison: 'Two sides, point by point', race: 'Rankings over time' },
  ...{ quote: 'Quote a person', features: 'Present a product', timeline: 'Show dates in order', route: 'A journey on a map' },
  ...{
    number: 'Count up to a figure',
    'icon-story': 'Tell a small story',
    'line-chart': 'Show a trend',
    list: 'Item after item',
  },
  ...{ chat: 'Replay a conversation', terminal: 'Type commands', mockup: 'Show a site or an app', logo: 'Reveal a brand' },
  ...{ notification: 'A message pops up', 'social-post': 'Show a public post', countdown: 'Count down to a word' },
  ...{
    'lower-third': 'Name a speaker',
    'end-card': 'Close with one action',
    shapes: 'Bounce, roll, orbit',
    pie: 'Show shares of a whole',
    headline: 'Mark a phrase in the news',
    loader: 'Loop while something loads',
    flow: 'Boxes and arrows',
    map: 'Mark places on a map',
    table: 'Rows and columns',
    ambient: 'A seamless backdrop',
  },
};
const summaryOf = ({ id, use }: FormatInfo) => summaries[id] ?? use.split(/[,:;.]/u)[0] ?? use;

/** Returns the formats for a purpose, the favourites first. */
export function galleryFormats(formats: readonly FormatInfo[], purpose: string): readonly FormatInfo[] {
  const rank = ({ id }: FormatInfo) => (favourites.includes(id) ? favourites.indexOf(id) : favourites.length);
  return formats.filter((info) => hasPurpose(info, purpose)).sort((one, other) => rank(one) - rank(other));
}

const maxColumns = 6;
const gridClass = 'grid grid-cols-2 gap-4 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-6';

/** Returns the class that hides a card if it does not fit into the rows of a narrower window. */
const hiddenClass = (index: number, rows: number) =>
  cx(index >= 2 * rows && 'max-sm:hidden', index >= 3 * rows && 'sm:max-md:hidden', index >= 4 * rows && 'md:max-lg:hidden');

interface FormatGalleryProps {
  rows: number;
  disabled: boolean;
  /** Puts the format and its example into the prompt box. */
  onUse: (format: FormatInfo) => void;
  /** Starts a film from the example immediately. */
  onStart: (format: FormatInfo) => void;
}

/** Shows formats as starting points, filtered by purpose. */
export function FormatGallery({ rows, disabled, onUse, onStart }: FormatGalleryProps) {
  const formats = useFormats();
  const [purpose, setPurpose] = useState(allPurposes);
  const [all, setAll] = useState<'unopened' | 'open' | 'closed'>('unopened');
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<FormatInfo | null>(null);
  const shown = galleryFormats(formats, purpose).slice(0, maxColumns * rows);
  const isLoading = formats.length === 0;
  return (
    <section aria-labelledby="formats-title">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {/* The widths are fixed, so that nothing moves when the typeface and the number of formats are loaded. */}
        <h2 id="formats-title" className="w-37 shrink-0 whitespace-nowrap font-semibold text-base">
          Start from a format
        </h2>
        <div className="order-last min-h-8 w-full overflow-x-auto [scrollbar-width:none] lg:order-none lg:w-auto lg:flex-1">
          {!isLoading && <Purposes formats={formats} value={purpose} onChange={setPurpose} className="w-max p-px" />}
        </div>
        <button
          ref={opener}
          type="button"
          disabled={isLoading || disabled}
          onClick={() => setAll('open')}
          className="ml-auto flex h-8 w-29 items-center justify-end gap-1 whitespace-nowrap rounded-lg font-medium text-[13px] hover:text-accent-text disabled:text-ink-3"
        >
          {isLoading ? 'All formats' : `All ${formats.length} formats`}
          <ArrowRight aria-hidden="true" className="size-3.5" />
        </button>
      </div>
      {isLoading ? (
        <Skeletons rows={rows} />
      ) : (
        <ul className={cx(gridClass, 'mt-3.5')}>
          {shown.map((info, index) => (
            <li key={info.id} className={hiddenClass(index, rows)}>
              <FormatCard info={info} disabled={disabled} onClick={(isStart) => (isStart ? onStart(info) : onUse(info))} />
            </li>
          ))}
        </ul>
      )}
      <Suspense>
        {all !== 'unopened' && (
          <AllFormats
            open={all === 'open'}
            formats={galleryFormats(formats, allPurposes)}
            onChoose={(info) => {
              chosen.current = info;
            }}
            onClose={() => setAll('closed')}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (chosen.current === null) opener.current?.focus();
              else onUse(chosen.current);
              chosen.current = null;
            }}
          />
        )}
      </Suspense>
    </section>
  );
}

interface FormatCardProps {
  info: FormatInfo;
  disabled: boolean;
  onClick: (isStart: boolean) => void;
}

function FormatCard({ info, disabled, onClick }: FormatCardProps) {
  const { looked, handlers } = useLooked();
  return (
    <button
      type="button"
      disabled={disabled}
      title={`${info.use} Shift and a click start the example at once.`}
      onClick={(event) => onClick(event.shiftKey)}
      {...handlers}
      className="group block w-full rounded-[10px] text-left outline-offset-4 disabled:opacity-50"
    >
      <span className="relative block aspect-video overflow-hidden rounded-[10px] border border-line bg-bubble transition group-enabled:group-hover:-translate-y-0.5 group-enabled:group-hover:border-ink-3 group-enabled:group-hover:shadow-lift">
        <img src={pictureOf(info.id)} alt="" width={384} height={216} className="size-full" />
        {looked && !disabled && <HoverVideo src={videoOf(info.id)} />}
      </span>
      <span className="mt-2 flex items-center justify-between gap-2 font-medium text-sm leading-5">
        <span className="truncate">{info.title}</span>
        <span
          aria-hidden="true"
          className="flex items-center gap-0.5 text-accent-text text-xs opacity-0 group-focus-visible:opacity-100 group-enabled:group-hover:opacity-100"
        >
          Use
          <ArrowUp className="size-3.5" />
        </span>
      </span>
      <span className="block truncate text-ink-2 text-xs leading-[17px]">{summaryOf(info)}</span>
    </button>
  );
}

/** Placeholders as tall as the cards that replace them. */
function Skeletons({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading the formats…" className={cx(gridClass, 'mt-3.5')}>
      {Array.from({ length: maxColumns * rows }, (_, index) => index).map((index) => (
        <div key={index} className={cx('animate-breathe', hiddenClass(index, rows))}>
          <div className="aspect-video rounded-[10px] bg-bubble" />
          <div className="mt-2 flex h-5 items-center">
            <div className="h-3.5 w-3/5 rounded bg-bubble" />
          </div>
          <div className="flex h-[17px] items-center">
            <div className="h-3 w-4/5 rounded bg-bubble" />
          </div>
        </div>
      ))}
    </div>
  );
}
