import { ArrowDownUp, CloudOff, Ellipsis, type LucideIcon, Monitor, Moon, Sun, SunMoon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useLayoutEffect, useMemo } from 'react';
import type { Page, DataView as RecordsView } from '../../model/document.ts';
import { filterRecords } from '../../model/rows.ts';
import data from '../data/use-data.ts';
import { useDocument } from '../document.ts';
import { dataPath, navigate, useLocation } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Toaster } from '../ui/toast.tsx';
import { exportFile, ImportTable, importFile } from '../views/import-table.tsx';
import { Conflicts } from './conflicts.tsx';
import { Keys } from './keys.tsx';
import { todayIso, useIsPhone } from './screen.ts';
import { applyTheme, chooseMode, useMode } from './theme.ts';

/** Navigation on the ground, the page on one inset sheet. Public pages have no navigation. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const app = useDocument();
  const { mode } = useMode();
  useLayoutEffect(() => applyTheme(app, mode), [app, mode]);
  const { path } = useLocation();
  const isPhone = useIsPhone();
  const page = app.pages.find(({ id }) => id === path.split('/')[1]) ?? app.pages[0];
  const shown = app.pages.filter((entry) => entry.public !== true);
  const layout = path.startsWith(`/${dataPath}/`) ? 'bare' : layoutOf(page, shown.length, isPhone);
  return (
    <div className="app" data-layout={layout}>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      {layout === 'side' && <SideBar pages={shown} current={page?.id} />}
      {layout === 'top' && <TopBar pages={shown} current={page?.id} />}
      {layout === 'public' && (
        <header className="public-head">
          <Brand />
        </header>
      )}
      <main className="main" id="content" tabIndex={-1}>
        <OfflineBar />
        <Conflicts />
        {children}
      </main>
      {layout === 'phone' && shown.length > 1 && <TabBar pages={shown} current={page?.id} />}
      <Keys />
      <ImportTable />
      <Toaster />
    </div>
  );
}

function layoutOf(page: Page | undefined, pages: number, isPhone: boolean): 'public' | 'phone' | 'side' | 'top' {
  if (page?.public === true) return 'public';
  if (isPhone) return 'phone';
  return pages >= 3 ? 'side' : 'top';
}

function Brand() {
  return (
    <div className="brand">
      <span className="mark">
        <Icon name={data.document.icon ?? 'package'} size={18} />
      </span>
      <span className="truncate">{data.document.name}</span>
    </div>
  );
}

interface NavProps {
  readonly pages: readonly Page[];
  readonly current: string | undefined;
}

function PageLink({
  page,
  current,
  count = false,
  iconSize = 18,
  ...rest
}: { page: Page; current: string | undefined; count?: boolean; iconSize?: number } & ComponentProps<'a'>) {
  return (
    <a
      href={`/${page.id}`}
      aria-current={page.id === current ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(`/${page.id}`);
      }}
      {...rest}
    >
      <Icon name={page.icon ?? 'table-2'} size={iconSize} />
      <span className="truncate">{page.name}</span>
      {count && <Count page={page} />}
    </a>
  );
}

/** How many records the page's first view shows. A dashboard has no number. */
function Count({ page }: { page: Page }) {
  const first = page.views[0];
  if (first === undefined || first.view === 'dashboard' || first.view === 'form' || first.view === 'code') return null;
  return <CountOf view={first} />;
}

function CountOf({ view }: { view: RecordsView }) {
  const records = data.useRecords(view.list);
  const list = data.listOf(view.list);
  const shown = useMemo(
    () => filterRecords(records, { list, filters: view.filter, todayIso: todayIso() }),
    [records, list, view.filter],
  );
  return <span className="count">{shown.length}</span>;
}

