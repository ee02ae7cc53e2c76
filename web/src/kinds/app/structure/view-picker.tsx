import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import type { AppDocument, List, View } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { dialogClass, overlayClass } from '../../../ui/dialog.tsx';
import { Button, cx } from '../../../ui/elements.tsx';
import { SearchField } from '../../../ui/fields.tsx';
import { coloursOf, views } from '../home/catalogue.ts';
import { Schematic } from '../home/schematic.tsx';
import { SelectMenu } from './parts.tsx';
import { pickerOptions, viewPurposes } from './picker-options.ts';
import { fieldsFor, partOf, viewParts, withPart } from './view-parts.ts';

interface ViewPickerProps {
  document: AppDocument;
  /** List that is chosen first. */
  listId: string;
  /** Whether the chosen view replaces another one. */
  replaces: boolean;
  onChoose: (view: View) => void;
  onClose: () => void;
}

/** All views for a list, best fit first. The focus stays in the search; arrows move, and Enter takes the marked view. */
export function ViewPicker({ document, listId, replaces, onChoose, onClose }: ViewPickerProps) {
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [chosenList, setChosenList] = useState(listId);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const [changed, setChanged] = useState<View | null>(null);
  const list = document.lists.find((one) => one.id === chosenList) ?? document.lists[0];
  const options = useMemo(() => (list === undefined ? [] : pickerOptions(list, document, search)), [list, document, search]);
  const marked = options[Math.min(at, options.length - 1)];
  const view = changed !== null && changed.view === marked?.type ? changed : (marked?.view ?? null);
  const colours = coloursOf(document);
  const mark = (index: number) => {
    setAt(index);
    setChanged(null);
    grid.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const columns = grid.current === null ? 1 : getComputedStyle(grid.current).gridTemplateColumns.split(' ').length;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      mark(Math.max(0, Math.min(options.length - 1, at + by)));
    }
    if (event.key === 'Enter' && view !== null) {
      event.preventDefault();
      onChoose(view);
    }
  };
  if (list === undefined) return null;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          className={cx(
            dialogClass,
            'flex h-[min(100dvh-2rem,800px)] max-w-310 overflow-hidden p-0! max-pane:flex-col max-pane:overflow-y-auto',
          )}
        >
          <div className="flex min-h-0 min-w-0 flex-1 flex-col p-6 max-pane:min-h-[60dvh]">
            <div className="mb-4 flex flex-wrap items-center gap-3">
              <Dialog.Title className="font-semibold text-lg">{`${replaces ? 'Another view' : 'Add a view'} of ${list.name}`}</Dialog.Title>
              <div className="w-40">
                <SelectMenu
                  label="List"
                  value={list.id}
                  options={document.lists.map(({ id, name }) => ({ value: id, label: name }))}
                  onChange={(next) => {
                    setChosenList(next);
                    mark(0);
                  }}
                />
              </div>
              <SearchField
                label="Search views"
                clearLabel="Clear the search"
                value={search}
                role="combobox"
                aria-expanded="true"
                aria-controls={`${id}-views`}
                aria-activedescendant={marked === undefined ? undefined : `${id}-${marked.type}`}
                onChange={(text) => {
                  setSearch(text);
                  mark(0);
                }}
                onKeyDown={onKeyDown}
                autoFocus
                className="ml-auto h-9 w-60 max-sm:w-full"
              />
            </div>
            {options.length === 0 && <p className="text-[13px] text-ink-2">{`No view is called “${search}”.`}</p>}
            <div
              ref={grid}
              id={`${id}-views`}
              role="listbox"
              aria-label="Views"
              className="-m-1 grid auto-rows-max grid-cols-2 gap-3 overflow-y-auto p-1 sm:grid-cols-3 xl:grid-cols-4"
            >
              {options.map((option, index) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search, which names the marked view.
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys work in the search.
                <div
                  key={option.type}
                  id={`${id}-${option.type}`}
                  role="option"
                  aria-selected={option === marked}
                  aria-disabled={option.view === null}
                  onClick={() => mark(index)}
                  onDoubleClick={() => option.view !== null && onChoose(option.view)}
                  className="cursor-pointer"
                >
                  <div
                    className={cx(
                      'overflow-hidden rounded-xl border',
                      option === marked ? 'border-accent ring-2 ring-accent' : 'border-line-strong',
                      option.view === null && 'opacity-45 grayscale',
                    )}
                  >
                    <Schematic view={option.type} colours={colours} className="h-26 w-full" />
                  </div>
                  <p className="mt-1.5 flex items-center gap-2 font-medium">
                    {views[option.type].name}
                    {option.view !== null && (
                      <span className="rounded-full bg-ok-soft px-2 font-medium text-[11px] text-ok leading-4.5">Fits</span>
                    )}
                  </p>
                  <p className={cx('text-xs', option.missing === null ? 'text-ink-2' : 'text-warn')}>
                    {option.missing ?? viewPurposes[option.type]}
                  </p>
                </div>
              ))}
            </div>
          </div>
          <div className="flex w-86 shrink-0 flex-col border-line bg-ground p-5 max-pane:w-full max-pane:border-t pane:border-l">
            {marked !== undefined && (
              <>
                <Schematic
                  view={marked.type}
                  colours={colours}
                  className="h-44 w-full rounded-xl border border-line-strong max-pane:hidden"
                />
                <h3 className="mt-4 font-semibold text-base">{views[marked.type].name}</h3>
                <p className="text-[13px] text-ink-2">{marked.missing ?? viewPurposes[marked.type]}</p>
              </>
            )}
            {view !== null && <Roles list={list} view={view} onChange={setChanged} />}
            <div className="mt-auto flex gap-2 pt-4">
              <Button onClick={onClose}>Cancel</Button>
              <Button
                variant="primary"
                disabled={view === null}
                onClick={() => view !== null && onChoose(view)}
                className="flex-1"
              >
                {`${replaces ? 'Use' : 'Add'} ${marked === undefined ? 'view' : views[marked.type].name.toLowerCase()}`}
              </Button>
            </div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Which field plays which part. */
function Roles({ list, view, onChange }: { list: List; view: View; onChange: (view: View) => void }) {
  const parts = viewParts[view.view].filter((part) => fieldsFor(part, list).length > 0).slice(0, 5);
  if (parts.length === 0) return null;
  return (
    <div className="mt-3 divide-y divide-line rounded-xl border border-line bg-panel px-3">
      {parts.map((part) => {
        const fields = fieldsFor(part, list).map(({ id, name }) => ({ value: id, label: name }));
        return (
          <div key={part.key} className="grid grid-cols-[80px_minmax(0,1fr)] items-center gap-2 py-1.5 text-[13px]">
            <span aria-hidden="true" className="text-ink-2">
              {part.label}
            </span>
            <SelectMenu
              label={part.label}
              value={partOf(view, part.key) ?? ''}
              options={part.needed ? fields : [{ value: '', label: 'Nothing' }, ...fields]}
              onChange={(field) => onChange(withPart(view, part.key, field === '' ? null : field))}
            />
          </div>
        );
      })}
    </div>
  );
}
