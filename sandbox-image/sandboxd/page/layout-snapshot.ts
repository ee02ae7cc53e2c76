import type { Box, LayoutSnapshot, ShapeItem, TextItem } from './protocol.ts';

const maxItems = 400;
const unbounded = 1e6;

const ids = new WeakMap<Element, number>();
let lastId = 0;

export function layoutSnapshot(): LayoutSnapshot {
  const reading = new SnapshotReader();
  return { texts: reading.texts(), shapes: reading.shapes() };
}

function idOf(element: Element | null): number {
  if (!element) return 0;
  const known = ids.get(element);
  if (known !== undefined) return known;
  ids.set(element, ++lastId);
  return lastId;
}

function nameOf(element: Element): string {
  const id = element.id ? `#${element.id}` : '';
  const classes = typeof element.className === 'string' ? element.className.trim().split(/\s+/).filter(Boolean) : [];
  const shown = classes.slice(0, 2).map((name) => `.${name}`);
  return (element.tagName.toLowerCase() + id + shown.join('')).slice(0, 80);
}

function selectorOf(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at && at !== document.body && parts.length < 3; at = at.parentElement) {
    parts.unshift(nameOf(at));
    if (at.id) break;
  }
  return parts.join(' > ');
}

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });
const join = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});
const meet = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

type Rgba = readonly [number, number, number, number];
const clear: Rgba = [0, 0, 0, 0];

/** Converts any CSS colour to RGBA bytes by drawing it. */
function colourReader(): (colour: string) => Rgba {
  const swatch = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return memoized((colour) => {
    if (!swatch) return clear;
    swatch.clearRect(0, 0, 1, 1);
    swatch.fillStyle = colour;
    swatch.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = swatch.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha];
  });
}

