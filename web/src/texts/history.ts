export const history = {
  emptyTitle: 'No history yet',
  emptyText: 'Every state that is worth coming back to will be kept here.',
} as const;
