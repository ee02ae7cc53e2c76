import * as scene1 from './scenes/scene-1.tsx';
import type { FilmDefinition } from './stage/film-definition.ts';
import { theme } from './theme.ts';

export const film: FilmDefinition = {
  title: 'Koda',
  durationSeconds: 4,
  fps: 60,
  width: 1920,
  height: 1080,
  view: { width: 16, height: 9, groundY: -2.7 },
  theme,
  scenes: [
    {
      id: 'scene-1',
      startSeconds: 0,
      durationSeconds: 4,
      background: { top: theme.palette.backgroundTop, bottom: theme.palette.backgroundBottom },
      World: scene1.World,
      Overlay: scene1.Overlay,
    },
  ],
};
