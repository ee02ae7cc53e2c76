import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { texts } from '../texts.ts';
import { useView } from './context.ts';
import { tabState } from './tab-state.ts';

const icons = { working: '/favicon-working.svg', waits: '/favicon-waits.svg', failed: '/favicon-failed.svg' } as const;
const plainIcon = '/favicon.svg';

function showIcon(href: string): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', href);
}

/** Name and picture of the browser's tab follow the project. */
export function useTabState(): void {
  const name = useView((view) => view.project.name);
  const state = useView(useShallow(tabState));
  const percent = state.mark === 'working' ? state.percent : null;
  const { mark } = state;
  useEffect(() => {
    const said = mark === null ? null : percent === null ? texts.tab[mark] : texts.tab.percent(percent);
    document.title = `${said === null ? '' : `${said} · `}${name} – ${texts.product}`;
  }, [name, mark, percent]);
  useEffect(() => {
    showIcon(mark === null ? plainIcon : icons[mark]);
    return () => showIcon(plainIcon);
  }, [mark]);
}
