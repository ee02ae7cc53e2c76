export const terminal = {
  asleepTitle: 'The terminal needs a sandbox',
  asleepText: 'It starts with the next step of the work.',
} as const;
