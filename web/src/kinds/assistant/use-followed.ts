import { useContext, useEffect, useState } from 'react';
import type { StartedWork } from '#contract/tool-calls.ts';
import { type KindLook, KindLookContext } from '../../project/kind-context.ts';
import { statusLabel } from '../../project/project-status.ts';
import { openProject, type ProjectStoreHandle } from '../../project/store.ts';
import type { WorkStates } from './steps.ts';
import { type Known, workStateOf } from './what-waits.ts';

interface Standing {
  /** `null` until the project is loaded. */
  readonly known: Known | null;
  readonly isDeleted: boolean;
  /** Why the project cannot be loaded. */
  readonly problem: string | null;
}

const opening: Standing = { known: null, isDeleted: false, problem: null };

/** A film or app that the last turn has started, as it is now. */
export interface Followed extends Standing {
  readonly projectId: string;
  readonly name: string;
  /** State of the project in words. `null` until it is loaded. */
  readonly label: string | null;
}

type State = Pick<ReturnType<ProjectStoreHandle['store']['getState']>, 'view' | 'loadError'>;

export function standingOf({ view, loadError }: State): Standing {
  if (loadError?.code === 'NOT_FOUND') return { known: null, isDeleted: true, problem: null };
  return { known: view, isDeleted: false, problem: view === null ? (loadError?.message ?? null) : null };
}

function isSame(one: Standing, other: Standing): boolean {
  if (one.isDeleted !== other.isDeleted || one.problem !== other.problem) return false;
  const { known } = other;
  return (
    one.known?.project === known?.project && one.known?.approval === known?.approval && one.known?.renders === known?.renders
  );
}

/** Follows the films and apps that a turn has started. They are loaded until `work` is empty or the page closes. */
export function useFollowed(work: readonly StartedWork[]): readonly Followed[] {
  const kindOf = useContext(KindLookContext);
  const [standings, setStandings] = useState<ReadonlyMap<string, Standing>>(new Map());
  const ids = work.map(({ projectId }) => projectId).join(' ');
  useEffect(() => {
    if (ids === '') return;
    const handles = ids.split(' ').map((id) => {
      const handle = openProject(id);
      handle.store.subscribe((state) => {
        const next = standingOf(state);
        // Most events, such as file writes, change nothing that this page shows.
        setStandings((before) => (isSame(before.get(id) ?? opening, next) ? before : new Map([...before, [id, next]])));
      });
      return handle;
    });
    return () => {
      for (const handle of handles) handle.close();
      setStandings(new Map());
    };
  }, [ids]);
  return work.map(({ projectId, name }) => {
    const standing = standings.get(projectId) ?? opening;
    return { ...standing, projectId, name: standing.known?.project.name ?? name, label: labelOf(standing, kindOf) };
  });
}

function labelOf({ known, isDeleted }: Standing, kindOf: (kindId: string) => KindLook | undefined): string | null {
  if (isDeleted) return 'Deleted';
  return known && statusLabel(known.project, kindOf(known.project.kind)?.statusLabels);
}

export function workStates(followed: readonly Followed[]): WorkStates {
  return new Map(
    followed.flatMap(({ projectId, known, isDeleted }) => {
      if (isDeleted) return [[projectId, 'deleted'] as const];
      return known === null ? [] : [[projectId, workStateOf(known)] as const];
    }),
  );
}

type Named = Pick<Followed, 'projectId' | 'name' | 'label'>;

interface Change {
  /** Last known label of each project. */
  readonly labels: ReadonlyMap<string, string>;
  readonly said: string;
}

export const noChange: Change = { labels: new Map(), said: '' };

/** Returns the same object if no state has changed. A project's first known state is no change. */
export function changeAfter(before: Change, followed: readonly Named[]): Change {
  if (followed.length === 0) return before.labels.size === 0 ? before : noChange;
  const labels = new Map(before.labels);
  const changes: string[] = [];
  let hasChanged = false;
  for (const { projectId, name, label } of followed) {
    const last = before.labels.get(projectId);
    if (label === null || label === last) continue;
    hasChanged = true;
    labels.set(projectId, label);
    if (last !== undefined) changes.push(`“${name}”: ${label}`);
  }
  if (!hasChanged) return before;
  return { labels, said: changes.length === 0 ? before.said : changes.join('. ') };
}

/** Returns the last change of state, for screen readers. Empty if nothing has changed since the page opened. */
export function useChange(followed: readonly Followed[]): string {
  const [change, setChange] = useState(noChange);
  const next = changeAfter(change, followed);
  // Updating during the render announces the state and its reason together.
  if (next !== change) setChange(next);
  return next.said;
}
