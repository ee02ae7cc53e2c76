import {
  ArrowLeft,
  ArrowRight,
  ExternalLink,
  Monitor,
  Moon,
  RotateCw,
  Smartphone,
  SquareMousePointer,
  SquareTerminal,
  Sun,
  Tablet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { previewOrigin } from '../../../preview/page-messages.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { AddressBar, type NamedPage } from './address-bar.tsx';
import type { AppPage } from './app-page.ts';
import { useAppPageState } from './use-app-page.ts';
import { type ViewportId, viewports } from './viewport.ts';

const icons: Record<ViewportId, ReactNode> = {
  desktop: <Monitor className="size-4" />,
  tablet: <Tablet className="size-4" />,
  phone: <Smartphone className="size-4" />,
};

interface AppToolbarProps {
  url: string;
  page: AppPage;
  pages: readonly NamedPage[];
  /** Whether the page answers. */
  enabled: boolean;
  viewport: ViewportId;
  onViewport: (viewport: ViewportId) => void;
  onReload: () => void;
  onOpenTab: () => void;
  onMode: () => void;
  /** `null` if views can be selected all the time. */
  onSelecting: (() => void) | null;
  console: { readonly open: boolean; readonly errors: number; readonly toggle: () => void };
}

export function AppToolbar(props: AppToolbarProps) {
  const { url, page, pages, enabled, viewport, onViewport, onReload, onOpenTab, onMode, onSelecting, console } = props;
  const path = useAppPageState(page, (state) => state.path);
  const canGoBack = useAppPageState(page, (state) => state.before.length > 0);
  const canGoForward = useAppPageState(page, (state) => state.after.length > 0);
  const mode = useAppPageState(page, (state) => state.mode);
  const selecting = useAppPageState(page, (state) => state.selecting);
  return (
    <div
      role="toolbar"
      aria-label="Preview"
      className="flex shrink-0 flex-wrap items-center gap-x-1 gap-y-1.5 border-line border-b bg-ground px-3 py-2"
    >
      <div className="flex">
        <IconButton icon={ArrowLeft} label="Back" disabled={!enabled || !canGoBack} onClick={() => page.back()} />
        <IconButton
          icon={ArrowRight}
          label="Forward"
          disabled={!enabled || !canGoForward}
          onClick={() => page.forward()}
          className="max-sm:hidden"
        />
        <IconButton icon={RotateCw} label="Reload" shortcut="R" onClick={onReload} />
      </div>
      <AddressBar
        path={path}
        origin={previewOrigin(url) ?? ''}
        pages={pages}
        disabled={!enabled}
        onGo={(next) => page.navigate(next)}
      />
      <div className="max-sm:hidden">
        <Choice
          label="Width"
          value={viewport}
          options={viewports.map(({ id, width }) => ({ value: id, label: String(width), icon: icons[id] }))}
          onChange={onViewport}
        />
      </div>
      <div className="flex">
        <IconButton
          icon={mode === 'dark' ? Sun : Moon}
          label={mode === 'dark' ? 'Show the app in light' : 'Show the app in dark'}
          shortcut="D"
          disabled={!enabled}
          onClick={onMode}
        />
        {onSelecting !== null && (
          <IconButton
            icon={SquareMousePointer}
            label="Select a part"
            shortcut="S"
            aria-pressed={selecting}
            disabled={!enabled}
            onClick={onSelecting}
            className={cx(selecting && 'bg-accent-soft text-accent-text')}
          />
        )}
        <button
          type="button"
          aria-label={console.errors > 0 ? `Console, ${console.errors} errors` : 'Console'}
          title="Console (K)"
          aria-pressed={console.open}
          onClick={console.toggle}
          className={cx(
            'inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-lg px-2 text-ink-2 text-xs tabular-nums hover:bg-sunken hover:text-ink',
            console.open && 'bg-sunken text-ink',
            console.errors > 0 && 'text-bad!',
          )}
        >
          <SquareTerminal className="size-4" />
          {console.errors > 0 && console.errors}
        </button>
        <IconButton icon={ExternalLink} label="Open in a new tab" onClick={onOpenTab} />
      </div>
    </div>
  );
}
