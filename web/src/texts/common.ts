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
  network: 'The server does not answer. Check that Koda is running, then try again.',
  unreadable: (status: number) => `The server gave an answer that this page cannot read (status ${status}). Reload the page.`,
  crashTitle: 'This page stumbled',
  crashText: 'Your project is safe on the server. Reload the page to go on.',
  reload: 'Reload',
  pageTitle: 'There is nothing at this address',
} as const;
