import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { Phase, Plan } from '#contract/project.ts';
import type { Aspect } from '#contract/render.ts';
import type { PanelProps } from './conversation/orders.ts';
import type { ProjectView } from './project/reducer.ts';

/** A tab of the panes beside the conversation. */
export interface PaneTab {
  /** Name in the page's address. */
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** Tabs with the same component share it, so that switching between them does not mount it again. */
  readonly Pane: ComponentType;
  /** Shown beside the tabs while the pane is visible. */
  readonly Status?: ComponentType;
  /** Whether the pane stays mounted once it was shown, because returning to it must not restart it. */
  readonly staysMounted?: boolean;
  /** Returns whether something in the pane is being made. */
  readonly isAtWork?: (view: ProjectView) => boolean;
  /** Returns whether the pane needs the whole height of a phone, so that the dock is shown in the conversation alone. */
  readonly fillsPhone?: (view: ProjectView) => boolean;
  /** Whether the pane needs the width of the whole page, so that the conversation is hidden beside it. */
  readonly isWide?: boolean;
}

/** A part of a message that the user writes, as UTF-16 offsets. `isFollowed`: whether it will be done. */
export interface TextMark {
  readonly start: number;
  readonly end: number;
  readonly isFollowed: boolean;
}

/** Returns how the text of a message about a part of the project begins. */
export const messagePrefix = (label: string): string => `${label}: `;

/** What a kind adds to the message that the user writes. */
export interface MessageAddition {
  /** The part of the project that the message is about. Its text begins with the label. `null` for the whole project. */
  readonly about: { readonly label: string; readonly clearLabel: string; readonly clear: () => void } | null;
  /** Parts of the message to mark, in order and without overlaps. */
  readonly marks: readonly TextMark[];
  /** Shown below the message box: what the message will do. */
  readonly effect: ReactNode;
  /** Why no message can be sent. `null` if one can. */
  readonly problem: string | null;
  /** Called before the message is sent, to store what it refers to. */
  readonly prepare: () => Promise<void>;
}

/** Properties of a project's result that a render depends on. Times are in seconds. */
export interface RenderSubject {
  readonly aspect: Aspect;
  readonly fps: number;
  readonly durationSeconds: number;
  readonly scenes: readonly {
    readonly id: string;
    readonly title: string;
    readonly startSeconds: number;
    readonly durationSeconds: number;
  }[];
}

/** What the project page shows differently for each kind of project. */
export interface KindPage {
  /** Where the user may write. */
  readonly writableRoots: readonly string[];
  /** Empty if there is only the conversation. */
  readonly tabs: readonly PaneTab[];
  /** Name of the panes where they and the conversation do not fit beside each other. */
  readonly panesLabel: string;
  /** Returns the most relevant tab for the project's phase. */
  readonly suggestedTab: (view: ProjectView) => string;
  /** Identifies the content of the suggested tab. A different value means new content. */
  readonly contentKey: (view: ProjectView) => string;
  /** The phases that the top bar shows, in order, and their names where they differ from the usual ones. None in a conversation. */
  readonly steps: readonly Phase[];
  readonly stepNames: Partial<Record<Phase, string>>;
  /** Placeholder of the message box before the project has started. */
  readonly ideaHint: string;
  /** A hook that the message box calls with its text. */
  readonly useMessageAddition: (text: string) => MessageAddition;
  readonly PlanPanel: ComponentType<PanelProps>;
  readonly PreviewPanel: ComponentType<PanelProps>;
  readonly DonePanel: ComponentType<PanelProps>;
  /** Returns what a render of the planned result depends on. `null` if there is nothing to render. */
  readonly renderSubject: (plan: Plan) => RenderSubject | null;
}

/** Provided by the page of the project's kind, around the project page. */
export const KindPageContext = createContext<KindPage | null>(null);

export function useKindPage(): KindPage {
  const page = useContext(KindPageContext);
  if (!page) throw new Error('useKindPage works only inside the project page.');
  return page;
}
