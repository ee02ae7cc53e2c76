import type { Phase } from '../../../server/contract/project.ts';

export const phases = {
  idle: 'Idea',
  question: 'Question',
  plan: 'Plan',
  executing: 'Build',
  preview: 'Preview',
  complete: 'Done',
  error: 'Stopped',
} as const satisfies Record<Phase, string>;

/** What a project card says of a project. */
export const standing = {
  working: 'At work',
  stopped: 'Stopped by you',
  idle: 'Not started',
  question: 'Waits for your answer',
  plan: 'Plan to review',
  executing: 'Building',
  preview: 'Preview to review',
  complete: 'Finished',
  error: 'Needs attention',
} as const;

/** Before the name of the project, in the browser's tab. */
export const tab = {
  working: 'At work',
  waits: 'Your turn',
  failed: 'Needs attention',
  percent: (percent: number) => `${percent} %`,
} as const;

export const sandbox = {
  created: 'Sandbox asleep',
  ready: 'Sandbox ready',
  busy: 'Sandbox at work',
  stopped: 'Sandbox asleep',
} as const;

export const project = {
  back: 'All projects',
  loading: 'Opening the project…',
  notFoundTitle: 'This project is not here',
  notFoundText: 'It may have been deleted, or its address was not copied as a whole.',
  failedTitle: 'The project could not be opened',
  toHome: 'Back to all projects',
  rename: 'Rename project',
  conversation: 'Conversation',
  stage: 'Stage',
  panes: 'What to show',
  divider: 'Width of the conversation',
  dividerHint: 'Drag to make the conversation wider or narrower; double-click for the usual width',
  usualWidth: 'The usual width',
  width: (pixels: number) => `${pixels} pixels`,
  showConversation: 'Talk',
  showStage: 'Watch',
  reconnecting: 'The connection is lost. Trying again; nothing is lost.',
  outdated: 'Koda was updated while this page was open.',
  you: 'You',
  queued: 'Waits for the next step',
  jump: 'Jump to the newest',
} as const;
