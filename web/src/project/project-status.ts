import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { type Approval, type Phase, type Plan, type Project, wasStoppedByUser } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { addressOf } from '../address.ts';
import { useView } from './context.ts';

/** Status of a project: running, stopped by the user, failed in any phase, or otherwise its phase. */
export type ProjectStatus = Phase | 'working' | 'stopped';

/** Labels of a kind that differ from the usual ones. */
export type StatusLabels = Readonly<Partial<Record<ProjectStatus, string>>>;

const usualLabels: Record<ProjectStatus, string> = {
  working: 'Working',
  stopped: 'Stopped by you',
  idle: 'Not started',
  question: 'Waiting for your answer',
  plan: 'Plan to review',
  executing: 'Building',
  preview: 'Preview to review',
  complete: 'Finished',
  conversation: 'Ready for your message',
  error: 'Needs attention',
};

/** Colour of a status's dot. */
export const statusTones: Record<ProjectStatus, string> = {
  working: 'animate-breathe bg-accent',
  stopped: 'bg-ink-3',
  idle: 'bg-ink-3',
  question: 'bg-warn',
  plan: 'bg-warn',
  executing: 'bg-accent',
  preview: 'bg-warn',
  complete: 'bg-ok',
  conversation: 'bg-ink-3',
  error: 'bg-bad',
};

/**
 * Returns the label on a project's card, which screen readers also read above the message box. `ofKind` has the labels of the
 * project's kind.
 */
export function statusLabel(project: Pick<Project, 'phase' | 'running' | 'error'>, ofKind: StatusLabels = {}): string {
  const status = projectStatus(project);
  return ofKind[status] ?? usualLabels[status];
}

export function projectStatus({ phase, running, error }: Pick<Project, 'phase' | 'running' | 'error'>): ProjectStatus {
  if (running) return 'working';
  if (error === null) return phase;
  return wasStoppedByUser(error) ? 'stopped' : 'error';
}

/** Returns whether the project is a conversation. Any other is worked on only once it has a plan. */
export function isConversation({ project: { phase }, plan }: { project: Pick<Project, 'phase'>; plan: Plan | null }): boolean {
  return phase === 'conversation' || (plan === null && (phase === 'executing' || phase === 'error'));
}

/** Status in the browser tab's title. `percent` is the running render's. */
type TabState = { readonly mark: 'working'; readonly percent: number | null } | { readonly mark: 'waits' | 'failed' | null };

interface Known {
  readonly project: Pick<Project, 'phase' | 'running' | 'error'>;
  readonly approval: Pick<Approval, 'type'> | null;
  readonly renders: readonly Pick<Render, 'status' | 'percent'>[];
}

/** Running work comes first, then decisions for the user, then failures. */
export function tabState({ project, approval, renders }: Known): TabState {
  const running = renders.find(({ status }) => status === 'running');
  if (running) return { mark: 'working', percent: Math.floor(running.percent) };
  const status = projectStatus(project);
  if (status === 'working' || renders.some((render) => render.status === 'queued')) return { mark: 'working', percent: null };
  if (approval !== null) return { mark: 'waits' };
  return { mark: status === 'error' ? 'failed' : null };
}

/** Shown in the browser tab before the project's name. */
const tabLabels = { working: 'Working', waits: 'Your turn', failed: 'Needs attention' } as const;

const icons = { working: '/favicon-working.svg', waits: '/favicon-waits.svg', failed: '/favicon-failed.svg' } as const;
const plainIcon = '/favicon.svg';

function showIcon(href: string): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', addressOf(href));
}

/** Updates the title and icon of the browser tab. */
export function useTabState(): void {
  const name = useView((view) => view.project.name);
  const state = useView(useShallow(tabState));
  const percent = state.mark === 'working' ? state.percent : null;
  const { mark } = state;
  useEffect(() => {
    const label = mark === null ? null : tabLabels[mark];
    const status = percent === null ? label : `${percent} %`;
    document.title = `${status === null ? '' : `${status} · `}${name} – Koda`;
  }, [name, mark, percent]);
  useEffect(() => {
    showIcon(mark === null ? plainIcon : icons[mark]);
    return () => showIcon(plainIcon);
  }, [mark]);
}