function SideBar({ pages, current }: NavProps) {
  return (
    <header className="side">
      <Brand />
      <nav className="nav mt-3 min-h-0 overflow-y-auto" aria-label="Pages">
        {pages.map((page) => (
          <PageLink key={page.id} page={page} current={current} count />
        ))}
      </nav>
      <div className="nav mt-auto pt-2">
        <TransferMenu
          trigger={
            <button type="button">
              <Icon of={ArrowDownUp} size={18} /> Import and export
            </button>
          }
        />
        <AppearanceMenu
          trigger={
            <button type="button">
              <Icon of={SunMoon} size={18} /> Appearance
            </button>
          }
        />
      </div>
    </header>
  );
}

function TopBar({ pages, current }: NavProps) {
  return (
    <header className="top">
      <Brand />
      {pages.length > 1 && (
        <nav className="top-nav" aria-label="Pages">
          {pages.map((page) => (
            <PageLink key={page.id} page={page} current={current} count />
          ))}
        </nav>
      )}
      <span className="flex-1" />
      <TransferMenu
        trigger={
          <button type="button" className="icon-btn" aria-label="Import and export" title="Import and export">
            <Icon of={ArrowDownUp} />
          </button>
        }
      />
      <AppearanceMenu
        trigger={
          <button type="button" className="icon-btn" aria-label="Appearance" title="Appearance">
            <Icon of={SunMoon} />
          </button>
        }
      />
    </header>
  );
}

const modes: readonly (readonly ['system' | 'light' | 'dark', string, LucideIcon])[] = [
  ['system', 'As the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
];

function AppearanceMenu({ trigger }: { trigger: ReactNode }) {
  const { mode } = useMode();
  return (
    <Menu trigger={trigger} label="Appearance">
      <AppearanceItems mode={mode ?? data.document.mode} />
    </Menu>
  );
}

function AppearanceItems({ mode }: { mode: string }) {
  return modes.map(([id, name, icon]) => (
    <MenuItem key={id} icon={icon} on={mode === id} onSelect={() => chooseMode(id)}>
      {name}
    </MenuItem>
  ));
}

function TransferMenu({ trigger }: { trigger: ReactNode }) {
  return (
    <Menu trigger={trigger} label="Import and export">
      {data.document.lists.map(({ id, name }) => (
        <MenuItem key={`import-${id}`} onSelect={() => importFile(id)}>
          Import into {name}…
        </MenuItem>
      ))}
      {data.document.lists.map(({ id, name }) => (
        <MenuItem key={`export-${id}`} onSelect={() => exportFile(id)}>
          Export {name} as CSV
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The first five pages, or four and More. */
function TabBar({ pages, current }: NavProps) {
  const { mode } = useMode();
  const fits = pages.length <= 5;
  const shown = fits ? pages : pages.slice(0, 4);
  const more = fits ? [] : pages.slice(4);
  return (
    <nav className="tabs" aria-label="Pages">
      {shown.map((page) => (
        <PageLink key={page.id} page={page} current={current} iconSize={22} />
      ))}
      {more.length > 0 && (
        <Menu
          align="end"
          trigger={
            <button type="button" data-on={more.some(({ id }) => id === current)}>
              <Icon of={Ellipsis} size={22} />
              More
            </button>
          }
        >
          {more.map((page) => (
            <MenuItem key={page.id} on={page.id === current} onSelect={() => navigate(`/${page.id}`)}>
              {page.name}
            </MenuItem>
          ))}
          <AppearanceItems mode={mode ?? data.document.mode} />
        </Menu>
      )}
    </nav>
  );
}

function OfflineBar() {
  const { state, problem } = data.useStatus();
  if (state !== 'offline' && state !== 'failed') return null;
  return (
    <div className="notice" role="status">
      <Icon of={CloudOff} />
      <span className="min-w-0 flex-1">
        {state === 'offline'
          ? 'No connection. You can go on; your changes are kept here and sent later.'
          : `Could not save. Your change is still here. ${problem ?? ''}`}
      </span>
      <Button size="small" onClick={() => data.retry()}>
        Try again
      </Button>
    </div>
  );
}
