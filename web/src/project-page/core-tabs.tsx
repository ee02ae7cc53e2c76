import { CodeXml, History, SquareTerminal } from 'lucide-react';
import { lazy } from 'react';
import type { PaneTab } from '../kind-page.ts';

/** Tabs of projects of any kind. */

export const codeTab: PaneTab = {
  id: 'code',
  label: 'Code',
  icon: <CodeXml />,
  Pane: lazy(() => import('../code/code-view.tsx')),
  isAtWork: (view) => Object.values(view.files).some((file) => file.streaming),
};

export const terminalTab: PaneTab = {
  id: 'terminal',
  label: 'Terminal',
  icon: <SquareTerminal />,
  Pane: lazy(() => import('../terminal/terminal-view.tsx')),
};

export const historyTab: PaneTab = {
  id: 'history',
  label: 'History',
  icon: <History />,
  Pane: lazy(() => import('../history/history-view.tsx')),
};
