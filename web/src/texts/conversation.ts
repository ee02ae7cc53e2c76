import type { Phase, TodoStatus } from '../../../server/contract/project.ts';

export const conversation = {
  earlier: (count: number) => `Show earlier (${count.toLocaleString('en')})`,
  unfold: (characters: number) => `Show all ${characters.toLocaleString('en')} characters`,
  fold: 'Show less',
  copy: 'Copy the message',
  copied: 'Copied',
  withdraw: 'Take it back',
  notCopied: 'The browser does not let this page copy. Mark the text and copy it by hand.',
} as const;

export const work = {
  todos: 'Steps',
  todosDone: (done: number, total: number) => `${done} of ${total} done`,
  todoStatus: { pending: 'to do', active: 'in progress', done: 'done', failed: 'failed' } satisfies Record<TodoStatus, string>,
  attempt: (count: number) => `attempt ${count}`,
  tools: (count: number) => (count === 1 ? '1 action' : `${count} actions`),
  toolsFailed: (count: number) => `${count} failed`,
  toolRunning: 'running',
  toolWaits: 'not finished',
  toolStopped: 'stopped',
  details: { tool: 'Tool', aim: 'To do', done: 'Done', started: 'Began', took: 'Took', error: 'Error' },
  stopKeys: 'Stop (Escape twice)',
  escapeAgain: 'Press Escape again to stop the work.',
  working: 'Working…',
  usage: {
    total: (tokens: number) => `${tokens.toLocaleString('en')} ${tokens === 1 ? 'token' : 'tokens'}`,
    read: 'Read by the model',
    cached: '– from its cache',
    written: 'Written by the model',
    cost: 'Cost, by list prices',
  },
} as const;

export const gates = {
  question: 'One question before I plan',
  questionHint: 'Or say it in your own words below.',
  plan: (scenes: number, length: string) => `The plan is ready: ${scenes === 1 ? '1 scene' : `${scenes} scenes`}, ${length}`,
  planHint: 'Nothing is built before you accept.',
  acceptPlan: 'Accept plan',
  changePlan: 'Ask for changes',
  rejectPlan: 'Reject',
  viewPlan: 'View the storyboard',
  preview: 'How is it?',
  previewHint: 'Accept it, or say what should be different.',
  acceptPreview: 'Accept preview',
  feedback: 'Give feedback',
  watch: 'Watch the preview',
  errorTitle: 'This step did not work',
  copyError: 'Copy what went wrong',
  stopped: { title: 'Stopped', text: 'The work was stopped. Everything that was finished is kept.', goOn: 'Try again' },
  userStop: {
    title: 'You stopped this',
    text: 'Everything that was finished is kept. Go on where it was, or say what to do differently.',
    goOn: 'Go on',
  },
  retry: 'Try again',
  doneTitle: 'Finished',
  doneText: 'Render the final video, or describe a change.',
  renderFinal: 'Render final video',
} as const;

export const composer = {
  tooLong: (count: number, limit: number) =>
    `${count.toLocaleString('en')} of ${limit.toLocaleString('en')} characters: shorten it a little.`,
  unmended: 'Your edits of the plan go along with your words: mend the plan first, or discard the edits.',
  label: 'Message',
  send: 'Send',
  stop: 'Stop',
  attach: 'Add files',
  hints: {
    idle: 'Describe your animation…',
    question: 'Answer in your own words…',
    plan: 'What should change in the plan?',
    executing: 'A wish for the next step…',
    preview: 'What should be different?',
    complete: 'Describe a change…',
    error: 'Say what to do differently…',
  } satisfies Record<Phase, string>,
} as const;
