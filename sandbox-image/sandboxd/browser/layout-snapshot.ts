import { z } from 'zod';

/**
 * What stands where on a page at one moment, as the page itself says: texts, pictures and painted boxes with their
 * place in the frame. Judged by `layout-findings.ts`.
 */

const boxSchema = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
/** In CSS pixels of the frame, from its top left corner. */
export type Box = z.infer<typeof boxSchema>;

const itemSchema = z.object({
  /** The same for the same element at every moment. */
  id: z.int(),
  selector: z.string().max(300),
  box: boxSchema,
  /** Product over all ancestors, 0…1. */
  opacity: z.number(),
});

export const layoutSnapshotSchema = z.object({
  /** One for each block of text, whatever inline elements it is cut into. */
  texts: z
    .array(
      itemSchema.extend({
        text: z.string().max(200),
        /** As drawn: with all transforms. */
        fontPx: z.number(),
        /** Height of one line's glyph area, as drawn. */
        linePx: z.number(),
        /** Turned, skewed or in perspective: its box is larger than the text. */
        turned: z.boolean(),
        /** Of the glyphs, 0…255; null where they are not of one colour. */
        color: z.tuple([z.number(), z.number(), z.number()]).nullable(),
        /** What its ancestors leave visible of the page; null = everything. */
        clip: boxSchema.nullable(),
        /** The nearest painted box that it stands in, in flow. */
        container: boxSchema.nullable(),
        /** Of the element around it: siblings are parts of one thing. */
        parentId: z.int(),
      }),
    )
    .max(400),
  /** `picture`: an image, a video, a drawing. `paint`: an element with a background or border of its own. */
  shapes: z.array(itemSchema.extend({ kind: z.enum(['picture', 'paint']), group: z.string().max(300) })).max(400),
});
export type LayoutSnapshot = z.infer<typeof layoutSnapshotSchema>;
export type TextItem = LayoutSnapshot['texts'][number];
export type ShapeItem = LayoutSnapshot['shapes'][number];

