import { add, addStyle, addSvg, easeOut, loadFont, randomFrom } from './kit.ts';

/** A slide as in data films: bars and text that move in, change and hold. */

const barCount = 24;
const bars: { element: SVGRectElement; top: number; from: number; to: number }[] = [];
let title: HTMLElement;
let note: HTMLElement;
let dot: HTMLElement;

export async function mountSlide(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  addStyle(
    root,
    `
    .slide { position: absolute; inset: 0; overflow: hidden; background: radial-gradient(circle at 30% 20%, #fff7e6, #ffe2c2 70%); font-family: Bench; color: #2d1b12; }
    .slide .title { position: absolute; left: 120px; top: 90px; font-size: 110px; font-weight: 800; letter-spacing: -0.03em; }
    .slide .note { position: absolute; left: 124px; top: 240px; font-size: 40px; font-weight: 500; opacity: 0.75; }
    .slide svg { position: absolute; left: 0; top: 0; }
    .slide .dot { position: absolute; right: 160px; top: 110px; width: 180px; height: 180px; border-radius: 50%; background: conic-gradient(#e4572e, #f3a712, #a8c686, #669bbc, #e4572e); box-shadow: 0 20px 50px #0004; }
  `,
  );
  await loadFont(assetUrl);
  const slide = add(root, 'slide');
  const svg = addSvg(slide, 'svg', { width: 1920, height: 1080 });
  const random = randomFrom(21);
  for (let index = 0; index < barCount; index++) {
    const rect = { x: 120 + index * 71, width: 52, rx: 12, fill: `hsl(${15 + index * 8} 75% 55%)` };
    bars.push({ element: addSvg(svg, 'rect', rect), top: 980, from: 80 + random() * 500, to: 80 + random() * 500 });
  }
  title = add(slide, 'title', 'Four holds out of ten');
  note = add(slide, 'note');
  dot = add(slide, 'dot');
}

/** `moment`: seconds of motion, which stop while the slide holds. */
export function drawSlide(moment: number): void {
  const rise = easeOut(moment / 0.9);
  const change = easeOut((moment - 0.9) / 0.9);
  bars.forEach(({ element, top, from, to }, index) => {
    const height = (from + (to - from) * change) * rise + Math.sin(moment * 5 + index) * 12 + 14;
    write(element, 'y', (top - height).toFixed(2));
    write(element, 'height', height.toFixed(2));
  });
  title.style.transform = `translateX(${Math.sin(moment * 2) * 20}px)`;
  const steps = `${(moment * 100).toFixed(0)} of 180 steps`;
  if (note.textContent !== steps) note.textContent = steps;
  dot.style.transform = `rotate(${moment * 120}deg)`;
}

/** Skips unchanged values, as React does, because a browser redraws what was written even if it is equal. */
function write(element: SVGElement, attribute: string, value: string): void {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}
