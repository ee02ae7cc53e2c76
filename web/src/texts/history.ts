import type { FileDiff } from '../../../server/contract/history.ts';

const files = (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** A title may hold quotes itself: those inside are single ones. */
const quoted = (title: string) => `“${title.replaceAll('“', '‘').replaceAll('”', '’')}”`;

export const history = {
  title: 'History',
  emptyTitle: 'No history yet',
  emptyText: 'Every state that is worth coming back to will be kept here.',
  loading: 'Reading the history…',
  list: 'Checkpoints, the newest first',
  today: 'Today',
  yesterday: 'Yesterday',
  newest: 'Now',
  changed: (count: number) => (count === 0 ? 'no files changed' : files(count)),
  more: 'Reading more…',
  retry: 'Try again',

  keep: 'Keep this state',
  keepTitle: 'Keep this state',
  keepText: 'The files as they are now get a name, so that you find them again.',
  keepName: 'Name',
  keepPlaceholder: 'Before the new title',
  keepAction: 'Keep',
  keeping: 'Keeping…',
  kept: (name: string) => `Kept as ${quoted(name)}.`,

  clone: 'Copy the address for git clone',
  cloneCopied: 'The address for git clone is copied.',
  cloneByHand: (url: string) => `Copy it by hand: ${url}`,

  back: 'Back to the list',
  detail: 'The chosen checkpoint',
  restore: 'Restore',
  branch: 'New project from here',
  branching: 'Making the project…',
  download: 'Download zip',

  compare: 'Compare with',
  compareBefore: 'The one before',
  compareNow: 'Now',
  compareOthers: 'Another checkpoint',
  captions: {
    before: 'What changed in it',
    now: 'What has changed since then',
    since: (older: string, newer: string) => `From ${quoted(older)} to ${quoted(newer)}`,
  },

  /** The title of a checkpoint is a sentence, and may quote something itself. */
  restoreTitle: 'Restore this state?',
  restoreLooking: 'Looking at what would change…',
  restoreNothing: 'The files are those already: nothing would change.',
  restoreChanges: (count: number) => `${files(count)} will change:`,
  restoreMore: (count: number) => `and ${files(count)} more`,
  restoreNote:
    'The plan goes back with the files. Messages, uploads and videos stay. The files as they are now are kept, so you can undo this.',
  restoreBusy: 'The agent is at work on these files. Wait until it has finished, or stop it and restore.',
  restoreAction: 'Restore',
  restoring: 'Restoring…',
  stopAndRestore: 'Stop and restore',
  stopping: 'Stopping…',
  stopSlow: 'The work has not stopped yet, so nothing was restored. Try again in a moment.',
  notRestored: (reason: string) => `Nothing was restored: ${reason}`,
  restored: (title: string) => `${quoted(title)} is restored.`,
  restoredAlready: 'The files are those already.',
  undone: 'Undone: the files are as they were before.',
  undoLost: 'Choose the checkpoint before it in the list, and restore that one.',
  undoFailed: (reason: string) => `It was not undone: ${reason}`,

  diff: 'Changes',
  diffLoading: 'Comparing…',
  diffNone: 'No file differs.',
  diffMore: (count: number) => `… and ${files(count)} more. Clone the project to see all of them.`,
  openAll: 'Open all',
  closeAll: 'Close all',
  summary: (count: number) => (count === 1 ? '1 file differs' : `${count.toLocaleString('en')} files differ`),
  status: { added: 'added', modified: 'changed', deleted: 'deleted', renamed: 'renamed' } satisfies Record<
    FileDiff['status'],
    string
  >,
  lines: (added: number, deleted: number) =>
    `${added} ${added === 1 ? 'line' : 'lines'} added, ${deleted} ${deleted === 1 ? 'line' : 'lines'} removed`,
  binary: 'binary',
  binaryNote: 'This file is not text: its lines cannot be compared.',
  noLinesNote: 'None of its lines differ: only its name, its mode or an empty file.',
  cutNote: 'The difference is longer than what is shown. Clone the project to see all of it.',
  fileLoading: 'Comparing the lines…',
  gap: (line: number) => `line ${line}`,
  noNewline: 'No line break at the end of the file',
} as const;