/** Answers with a `LayoutSnapshot`. Leaves the page as it was. */
export const layoutSnapshotExpression = `(() => {
  const maxItems = 400;
  const ids = (window.__kodaLayoutIds ??= { byElement: new WeakMap(), last: 0 });
  const idOf = (element) => {
    if (!ids.byElement.has(element)) ids.byElement.set(element, ++ids.last);
    return ids.byElement.get(element);
  };
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const memoized = (compute) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, compute(element));
      return known.get(element);
    };
  };
  const opacityOf = memoized((element) => {
    const own = Number(styleOf(element).opacity);
    return element.parentElement ? own * opacityOf(element.parentElement) : own;
  });
  const isShown = memoized((element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }));

  const nameOf = (element) => {
    const id = element.id ? '#' + element.id : '';
    const classes = typeof element.className === 'string' ? element.className.trim().split(/\\s+/).filter(Boolean) : [];
    return (element.tagName.toLowerCase() + id + classes.slice(0, 2).map((name) => '.' + name).join('')).slice(0, 80);
  };
  const selectorOf = (element) => {
    const parts = [];
    for (let at = element; at && at !== document.body && parts.length < 3; at = at.parentElement) {
      parts.unshift(nameOf(at));
      if (at.id) break;
    }
    return parts.join(' > ');
  };
  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const join = (one, other) => ({
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  });

  /** The linear part of all transforms on the way up. */
  const matrixOf = memoized((element) => {
    const { transform, rotate, scale } = styleOf(element);
    const above = element.parentElement ? matrixOf(element.parentElement) : new DOMMatrix();
    const own = new DOMMatrix();
    if (rotate && rotate !== 'none') own.rotateSelf(...(/^[-\\d.]+deg$/.test(rotate) ? [parseFloat(rotate)] : [45]));
    if (scale && scale !== 'none') own.scaleSelf(...scale.split(' ').map(Number));
    if (transform && transform !== 'none') own.multiplySelf(new DOMMatrix(transform));
    return above.multiply(own);
  });
  const drawnScale = (element) => {
    const svg = element.closest('svg');
    const screen = svg && element.getScreenCTM?.();
    const { a, b, c, d, is2D } = screen || matrixOf(element);
    return { scale: Math.sqrt(Math.abs(a * d - b * c)), turned: is2D === false || Math.abs(b) > 0.02 || Math.abs(c) > 0.02 };
  };

  const swatch = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = memoized((color) => {
    swatch.clearRect(0, 0, 1, 1);
    swatch.fillStyle = color;
    swatch.fillRect(0, 0, 1, 1);
    return [...swatch.getImageData(0, 0, 1, 1).data];
  });
  const alphaOf = (color) => rgba(color)[3] / 255;
  const edges = ['Top', 'Right', 'Bottom', 'Left'];
  const isPainted = memoized((element) => {
    const style = styleOf(element);
    return (
      alphaOf(style.backgroundColor) > 0.05 ||
      (style.backgroundImage !== 'none' && style.backgroundClip !== 'text') ||
      edges.some((edge) => style['border' + edge + 'Style'] !== 'none' && parseFloat(style['border' + edge + 'Width']) > 0)
    );
  });

  /** What is left of the page where an element is drawn; 'masked' = a shape that a box does not describe. */
  const clipOf = memoized((element) => {
    let clip = null;
    let masked = false;
    let position = styleOf(element).position;
    for (let at = element; at; at = at.parentElement) {
      const style = styleOf(at);
      if (style.clipPath !== 'none' || (style.maskImage && style.maskImage !== 'none')) masked = true;
      const transformed = style.transform !== 'none' || style.contain !== 'none' || style.containerType !== 'normal';
      const holds =
        at === element || (position !== 'absolute' && position !== 'fixed') || transformed ||
        (position === 'absolute' && style.position !== 'static');
      if (!holds) continue;
      if (at !== element) position = style.position;
      const [clipsX, clipsY] = [style.overflowX !== 'visible', style.overflowY !== 'visible'];
      if (!clipsX && !clipsY) continue;
      const area = at.getBoundingClientRect();
      const around = {
        left: clipsX ? area.left : -1e6,
        top: clipsY ? area.top : -1e6,
        right: clipsX ? area.right : 1e6,
        bottom: clipsY ? area.bottom : 1e6,
      };
      clip = clip
        ? {
            left: Math.max(clip.left, around.left),
            top: Math.max(clip.top, around.top),
            right: Math.min(clip.right, around.right),
            bottom: Math.min(clip.bottom, around.bottom),
          }
        : around;
    }
    return { clip, masked };
  });
  const containerOf = (block) => {
    for (let at = block; at && at !== document.body; at = at.parentElement) {
      if (at.tagName !== 'svg' && !(at instanceof SVGElement) && isPainted(at)) {
        const area = at.getBoundingClientRect();
        return area.width < innerWidth * 0.98 || area.height < innerHeight * 0.98 ? box(area) : null;
      }
      const style = styleOf(at);
      if (style.position === 'absolute' || style.position === 'fixed' || style.transform !== 'none') return null;
    }
    return null;
  };
  const blockOf = memoized((element) => {
    if (element instanceof SVGElement) return element.closest('text') ?? element;
    let at = element;
    while (at.parentElement && at !== document.body && /^(inline|contents|ruby)/.test(styleOf(at).display)) at = at.parentElement;
    return at;
  });

  const texts = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node && texts.size < maxItems; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || node.data.trim() === '' || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|TITLE)$/.test(element.tagName)) continue;
    if (!isShown(element) || opacityOf(element) < 0.05) continue;
    const style = styleOf(element);
    const ownColor = element instanceof SVGElement ? style.fill : style.webkitTextFillColor || style.color;
    const paint = /^(none|url)/.test(ownColor) ? [0, 0, 0, 0] : rgba(ownColor);
    const filled = paint[3] > 12;
    if (!filled && style.backgroundClip !== 'text' && !/^url/.test(ownColor)) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
    if (rects.length === 0) continue;
    const block = blockOf(element);
    const area = rects.map(box).reduce(join);
    const opacity = opacityOf(element) * (filled ? paint[3] / 255 : 1);
    const before = texts.get(block);
    if (before) {
      before.box = join(before.box, area);
      before.opacity = Math.min(before.opacity, opacity);
      before.text = (before.text + node.data).slice(0, 200);
      if (before.color && before.color.some((part, index) => Math.abs(part - paint[index]) > 8)) before.color = null;
      continue;
    }
    const { scale, turned } = drawnScale(element);
    const { clip, masked } = clipOf(element);
    texts.set(block, {
      id: idOf(block),
      selector: selectorOf(block),
      box: area,
      opacity,
      text: node.data.slice(0, 200),
      fontPx: parseFloat(style.fontSize) * scale,
      linePx: rects[0].height,
      turned,
      color: filled && style.mixBlendMode === 'normal' ? paint.slice(0, 3) : null,
      clip: masked ? null : clip,
      container: containerOf(block),
      parentId: block.parentElement ? idOf(block.parentElement) : 0,
    });
  }

  // Hit tests pass what takes no pointer; for these, everything takes it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { pointer-events: auto !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const isCovered = (block, { left, top, right, bottom }) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    for (const above of document.elementsFromPoint(x, y)) {
      if (above === block || above.contains(block) || block.contains(above)) return false;
      const style = styleOf(above);
      const opaque = alphaOf(style.backgroundColor) > 0.95 || /^(IMG|VIDEO)$/.test(above.tagName);
      if (opaque && opacityOf(above) > 0.95) return true;
    }
    return false;
  };
  const shownTexts = [...texts].filter(([block, item]) => !isCovered(block, item.box)).map(([, item]) => item);
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);

  const shapes = [];
  for (const element of document.body.getElementsByTagName('*')) {
    if (shapes.length >= maxItems) break;
    const isPicture = /^(IMG|VIDEO|CANVAS|svg)$/.test(element.tagName);
    if (!isPicture && (element instanceof SVGElement || /^(SCRIPT|STYLE|TEMPLATE)$/.test(element.tagName))) continue;
    if (!isShown(element) || opacityOf(element) < 0.1 || (!isPicture && !isPainted(element))) continue;
    const area = element.getBoundingClientRect();
    if (area.width < 1 || area.height < 1) continue;
    shapes.push({
      id: idOf(element),
      selector: selectorOf(element),
      box: box(area),
      opacity: opacityOf(element),
      kind: isPicture ? 'picture' : 'paint',
      group: (element.parentElement ? idOf(element.parentElement) : 0) + ' ' + nameOf(element),
    });
  }
  return {
    texts: shownTexts.map((item) => ({ ...item, text: item.text.replace(/\\s+/g, ' ').trim().slice(0, 80) })),
    shapes: shapes.map((shape) => ({ ...shape, group: shape.group.slice(0, 120) })),
  };
})()`;