/** Caches computed styles and derived values for one snapshot. */
class SnapshotReader {
  readonly #range = document.createRange();
  readonly #rgba = colourReader();
  readonly #styleOf = memoized((element: Element) => getComputedStyle(element));
  readonly #opacityOf: (element: Element) => number = memoized((element) => {
    const own = Number(this.#styleOf(element).opacity);
    return element.parentElement ? own * this.#opacityOf(element.parentElement) : own;
  });
  readonly #isShown = memoized((element: Element) =>
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }),
  );
  readonly #isPainted = memoized((element: Element) => {
    const style = this.#styleOf(element);
    const borders = ['top', 'right', 'bottom', 'left'].map((edge) => ({
      style: style.getPropertyValue(`border-${edge}-style`),
      width: parseFloat(style.getPropertyValue(`border-${edge}-width`)),
    }));
    return (
      this.#alphaOf(style.backgroundColor) > 0.05 ||
      (style.backgroundImage !== 'none' && style.backgroundClip !== 'text') ||
      borders.some((border) => border.style !== 'none' && border.width > 0)
    );
  });
  /** The linear part of the combined transforms of an element and its ancestors. */
  readonly #matrixOf: (element: Element) => DOMMatrix = memoized((element) => {
    const { transform, rotate, scale } = this.#styleOf(element);
    const above = element.parentElement ? this.#matrixOf(element.parentElement) : new DOMMatrix();
    const own = new DOMMatrix();
    if (rotate && rotate !== 'none') own.rotateSelf(/^[-\d.]+deg$/.test(rotate) ? parseFloat(rotate) : 45);
    if (scale && scale !== 'none') own.scaleSelf(...scale.split(' ').map(Number));
    if (transform && transform !== 'none') own.multiplySelf(new DOMMatrix(transform));
    return above.multiply(own);
  });

  texts(): TextItem[] {
    const found = new Map<Element, TextItem>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && found.size < maxItems; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element) this.#addText(found, element, node);
    }
    // Hit tests skip elements with `pointer-events: none`, so this overrides it.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { pointer-events: auto !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const shown = [...found].filter(([block, item]) => !this.#isCovered(block, item.box));
    for (const [block, item] of shown) item.touched = this.#touchedBy(block, item);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    return shown.map(([, item]) => ({ ...item, text: item.text.replace(/\s+/g, ' ').trim().slice(0, 80) }));
  }

  shapes(): ShapeItem[] {
    const found: ShapeItem[] = [];
    for (const element of document.body.getElementsByTagName('*')) {
      if (found.length >= maxItems) break;
      const isImage = /^(IMG|VIDEO|CANVAS|svg)$/.test(element.tagName);
      if (!isImage && (element instanceof SVGElement || /^(SCRIPT|STYLE|TEMPLATE)$/.test(element.tagName))) continue;
      const opacity = this.#isShown(element) ? this.#opacityOf(element) : 0;
      if (opacity < 0.1 || (!isImage && !this.#isPainted(element))) continue;
      const area = element.getBoundingClientRect();
      if (area.width < 1 || area.height < 1) continue;
      found.push({
        id: idOf(element),
        selector: selectorOf(element),
        box: boxOf(area),
        opacity,
        kind: isImage ? 'image' : 'paint',
        group: `${idOf(element.parentElement)} ${nameOf(element)}`.slice(0, 120),
      });
    }
    return found;
  }

  #addText(found: Map<Element, TextItem>, element: Element, node: Node): void {
    const text = node.nodeValue ?? '';
    if (text.trim() === '' || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|TITLE)$/.test(element.tagName)) return;
    if (!this.#isShown(element) || this.#opacityOf(element) < 0.05) return;
    const style = this.#styleOf(element);
    const ownColour = element instanceof SVGElement ? style.fill : style.webkitTextFillColor || style.color;
    const [red, green, blue, alpha] = /^(none|url)/.test(ownColour) ? clear : this.#rgba(ownColour);
    const filled = alpha > 12;
    if (!filled && style.backgroundClip !== 'text' && !/^url/.test(ownColour)) return;
    this.#range.selectNodeContents(node);
    const rects = [...this.#range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
    const [first] = rects;
    if (!first) return;
    const block = this.#blockOf(element);
    const box = rects.map(boxOf).reduce(join);
    const opacity = this.#opacityOf(element) * (filled ? alpha / 255 : 1);
    const before = found.get(block);
    if (before) {
      before.box = join(before.box, box);
      before.opacity = Math.min(before.opacity, opacity);
      before.text = (before.text + text).slice(0, 200);
      const [otherRed, otherGreen, otherBlue] = before.color ?? [red, green, blue];
      if ([otherRed - red, otherGreen - green, otherBlue - blue].some((difference) => Math.abs(difference) > 8))
        before.color = null;
      return;
    }
    found.set(block, {
      id: idOf(block),
      selector: selectorOf(block),
      box,
      opacity,
      text: text.slice(0, 200),
      ...this.#sizeOf(element, style),
      linePx: first.height,
      color: filled && style.mixBlendMode === 'normal' ? [red, green, blue] : null,
      clip: this.#clipOf(element),
      container: this.#containerOf(block),
      parentId: idOf(block.parentElement),
      fitted: Number(element.closest<HTMLElement>('[data-fitted]')?.dataset['fitted'] ?? Number.NaN) || null,
      touched: null,
    });
  }

  #sizeOf(element: Element, style: CSSStyleDeclaration): Pick<TextItem, 'fontPx' | 'rotated'> {
    const screen = element instanceof SVGGraphicsElement && element.closest('svg') ? element.getScreenCTM() : null;
    const matrix = screen ?? this.#matrixOf(element);
    const { a, b, c, d } = matrix;
    const inSpace = 'is2D' in matrix && !matrix.is2D;
    return {
      fontPx: parseFloat(style.fontSize) * Math.sqrt(Math.abs(a * d - b * c)),
      rotated: inSpace || Math.abs(b) > 0.02 || Math.abs(c) > 0.02,
    };
  }

  #alphaOf(colour: string): number {
    return this.#rgba(colour)[3] / 255;
  }

  #blockOf(element: Element): Element {
    if (element instanceof SVGElement) return element.closest('text') ?? element;
    let at = element;
    while (at.parentElement && at !== document.body && /^(inline|contents|ruby)/.test(this.#styleOf(at).display))
      at = at.parentElement;
    return at;
  }

  /** Returns an element's visible area, or `null` if it is not clipped, or clipped to a shape other than a box. */
  #clipOf(element: Element): Box | null {
    let clip: Box | null = null;
    let masked = false;
    let { position } = this.#styleOf(element);
    for (let at: Element | null = element; at; at = at.parentElement) {
      const style = this.#styleOf(at);
      if (style.clipPath !== 'none' || (style.maskImage && style.maskImage !== 'none')) masked = true;
      if (at !== element && !containsPositioned(style, position)) continue;
      if (at !== element) position = style.position;
      const visible = overflowBox(at, style);
      if (visible) clip = clip ? meet(clip, visible) : visible;
    }
    return masked ? null : clip;
  }

  #containerOf(block: Element): Box | null {
    for (let at: Element | null = block; at && at !== document.body; at = at.parentElement) {
      if (!(at instanceof SVGElement) && this.#isPainted(at)) {
        const area = at.getBoundingClientRect();
        return area.width < innerWidth * 0.98 || area.height < innerHeight * 0.98 ? boxOf(area) : null;
      }
      const style = this.#styleOf(at);
      if (style.position === 'absolute' || style.position === 'fixed' || style.transform !== 'none') return null;
    }
    return null;
  }

  /**
   * Returns the drawing whose edge is under a title. A title completely on a drawing is on a card, and one beside it is beside
   * it.
   */
  #touchedBy(block: Element, { box, fontPx, linePx, opacity, rotated }: TextItem): TextItem['touched'] {
    if (fontPx < titleShare * innerHeight || opacity < 0.5 || rotated) return null;
    // Capitals and small letters, without the room above and below them.
    const air = Math.max(0, (linePx - 0.7 * fontPx) / 2);
    const hits = new Map<Element, number>();
    const count = samples.across * samples.down;
    for (let index = 0; index < count; index++) {
      const x = box.left + ((box.right - box.left) * ((index % samples.across) + 0.5)) / samples.across;
      const y = box.top + air + ((box.bottom - box.top - 2 * air) * (Math.floor(index / samples.across) + 0.5)) / samples.down;
      for (const drawing of document.elementsFromPoint(x, y)) {
        if (!(drawing instanceof SVGGeometryElement || drawing.tagName === 'IMG') || block.contains(drawing)) continue;
        if (this.#drawnOpacityOf(drawing) >= 0.5) hits.set(drawing, (hits.get(drawing) ?? 0) + 1);
      }
    }
    const [most] = [...hits].toSorted(([, one], [, other]) => other - one);
    if (most === undefined || most[1] > count * 0.9) return null;
    return { selector: selectorOf(most[0]), share: most[1] / count };
  }

  #drawnOpacityOf(drawing: Element): number {
    if (!this.#isShown(drawing)) return 0;
    const { fill, fillOpacity, stroke, strokeOpacity } = this.#styleOf(drawing);
    const filled =
      drawing.tagName === 'IMG'
        ? 1
        : Math.max(
            ...[
              [fill, fillOpacity],
              [stroke, strokeOpacity],
            ].map(([paint = 'none', alpha]) => (paint === 'none' ? 0 : Number(alpha))),
          );
    return this.#opacityOf(drawing) * filled;
  }

  #isCovered(block: Element, { left, top, right, bottom }: Box): boolean {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    for (const above of document.elementsFromPoint(x, y)) {
      if (above === block || above.contains(block) || block.contains(above)) return false;
      const isOpaque = this.#alphaOf(this.#styleOf(above).backgroundColor) > 0.95 || /^(IMG|VIDEO)$/.test(above.tagName);
      if (isOpaque && this.#opacityOf(above) > 0.95) return true;
    }
    return false;
  }
}

const titleShare = 0.05;
const samples = { across: 16, down: 4 };

/** Returns whether an ancestor is in a descendant's chain of containing blocks, given its position. */
function containsPositioned(ancestor: CSSStyleDeclaration, position: string): boolean {
  if (position !== 'absolute' && position !== 'fixed') return true;
  if (ancestor.transform !== 'none' || ancestor.contain !== 'none' || ancestor.containerType !== 'normal') return true;
  return position === 'absolute' && ancestor.position !== 'static';
}

function overflowBox(element: Element, style: CSSStyleDeclaration): Box | null {
  const [clipsX, clipsY] = [style.overflowX !== 'visible', style.overflowY !== 'visible'];
  if (!clipsX && !clipsY) return null;
  const area = element.getBoundingClientRect();
  return {
    left: clipsX ? area.left : -unbounded,
    top: clipsY ? area.top : -unbounded,
    right: clipsX ? area.right : unbounded,
    bottom: clipsY ? area.bottom : unbounded,
  };
}
