import { add, addStyle, loadFont } from './kit.ts';

/** CSS keyframes only: transforms, colours, corners, clip paths, filters and text shadows, each in its own loop. */

const tileCount = 60;
let animations: readonly Animation[] = [];

export async function mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  addStyle(
    root,
    `
    .loops { position: absolute; inset: 0; overflow: hidden; font-family: Bench; color: #fff; background: linear-gradient(90deg, #05202b, #0b3a3a, #05202b); background-size: 200% 100%; animation: slide 6s linear infinite; }
    .grid { position: absolute; inset: 60px; display: grid; grid-template-columns: repeat(10, 1fr); grid-template-rows: repeat(6, 1fr); gap: 24px; }
    .tile { background: #1fd1a5; animation-duration: calc(1.2s + var(--n) * 0.037s); animation-iteration-count: infinite; animation-timing-function: ease-in-out; animation-direction: alternate; animation-delay: calc(var(--n) * -0.21s); }
    .tile:nth-child(6n) { animation-name: spin; }
    .tile:nth-child(6n + 1) { animation-name: recolour; }
    .tile:nth-child(6n + 2) { animation-name: round; }
    .tile:nth-child(6n + 3) { animation-name: clip; }
    .tile:nth-child(6n + 4) { animation-name: hue; background: linear-gradient(45deg, #ff5d5d, #ffd35d, #5dff9b, #5da8ff); }
    .tile:nth-child(6n + 5) { animation-name: hop; }
    .headline { position: absolute; left: 0; right: 0; top: 440px; text-align: center; font-size: 150px; font-weight: 800; animation: breathe 2s ease-in-out infinite alternate; }
    @keyframes slide { to { background-position: -200% 0; } }
    @keyframes spin { to { transform: rotate(180deg) scale(0.6); } }
    @keyframes recolour { to { background-color: #ff4f8b; opacity: 0.4; } }
    @keyframes round { to { border-radius: 50%; transform: scale(0.8); } }
    @keyframes clip { from { clip-path: polygon(0 0, 100% 0, 100% 100%, 0 100%); } to { clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); } }
    @keyframes hue { to { filter: hue-rotate(360deg); } }
    @keyframes hop { to { transform: translateY(-60px) skewX(12deg); } }
    @keyframes breathe { from { transform: scale(0.94); letter-spacing: -0.02em; text-shadow: 0 0 10px #0008; } to { transform: scale(1.06); letter-spacing: 0.04em; text-shadow: 0 20px 40px #000c; } }
  `,
  );
  await loadFont(assetUrl);
  const scene = add(root, 'loops');
  const grid = add(scene, 'grid');
  for (let index = 0; index < tileCount; index++) add(grid, 'tile').style.setProperty('--n', String(index));
  add(scene, 'headline', 'Sixty-two loops');
  animations = document.getAnimations();
  for (const animation of animations) animation.pause();
}

export function draw(seconds: number): void {
  for (const animation of animations) animation.currentTime = seconds * 1000;
}
