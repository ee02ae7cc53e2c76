export const plan = {
  revision: (revision: number) => `Version ${revision}`,
  accepted: 'Accepted',
  proposed: 'Proposed',
  scene: (number: number) => `Scene ${number}`,
  motion: 'Motion',
  ruler: 'Scenes on the ruler of time',
  styles: { playful: 'Playful', smooth: 'Smooth', cinematic: 'Cinematic' },
  fps: (fps: number) => `${fps} fps`,
} as const;
