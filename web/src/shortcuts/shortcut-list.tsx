import { texts } from '../texts.ts';

interface ShortcutGroup {
  readonly title: string;
  readonly items: readonly { readonly keys: readonly string[]; readonly action: string }[];
}

/** Every key that does something, by where it does. */
export function ShortcutList() {
  const groups: readonly ShortcutGroup[] = texts.shortcuts.groups;
  return (
    <div className="columns-1 gap-10 sm:columns-2">
      {groups.map(({ title, items }) => (
        <section key={title} aria-label={title} className="mb-6 break-inside-avoid last:mb-0">
          <h3 className="pb-1.5 font-medium text-[13px] text-ink-2">{title}</h3>
          <ul>
            {items.map(({ keys, action }) => (
              <li key={action} className="flex items-baseline justify-between gap-4 border-line border-t py-1.5 text-[13px]">
                <span>{action}</span>
                <span className="flex shrink-0 items-baseline gap-1">
                  {keys.map((key) => (
                    <Key key={key} name={key} />
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd className="min-w-6 rounded-md border border-line-strong border-b-2 bg-panel px-1.5 py-px text-center font-sans text-xs leading-4.5">
      {name}
    </kbd>
  );
}
