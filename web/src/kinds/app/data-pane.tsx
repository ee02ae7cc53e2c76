import { Database, Download, SquareTerminal } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { List } from '../../../../sandbox-image/templates/app/model/document.ts';
import { addressOf } from '../../address.ts';
import { useProject } from '../../project/context.ts';
import { cx, Waiting } from '../../ui/elements.tsx';
import { useAppState } from './app-store.ts';
import { AppFrame, useAppFrame } from './preview/app-frame.tsx';
import { RunningApp } from './preview/running-app.tsx';
import { useAppPage, useAppPageState } from './preview/use-app-page.ts';

/** The app's own browser of its records. */
export default function DataPane() {
  const lists = useAppState((state) => state.document?.lists ?? null);
  if (lists === null) return <Waiting className="p-4">Reading the app…</Waiting>;
  return <RunningApp>{(url) => <Data key={url} url={url} lists={lists} />}</RunningApp>;
}

const sqlPath = '/_data/_sql';

function Data({ url, lists }: { url: string; lists: readonly List[] }) {
  const { projectId } = useProject();
  const ref = useRef<HTMLIFrameElement>(null);
  const page = useAppPage(ref, { url, path: lists[0] === undefined ? sqlPath : `/_data/${lists[0].id}` });
  const control = useAppFrame(page, ref, url);
  const path = useAppPageState(page, (state) => state.path);
  const enabled = useAppPageState(page, ({ health }) => health === 'responsive') && control.frame === 'shown';
  const shown = path.split('?')[0] ?? '';
  const list = lists.find(({ id }) => shown === `/_data/${id}`) ?? (shown === sqlPath ? undefined : lists[0]);
  const go = (to: string) => enabled && page.navigate(to);
  return (
    <div className="flex h-full max-sm:flex-col">
      <nav
        aria-label="Data"
        className="flex w-52 shrink-0 flex-col overflow-y-auto border-line border-r bg-ground px-2.5 py-3 max-sm:w-full max-sm:flex-row max-sm:gap-1 max-sm:overflow-x-auto max-sm:border-r-0 max-sm:border-b"
      >
        <h2 className="px-2 pb-1 font-medium text-ink-3 text-xs max-sm:sr-only">Lists</h2>
        {lists.map(({ id, name }) => (
          <Item key={id} icon={<Database />} isCurrent={id === list?.id} onClick={() => go(`/_data/${id}`)}>
            {name}
          </Item>
        ))}
        <h2 className="mt-3 px-2 pb-1 font-medium text-ink-3 text-xs max-sm:sr-only">Database</h2>
        <Item icon={<SquareTerminal />} isCurrent={shown === sqlPath} onClick={() => go(sqlPath)}>
          Questions in SQL
        </Item>
        <div className="mt-auto pt-3 max-sm:mt-0 max-sm:flex max-sm:gap-1 max-sm:pt-0">
          {list !== undefined && (
            <a
              href={addressOf(`/proxy/${projectId}/api/lists/${list.id}/export.csv`)}
              target="_blank"
              rel="noopener noreferrer"
              className={cx(itemClass, 'text-ink-2 hover:bg-sunken')}
            >
              <Download />
              <span className="truncate">Export CSV</span>
            </a>
          )}
        </div>
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <AppFrame page={page} control={control} ref={ref} title="Data of the app" viewport={null} />
      </div>
    </div>
  );
}

const itemClass =
  'flex h-8 shrink-0 items-center gap-2 rounded-lg px-2 text-left text-[13px] sm:w-full [&_svg]:size-4 [&_svg]:shrink-0';

interface ItemProps {
  icon: ReactNode;
  isCurrent?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Item({ icon, isCurrent = false, onClick, children }: ItemProps) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onClick}
      className={cx(itemClass, isCurrent ? 'bg-accent-soft font-medium text-accent-text' : 'text-ink-2 hover:bg-sunken')}
    >
      {icon}
      <span className="truncate">{children}</span>
    </button>
  );
}
