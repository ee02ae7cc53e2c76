import type { TextRun } from '../gallery-window.ts';

/** Returns every visible run of text of the frame. */
export function textRuns(): TextRun[] {
  const frames = [...document.querySelectorAll<HTMLElement>('.layer')].filter((layer) => layer.style.visibility !== 'hidden');
  const runs: TextRun[] = [];
  const blocks = new Map<Element, number>();
  for (const frame of frames) {
    const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || (node.textContent ?? '').trim() === '' || element.closest('style, defs') !== null) continue;
      // Hidden copies of a text provide its shadow or outline and are decoration.
      if (element.closest('[aria-hidden]:not(svg)') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const block = element.closest('.line, .line-clip, text') ?? element;
      if (!blocks.has(block)) blocks.set(block, blocks.size);
      const style = getComputedStyle(element);
      for (const box of range.getClientRects()) {
        if (box.width < 1) continue;
        const { left, top, right, bottom } = element instanceof SVGElement ? inkOf(element, box) : box;
        runs.push({
          text: node.textContent ?? '',
          left,
          top,
          right,
          bottom,
          size: Number.parseFloat(style.fontSize) * scaleOf(element),
          color: element instanceof SVGElement ? style.fill : style.color,
          opacity: opacityOf(element),
          clipped: clippedBy(element, new DOMRect(left, top, right - left, bottom - top)),
          block: blocks.get(block) ?? 0,
        });
      }
    }
  }
  return runs;
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

/** Returns the viewport pixels per CSS pixel of the element. */
function scaleOf(element: Element): number {
  const frame = element.closest('.frame');
  if (!(frame instanceof HTMLElement)) return 1;
  return frame.getBoundingClientRect().width / frame.offsetWidth;
}

/**
 * Returns the largest extent of a box that a clipping ancestor cuts off. Lines that overhang by their font's leading do not
 * count.
 */
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
