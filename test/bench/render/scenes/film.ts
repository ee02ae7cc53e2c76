import {
  type Count,
  cssValue,
  type Ease,
  type FilmData,
  fontFaces,
  type Part,
  type Property,
  type Tween,
} from '../films/film.ts';

/** Draws a film as a plain page: elements whose transform and opacity are written for every frame. */

const eases: Readonly<Record<Ease, (t: number) => number>> = {
  linear: (t) => t,
  in: (t) => t ** 3,
  out: (t) => 1 - (1 - t) ** 5,
  inOut: (t) => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2),
  spring: (t) => 1 + 2.7 * (t - 1) ** 3 + 1.7 * (t - 1) ** 2,
};

interface Moving {
  readonly element: HTMLElement;
  readonly part: Part;
}

export function playFilm(film: FilmData) {
  const moving: Moving[] = [];

  const addPart = (parent: Element, part: Part): void => {
    const element = document.createElement('div');
    element.style.position = 'absolute';
    for (const [property, value] of Object.entries(part.style)) {
      Object.assign(element.style, { [property]: cssValue(property, value) });
    }
    if (part.text !== undefined) element.textContent = part.text;
    if (part.html !== undefined) element.innerHTML = part.html;
    if (part.count ?? part.tweens ?? part.waves) moving.push({ element, part });
    for (const child of part.children ?? []) addPart(element, child);
    parent.append(element);
  };

  return {
    async mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
      const style = document.createElement('style');
      style.textContent = fontFaces(film, assetUrl);
      root.append(style);
      await Promise.all(film.fonts.map((name) => document.fonts.load(`40px "Film ${name}"`)));
      for (const part of film.parts) addPart(root, part);
    },
    draw(seconds: number): void {
      for (const { element, part } of moving) drawPart(element, part, seconds);
    },
  };
}

function drawPart(element: HTMLElement, { tweens = [], waves = [], count }: Part, seconds: number): void {
  const values = new Map<Property, number>();
  for (const tween of tweens) {
    // The last tween that has begun determines a property.
    if (seconds >= tween.at || !values.has(tween.property)) values.set(tween.property, valueAt(tween, seconds));
  }
  for (const { property, centre, amplitude, periodSeconds, phase } of waves) {
    values.set(property, centre + amplitude * Math.sin((2 * Math.PI * seconds) / periodSeconds + phase));
  }
  const of = (property: Property, otherwise: number) => values.get(property) ?? otherwise;
  const opacity = values.get('opacity');
  if (opacity !== undefined) element.style.opacity = String(opacity);
  if (values.size > (opacity === undefined ? 0 : 1)) {
    const scale = of('scale', 1);
    const scales = `${scale * of('scaleX', 1)}, ${scale * of('scaleY', 1)}`;
    element.style.transform = `translate(${of('x', 0)}px, ${of('y', 0)}px) rotate(${of('rotation', 0)}deg) scale(${scales})`;
  }
  if (count === undefined) return;
  const text = counted(count, eases.inOut(clamp((seconds - count.at) / count.seconds)));
  if (element.textContent !== text) element.textContent = text;
}

function valueAt({ from, to, at, seconds: length, ease }: Tween, seconds: number): number {
  return from + (to - from) * eases[ease](clamp((seconds - at) / length));
}

function clamp(t: number): number {
  return Math.min(1, Math.max(0, t));
}

/** Formats a counted value as in the product: with separators and fixed decimals. */
function counted({ from, to, decimals }: Count, progress: number): string {
  const value = from + (to - from) * progress;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
