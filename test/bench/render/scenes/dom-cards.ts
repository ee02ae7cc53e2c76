import { add, addStyle, height, loadFont, randomFrom, width } from './kit.ts';

/** Many elements: cards with gradients, shadows, text and bars, each rotating in 3D. */

const columns = 8;
const rows = 6;

interface Card {
  readonly element: HTMLElement;
  readonly value: HTMLElement;
  readonly bar: HTMLElement;
  readonly phase: number;
  readonly speed: number;
}

const cards: Card[] = [];
let ground: HTMLElement;

export async function mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  addStyle(
    root,
    `
    .cards { position: absolute; inset: 0; overflow: hidden; background: #10131f; font-family: Bench; color: #fff; perspective: 1600px; }
    .ground { position: absolute; inset: -200px; background: repeating-linear-gradient(45deg, #161b2e 0 40px, #1b2139 40px 80px); }
    .card { position: absolute; width: 200px; height: 140px; border-radius: 18px; padding: 16px; box-sizing: border-box; box-shadow: 0 18px 40px #000a, inset 0 1px 0 #fff5; }
    .card .title { font-size: 18px; font-weight: 600; opacity: 0.85; }
    .card .value { font-size: 44px; font-weight: 800; margin-top: 6px; font-variant-numeric: tabular-nums; }
    .card .track { height: 10px; border-radius: 5px; background: #0005; margin-top: 10px; overflow: hidden; }
    .card .bar { height: 100%; border-radius: 5px; background: linear-gradient(90deg, #fff, #fff6); transform-origin: left; }
  `,
  );
  await loadFont(assetUrl);
  const scene = add(root, 'cards');
  ground = add(scene, 'ground');
  const random = randomFrom(7);
  for (let index = 0; index < columns * rows; index++) {
    const element = add(scene, 'card');
    const hue = Math.round(random() * 360);
    element.style.left = `${((index % columns) + 0.5) * (width / columns) - 100}px`;
    element.style.top = `${(Math.floor(index / columns) + 0.5) * (height / rows) - 70}px`;
    element.style.background = `linear-gradient(135deg, hsl(${hue} 75% 55%), hsl(${(hue + 60) % 360} 70% 38%))`;
    add(element, 'title', `Channel ${index + 1}`);
    const value = add(element, 'value');
    const bar = add(add(element, 'track'), 'bar');
    cards.push({ element, value, bar, phase: random() * Math.PI * 2, speed: 0.8 + random() * 1.6 });
  }
}

export function draw(seconds: number): void {
  ground.style.transform = `translate(${(seconds * 60) % 113.137}px, 0)`;
  for (const { element, value, bar, phase, speed } of cards) {
    const angle = seconds * speed + phase;
    const lift = Math.sin(angle) * 24;
    element.style.transform = `translate3d(${Math.cos(angle * 0.7) * 14}px, ${lift}px, ${Math.sin(angle * 0.9) * 60}px) rotateY(${Math.sin(angle) * 28}deg) rotateZ(${Math.cos(angle) * 6}deg)`;
    const level = 0.5 + 0.5 * Math.sin(angle * 1.3);
    value.textContent = (level * 1000).toFixed(0);
    bar.style.transform = `scaleX(${level.toFixed(4)})`;
  }
}
