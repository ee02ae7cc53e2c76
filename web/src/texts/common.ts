export const common = {
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  retry: 'Try again',
  undo: 'Undo',
  news: 'News',
  loading: 'Loading…',
} as const;

export const errors = {
  crashTitle: 'This page stumbled',
  crashText: 'Your project is safe on the server. Reload the page to go on.',
  reload: 'Reload',
  pageTitle: 'There is nothing at this address',
} as const;
