/** Helpers for the scenes: elements, styles, the font, repeatable randomness, easing. */

export const width = 1920;
export const height = 1080;

/** mulberry32: the same numbers for the same seed on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function add(parent: Element, className: string, text = ''): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function addSvg<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent.append(element);
  return element;
}

export function addStyle(root: HTMLElement, css: string): void {
  const style = document.createElement('style');
  style.textContent = css;
  root.append(style);
}

export async function loadFont(assetUrl: (name: string) => string): Promise<void> {
  const face = new FontFace('Bench', `url(${JSON.stringify(assetUrl('inter.woff2'))})`, { weight: '100 900' });
  document.fonts.add(await face.load());
}

/** Loads an image and resolves once it is decoded. It is decoded again synchronously if the browser has discarded it. */
export async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.decoding = 'sync';
  image.src = url;
  await image.decode();
  return image;
}

export function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Eases out: fast at first, then slower. `t` is from 0 to 1. */
export function easeOut(t: number): number {
  return 1 - (1 - clamp01(t)) ** 3;
}

export function lerp(from: number, to: number, t: number): number {
  return from + (to - from) * t;
}
