import type { TodoDraft } from '../../projects/kind.ts';

/** Keys of the steps of a build. */
export const appTodos = {
  validate: 'validate',
  analyse: 'analyse',
  generate: 'generate',
  write: 'write',
  install: 'install',
  restart: 'restart',
  verify: 'verify',
} as const;

/** Prepares the running app and looks at it. */
export const closingTodos: readonly TodoDraft[] = [
  { key: appTodos.restart, title: 'Restart' },
  { key: appTodos.verify, title: 'Verify' },
];

export const buildTodos: readonly TodoDraft[] = [
  { key: appTodos.validate, title: 'Validate' },
  { key: appTodos.analyse, title: 'Analyse' },
  { key: appTodos.generate, title: 'Generate' },
  { key: appTodos.write, title: 'Write' },
  { key: appTodos.install, title: 'Install' },
  ...closingTodos,
];
