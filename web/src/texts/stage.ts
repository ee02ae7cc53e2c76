export const stage = {
  tabs: { code: 'Code', history: 'History' },
  noPlanTitle: 'No plan yet',
  noPlanText: 'The scenes appear here on a timeline.',
  planning: 'Laying out the scenes…',
} as const;
