import { ToggleGroup } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { browserStorage } from '../browser-storage.ts';
import { kinds } from '../kinds.ts';
import { navigate } from '../router.ts';
import { toast } from '../ui/toasts.tsx';

const starts = kinds.flatMap(({ id, start }) => (start === undefined ? [] : [{ id, start }]));

/** Kinds that start on a page of their own. */
const places = kinds.flatMap(({ id, place }) => (place === undefined ? [] : [{ id, place }]));

const storageKey = 'koda:kind';

/** Which kind of project the home page starts. It is remembered, and rows that were pasted can move to another kind. */
export function useKindChoice() {
  const [id, setId] = useState(() => browserStorage.read(storageKey));
  const [handedOver, setHandedOver] = useState<string | null>(null);
  const closeOffer = useRef<() => void>(() => undefined);
  useEffect(() => () => closeOffer.current(), []);
  const [first] = starts;
  if (first === undefined) throw new Error('No installed kind starts projects.');
  const kind = starts.find((start) => start.id === id) ?? first;
  const choose = (next: string) => {
    closeOffer.current();
    browserStorage.write(storageKey, next);
    setId(next);
  };
  return {
    kind,
    handedOver,
    choose,
    taken: () => setHandedOver(null),
    offer(text: string, takeBack: () => void) {
      closeOffer.current();
      const other = starts.find((start) => start.id !== kind.id);
      if (other === undefined) return;
      const run = () => {
        // The request stores itself before it leaves the page.
        flushSync(takeBack);
        setHandedOver(text);
        choose(other.id);
      };
      closeOffer.current = toast(`Your rows are in the ${kind.start.label.toLowerCase()}.`, {
        action: { label: other.start.instead, run },
      });
    },
  };
}

const itemClass =
  'flex h-9.5 items-center gap-2 rounded-[9px] px-3.5 text-ink-2 text-sm transition-colors enabled:hover:text-ink data-[state=on]:bg-panel data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-[0_1px_2px_rgb(0_0_0/0.12)] sm:px-4.5 dark:data-[state=on]:bg-bubble [&_svg]:size-4.5 [&_svg]:stroke-[1.75] data-[state=on]:[&_svg]:text-accent';

export function KindChoice({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  return (
    <div className="flex justify-center pt-0.5">
      <ToggleGroup.Root
        type="single"
        role="radiogroup"
        aria-label="What to make"
        value={chosen}
        // An empty value means that the chosen kind was clicked again; it stays chosen.
        onValueChange={(next) => {
          const chosenPlace = places.find(({ id }) => id === next)?.place;
          if (chosenPlace !== undefined) navigate(chosenPlace.path);
          else if (next !== '') onChoose(next);
        }}
        className="flex rounded-xl bg-sunken p-0.75"
      >
        {starts.map(({ id, start: { icon: Icon, label } }) => (
          <ToggleGroup.Item key={id} value={id} className={itemClass}>
            <Icon aria-hidden="true" />
            {label}
          </ToggleGroup.Item>
        ))}
        {places.map(({ id, place: { icon: Icon, choice } }) => (
          <ToggleGroup.Item key={id} value={id} className={itemClass}>
            <Icon aria-hidden="true" />
            {choice}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  );
}
