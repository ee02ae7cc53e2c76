import { add, addStyle, addSvg, easeOut, height, loadFont, width } from './kit.ts';

/** A title sequence: text that appears letter by letter over drawn paths and rotating polygons. */

const periodSeconds = 3;
const words = ['Motion', 'is a function', 'of time'];
const starCount = 9;
const waveCount = 6;

const letters: { element: HTMLElement; delaySeconds: number }[] = [];
const stars: { element: SVGElement; x: number; y: number; turnsPerSecond: number }[] = [];
const waves: SVGPathElement[] = [];
let outline: SVGPathElement;
let subtitle: HTMLElement;

export async function mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  addStyle(
    root,
    `
    .text-scene { position: absolute; inset: 0; background: linear-gradient(120deg, #0b1026, #27124a 60%, #40163c); font-family: Bench; color: #fff; }
    .text-scene svg { position: absolute; inset: 0; }
    .line { position: absolute; left: 150px; font-size: 168px; font-weight: 800; letter-spacing: -0.03em; white-space: pre; line-height: 1; }
    .letter { display: inline-block; white-space: pre; will-change: transform; }
    .subtitle { position: absolute; left: 160px; top: 900px; font-size: 40px; font-weight: 400; color: #ffd9a8; }
  `,
  );
  await loadFont(assetUrl);
  const scene = add(root, 'text-scene');
  const svg = addSvg(scene, 'svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  for (let index = 0; index < waveCount; index++) {
    waves.push(addSvg(svg, 'path', { fill: 'none', stroke: `hsl(${200 + index * 25} 80% 65% / 0.55)`, 'stroke-width': 5 }));
  }
  for (let index = 0; index < starCount; index++) {
    const element = addSvg(svg, 'polygon', {
      points: starPoints(40 + (index % 3) * 30),
      fill: `hsl(${20 + index * 35} 90% 62%)`,
    });
    stars.push({
      element,
      x: 1150 + (index % 3) * 250,
      y: 180 + Math.floor(index / 3) * 290,
      turnsPerSecond: 0.15 + (index % 4) * 0.1,
    });
  }
  outline = addSvg(svg, 'path', {
    d: outlinePath(),
    fill: 'none',
    stroke: '#ffd166',
    'stroke-width': 10,
    'stroke-linecap': 'round',
    pathLength: 1,
  });
  words.forEach((word, row) => {
    const line = add(scene, 'line');
    line.style.top = `${230 + row * 195}px`;
    [...word].forEach((letter, column) => {
      letters.push({ element: add(line, 'letter', letter), delaySeconds: row * 0.25 + column * 0.05 });
    });
  });
  subtitle = add(scene, 'subtitle');
}

export function draw(seconds: number): void {
  const local = seconds % periodSeconds;
  for (const { element, delaySeconds } of letters) {
    const shown = easeOut((local - delaySeconds) / 0.6);
    const sway = Math.sin(seconds * 3 + delaySeconds * 9) * 6;
    element.style.transform = `translateY(${(1 - shown) * 140 + sway}px) rotate(${(1 - shown) * 18}deg)`;
    element.style.opacity = String(shown);
  }
  for (const { element, x, y, turnsPerSecond } of stars) {
    const scale = 1 + 0.25 * Math.sin(seconds * 4 + x);
    element.setAttribute('transform', `translate(${x} ${y}) rotate(${seconds * turnsPerSecond * 360}) scale(${scale})`);
  }
  waves.forEach((wave, index) => {
    wave.setAttribute('d', wavePath(seconds, index));
  });
  outline.setAttribute('stroke-dasharray', `${easeOut(local / 2.5)} 1`);
  subtitle.textContent = `frame at ${seconds.toFixed(3)} s · ${letters.length} letters · ${starCount} polygons`;
}

function starPoints(radius: number): string {
  return Array.from({ length: 10 }, (_, corner) => {
    const angle = (corner / 10) * Math.PI * 2;
    const distance = corner % 2 === 0 ? radius : radius * 0.45;
    return `${(Math.sin(angle) * distance).toFixed(2)},${(-Math.cos(angle) * distance).toFixed(2)}`;
  }).join(' ');
}

function outlinePath(): string {
  return `M120 180 H${width - 120} Q${width - 60} 180 ${width - 60} 240 V${height - 160} Q${width - 60} ${height - 100} ${width - 120} ${height - 100} H120 Q60 ${height - 100} 60 ${height - 160} V240 Q60 180 120 180 Z`;
}

function wavePath(seconds: number, index: number): string {
  const points = Array.from({ length: 49 }, (_, step) => {
    const x = (step / 48) * width;
    const y = 860 + index * 24 + Math.sin(x * 0.006 + seconds * (1.5 + index * 0.3) + index) * (50 - index * 4);
    return `${x.toFixed(1)} ${y.toFixed(2)}`;
  });
  return `M${points.join(' L')}`;
}
