import type { TextRun } from '../gallery-window.ts';

export function textRuns(): TextRun[] {
  const frames = [...document.querySelectorAll<HTMLElement>('.layer')].filter((layer) => layer.style.visibility !== 'hidden');
  const blocks = new Map<Element, number>();
  return frames.flatMap(textNodes).flatMap((node) => {
    const element = node.parentElement;
    if (element === null || !isContent(element)) return [];
    const block = element.closest('.line, .line-clip, text') ?? element;
    if (!blocks.has(block)) blocks.set(block, blocks.size);
    return runsOf(node, element, blocks.get(block) ?? 0);
  });
}

function textNodes(frame: Element): Node[] {
  const nodes: Node[] = [];
  const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if ((node.textContent ?? '').trim() !== '') nodes.push(node);
  return nodes;
}

/** Hidden copies of a text are decoration, such as its shadow or outline. */
const isContent = (element: Element): boolean =>
  element.closest('style, defs') === null && element.closest('[aria-hidden]:not(svg)') === null;

function runsOf(node: Node, element: Element, block: number): TextRun[] {
  const range = document.createRange();
  range.selectNodeContents(node);
  const style = getComputedStyle(element);
  return [...range.getClientRects()]
    .filter((box) => box.width >= 1)
    .map((box) => {
      const { left, top, right, bottom } = element instanceof SVGElement ? inkOf(element, box) : box;
      return {
        text: node.textContent ?? '',
        left,
        top,
        right,
        bottom,
        size: Number.parseFloat(style.fontSize) * scaleOf(element),
        color: element instanceof SVGElement ? style.fill : style.color,
        opacity: opacityOf(element),
        clipped: clippedBy(element, new DOMRect(left, top, right - left, bottom - top)),
        block,
      };
    });
}

const canvas = document.createElement('canvas').getContext('2d');

/** Returns the box of the letters themselves, because text in a drawing is positioned by its ink, not by its line. */
function inkOf(element: Element, box: DOMRect): Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'> {
  if (canvas === null) return box;
  const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
  canvas.font = `${fontStyle} ${fontWeight} 100px ${fontFamily}`;
  const metrics = canvas.measureText(element.textContent ?? '');
  const scale = box.height / (metrics.fontBoundingBoxAscent + metrics.fontBoundingBoxDescent);
  const baseline = box.top + metrics.fontBoundingBoxAscent * scale;
  return {
    left: box.left - metrics.actualBoundingBoxLeft * scale,
    right: box.left + metrics.actualBoundingBoxRight * scale,
    top: baseline - metrics.actualBoundingBoxAscent * scale,
    bottom: baseline + metrics.actualBoundingBoxDescent * scale,
  };
}

function opacityOf(element: Element): number {
  let opacity = 1;
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const style = getComputedStyle(at);
    opacity *= Number(style.opacity);
    if (style.visibility === 'hidden') return 0;
  }
  return opacity;
}

/** Returns the viewport pixels per CSS pixel for the element. */
function scaleOf(element: Element): number {
  const frame = element.closest('.frame');
  if (!(frame instanceof HTMLElement)) return 1;
  return frame.getBoundingClientRect().width / frame.offsetWidth;
}

/** Returns the maximum part of a box that an ancestor clips. Lines that overhang by their font's leading do not count. */
function clippedBy(element: Element, box: DOMRect): number {
  let most = 0;
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.overflowX === 'visible' && style.clipPath === 'none') continue;
    const outer = at.getBoundingClientRect();
    if (style.overflowX !== 'visible')
      most = Math.max(
        most,
        outer.left - box.left,
        box.right - outer.right,
        outer.top - box.top - box.height * 0.12,
        box.bottom - outer.bottom - box.height * 0.12,
      );
  }
  return most;
}
