import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../../ui/elements.tsx';
import { Menu, MenuChoice } from '../../../ui/menu.tsx';
import { pathFromText } from './app-channel.ts';

/** A page of the app. */
export interface NamedPage {
  readonly id: string;
  readonly name: string;
}

interface AddressBarProps {
  /** Path that the page shows. */
  path: string;
  /** Origin of the preview. */
  origin: string;
  pages: readonly NamedPage[];
  disabled: boolean;
  onGo: (path: string) => void;
}

/** Shows the page's path. A typed path is opened with Enter, and Escape restores the current one. */
export function AddressBar({ path, origin, pages, disabled, onGo }: AddressBarProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const current = pageAt(path, pages);
  return (
    <form
      className={cx(
        'relative flex h-8 min-w-24 flex-1 items-center rounded-lg border bg-panel text-[13px]',
        wrong ? 'border-bad' : 'border-line-strong',
      )}
      onSubmit={(event) => {
        event.preventDefault();
        const next = draft === null ? null : pathFromText(draft, origin);
        setWrong(draft !== null && next === null);
        if (next === null) return;
        setDraft(null);
        onGo(next);
      }}
    >
      <input
        aria-label="Address in the app"
        aria-invalid={wrong}
        title={wrong ? 'This is no path of the app. A path looks like /tools.' : undefined}
        value={draft ?? path}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => {
          setDraft(null);
          setWrong(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setDraft(null);
          setWrong(false);
        }}
        className="h-full min-w-0 flex-1 rounded-lg bg-transparent px-3 disabled:text-ink-3"
      />
      {pages.length > 0 && (
        <Menu
          align="end"
          trigger={
            <button
              type="button"
              disabled={disabled}
              aria-label={`Pages: ${current?.name ?? 'none'}`}
              className="mr-0.5 flex h-6.5 max-w-40 items-center gap-1 rounded-md bg-sunken px-2 font-medium text-ink-2 disabled:opacity-40"
            >
              <span className="truncate">{current?.name ?? 'Pages'}</span>
              <ChevronDown className="size-3.5 shrink-0" />
            </button>
          }
        >
          <MenuChoice
            label="Pages"
            value={current?.id ?? ''}
            options={pages.map(({ id, name }) => ({ value: id, label: name, detail: `/${id}` }))}
            onChange={(id) => onGo(`/${id}`)}
          />
        </Menu>
      )}
    </form>
  );
}

/** Returns the page of the app that a path shows. The first page is also at the root. */
export function pageAt(path: string, pages: readonly NamedPage[]): NamedPage | undefined {
  const id = path.split(/[/?#]/)[1] ?? '';
  return id === '' ? pages[0] : pages.find((page) => page.id === id);
}
