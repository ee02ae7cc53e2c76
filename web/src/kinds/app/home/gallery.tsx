import { ArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { Start } from '#kinds/app/contract/app.ts';
import type { ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { cx } from '../../../ui/elements.tsx';
import { coloursOf, views } from './catalogue.ts';
import { Schematic } from './schematic.tsx';

const groups: Readonly<Record<Start['group'], string>> = {
  track: 'Track',
  plan: 'Plan',
  sell: 'Sell',
  collect: 'Collect answers',
  calculate: 'Calculate',
  learn: 'Learn',
  present: 'Present',
};

/** Starting points of the first view of the gallery, the ones that people look for most. The others follow. */
const favourites = [
  ...['equipment-list', 'bookings', 'repairs-board', 'quote-calculator', 'recipe-book', 'shop-overview', 'sign-up-form', 'flashcards'],
  ...['tool-library', 'customers-and-offers', 'home-library', 'household-budget'],
];
const rankOf = ({ id }: Start) => (favourites.includes(id) ? favourites.indexOf(id) : favourites.length);
const columns = 4;

export function ViewIcons({ types }: { types: readonly ViewType[] }) {
  return (
    <span className="flex shrink-0 gap-1.5 text-ink-2">
      {types.slice(0, 4).map((type) => {
        const { icon: Icon, name } = views[type];
        return <Icon key={type} aria-label={name} className="size-3.5" />;
      })}
    </span>
  );
}

interface GalleryProps {
  readonly starts: readonly Start[];
  readonly rows: number;
  readonly disabled: boolean;
  /** Puts the starting point into the box. */
  readonly onUse: (start: Start) => void;
  readonly onBuild: (start: Start) => void;
}

/** Apps to start from. A click puts one into the box, Shift and click builds it at once. */
export function Gallery({ starts, rows, disabled, onUse, onBuild }: GalleryProps) {
  const [group, setGroup] = useState<Start['group'] | null>(null);
  const [isWhole, setIsWhole] = useState(false);
  const sorted = starts.filter((start) => group === null || start.group === group).sort((one, other) => rankOf(one) - rankOf(other));
  const present = new Set(starts.map((start) => start.group));
  const shown = isWhole ? sorted : sorted.slice(0, rows * columns);
  return (
    <section aria-labelledby="start-from">
      <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-2">
        <h2 id="start-from" className="font-semibold text-base">
          Start from an app
        </h2>
        <div role="group" aria-label="Purpose" className="flex flex-wrap gap-1.5">
          {[null, ...(Object.keys(groups) as Start['group'][]).filter((one) => present.has(one))].map((one) => (
            <button
              key={one ?? 'all'}
              type="button"
              aria-pressed={group === one}
              onClick={() => setGroup(one)}
              className="h-7.5 rounded-full border border-line-strong px-3 text-[13px] text-ink-2 hover:border-ink-3 hover:text-ink aria-pressed:border-ink-3 aria-pressed:bg-bubble aria-pressed:font-medium aria-pressed:text-ink"
            >
              {one === null ? 'All' : groups[one]}
            </button>
          ))}
        </div>
        {sorted.length > rows * columns && (
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
            className="ml-auto rounded font-medium text-[13px] underline-offset-2 hover:underline"
          >
            {isWhole ? 'Show fewer' : `All ${sorted.length} apps`}
          </button>
        )}
      </div>
      <ul className="grid grid-cols-2 gap-4 md:grid-cols-3 lg:grid-cols-4">
        {shown.map((start) => {
          const [first = 'table'] = start.views as ViewType[];
          return (
            <li key={start.id}>
              <button
                type="button"
                disabled={disabled}
                title="Click to use, Shift and click to build at once"
                onClick={(event) => (event.shiftKey ? onBuild(start) : onUse(start))}
                className="group block w-full rounded-xl text-left"
              >
                <Schematic
                  view={first}
                  colours={coloursOf(start.document)}
                  className="aspect-2/1 w-full rounded-xl border border-line-strong transition-shadow group-enabled:group-hover:border-ink-3 group-enabled:group-hover:shadow-card"
                />
                <span className="mt-2 flex items-center justify-between gap-2">
                  <span className="truncate font-medium">{start.name}</span>
                  <span className="group-hover:hidden">
                    <ViewIcons types={start.views as ViewType[]} />
                  </span>
                  <span aria-hidden="true" className={cx('hidden items-center gap-1 font-medium text-accent-text text-xs', 'group-hover:flex')}>
                    Use
                    <ArrowUp className="size-3.5" />
                  </span>
                </span>
                <span className="mt-0.5 line-clamp-2 text-[13px] text-ink-2 leading-4.5">{start.text}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
