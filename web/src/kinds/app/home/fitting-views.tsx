import { useId } from 'react';
import type { AppDocument, List, ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { cx } from '../../../ui/elements.tsx';
import { coloursOf, viewTypes, views } from './catalogue.ts';
import { missingFor } from './plan/plan.ts';
import { Schematic } from './schematic.tsx';

interface FittingViewsProps {
  readonly list: List;
  readonly document: AppDocument;
  readonly ticked: readonly ViewType[];
  readonly onTick: (type: ViewType) => void;
}

/** The ways in which a pasted table can be shown. */
export function FittingViews({ list, document, ticked, onTick }: FittingViewsProps) {
  const id = useId();
  const fitting = viewTypes.filter((type) => type !== 'sheet' && missingFor(type, list, document) === null);
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="flex flex-wrap items-baseline gap-x-2.5 font-semibold text-base">
        Views that fit this table
        <span className="font-normal text-[13px] text-ink-2">Chosen by its types. You can change them in the plan.</span>
      </h2>
      <ul className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
        {fitting.map((type) => {
          const isTicked = ticked.includes(type);
          return (
            <li key={type}>
              <label
                className={cx(
                  'relative block cursor-pointer rounded-xl border bg-panel p-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                  isTicked ? 'border-accent ring-1 ring-accent' : 'border-line-strong hover:border-ink-3',
                )}
              >
                <Schematic view={type} colours={coloursOf(document)} className="h-16 w-full rounded-lg" />
                <span className="mt-2 flex items-center justify-between gap-2 font-medium">
                  {views[type].name}
                  <input type="checkbox" checked={isTicked} onChange={() => onTick(type)} className="size-4 accent-accent outline-none!" />
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
