import type { RenderSummary, State } from '#contract/mcp-results.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import type { PlanDocument } from '#kinds/film/contract/tools.ts';
import type { Media } from './host.ts';

export type Tab = 'storyboard' | 'preview' | 'video';
export type Action = 'accept' | 'change' | 'answer' | 'render' | 'cancel' | 'download';

/** A frame of the live preview. `loading` frames have been requested. */
export type Frame =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly src: string }
  | { readonly state: 'failed'; readonly message: string };

export interface FilmState {
  /** `null` until the first result arrives. */
  readonly project: State | null;
  /** `null` if the project is no film, or has none yet. */
  readonly document: PlanDocument | null;
  /** Tab that the user has chosen, or `null` to follow the project. */
  readonly chosenTab: Tab | null;
  readonly pending: Action | null;
  /** Whether the client can show the view in full screen. */
  readonly canBeFullscreen: boolean;
  /** Message of the last failure. */
  readonly failure: string | null;
  /** Frames of the current document, by their time in seconds. */
  readonly frames: Readonly<Record<number, Frame>>;
  /** Loaded video, or why it cannot be shown. */
  readonly video: { readonly renderId: string; readonly media: Media | null; readonly failure: string | null } | null;
}

export const initialState: FilmState = {
  ...{ project: null, document: null, chosenTab: null, pending: null, failure: null },
  ...{ frames: {}, video: null, canBeFullscreen: false },
};

type Section = NonNullable<State['plan']>['sections'][number];

export interface Scene {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Time at which the scene has fully entered and has not started to leave. */
  readonly holdSeconds: number;
}

export function scenesOf({ plan }: State): Scene[] {
  let end = 0;
  return (plan?.sections ?? []).map((section: Section, index) => {
    const { id, title, description, start_seconds: start, duration_seconds: duration } = section;
    const startSeconds = start ?? end;
    const durationSeconds = duration ?? 0;
    end = startSeconds + durationSeconds;
    const holdSeconds = Math.round((startSeconds + durationSeconds * 0.65) * 100) / 100;
    return { id, number: index + 1, title, description, startSeconds, durationSeconds, holdSeconds };
  });
}

export const lengthOf = (scenes: readonly Scene[]): number =>
  scenes.reduce((end, { startSeconds, durationSeconds }) => Math.max(end, startSeconds + durationSeconds), 0);

/** Returns whether Koda is working on the project, so that it has to be read again soon. */
export function isActive(project: State): boolean {
  if (project.running || project.renders.some(isUnfinished)) return true;
  // Right after an answer, the run that goes on has not started yet.
  const isDue = project.phase === 'question' || project.phase === 'plan' || project.phase === 'executing';
  return isDue && project.waiting_for === null && project.error === null;
}

export const isUnfinished = ({ status }: RenderSummary): boolean => status === 'queued' || status === 'running';

/** Returns whether the live preview shows this plan. Scenes in code have no picture before they are written. */
export function hasFrames({ project, document }: Pick<FilmState, 'project' | 'document'>): boolean {
  if (project === null || document === null || project.running) return false;
  return document.accepted || document.film.scenes.every((scene) => !isCode(scene));
}

/** Formats that every browser plays. */
const isVideo = ({ media_type: type }: RenderSummary) => type === 'video/mp4' || type === 'video/webm';

/** Returns the newest finished video, a final one if there is any. A project's renders are listed newest first. */
export function videoOf({ renders }: State): RenderSummary | null {
  const videos = renders.filter((render) => isVideo(render) && render.status === 'complete' && render.resource !== null);
  return videos.find(({ kind }) => kind === 'final') ?? videos[0] ?? null;
}

/** Returns the error of the newest final render, or `null` if it has not failed. */
export function renderErrorOf({ renders }: State): string | null {
  return renders.find((render) => render.kind === 'final' && isVideo(render))?.error?.message ?? null;
}

/** Returns the final render in progress, or `null`. */
export function renderInProgress({ renders }: State): RenderSummary | null {
  return renders.find((render) => isUnfinished(render) && render.kind === 'final' && isVideo(render)) ?? null;
}

/** Returns the tab to show: the user's choice, otherwise the newest thing there is to see. */
export function shownTab({ project, chosenTab }: Pick<FilmState, 'project' | 'chosenTab'>): Tab {
  if (chosenTab !== null) return chosenTab;
  if (project === null || project.waiting_for === 'plan' || project.phase === 'plan') return 'storyboard';
  if (renderInProgress(project) !== null || videoOf(project)?.kind === 'final') return 'video';
  return project.plan?.accepted && !project.running ? 'preview' : 'storyboard';
}
