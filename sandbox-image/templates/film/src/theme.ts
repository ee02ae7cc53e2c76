import type { Theme } from './stage/film-definition.ts';

export const theme: Theme = {
  style: 'smooth',
  seed: 1,
  palette: {
    backgroundTop: '#f4f2ee',
    backgroundBottom: '#dcd8d1',
    ink: '#2b2d33',
    accent: '#e2654a',
    helper: '#8fa6c4',
  },
};
