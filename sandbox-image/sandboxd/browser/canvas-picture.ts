import { z } from 'zod';

/**
 * The fast way to the picture of a page on which nothing is to be seen but one canvas: its pixels are encoded where
 * they are, and the page is not composited (about an eighth less work for the browser at 1080p). The browser's own encoder gives
 * the very bytes that a picture of the page has.
 */

/** A canvas as it stands on its page, and what it shows, JPEG in base64. */
export const canvasPictureSchema = z
  .object({
    /** How the canvas is placed and styled. Pictures are known to be right for a form in which some were compared. */
    form: z.string(),
    data: z.string().min(1),
  })
  .nullable();
export type CanvasPicture = { readonly form: string; readonly picture: Buffer };

/**
 * Runs before the page's own code. Offers a function that answers with null as soon as anything but one canvas of
 * the size of the window, on black, might be seen or is about to be drawn: another element, text, a border, a filter,
 * an animation, a callback that waits for the next frame.
 */
export const offerCanvasPictureExpression = `(() => {
  const contexts = new WeakMap();
  const { getContext, toDataURL } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...options) {
    const context = getContext.apply(this, options);
    if (context) contexts.set(this, context);
    return context;
  };
  const { requestAnimationFrame, cancelAnimationFrame } = window;
  const waiting = new Set();
  window.requestAnimationFrame = (callback) => {
    const id = requestAnimationFrame((now) => {
      waiting.delete(id);
      callback(now);
    });
    waiting.add(id);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    waiting.delete(id);
    cancelAnimationFrame(id);
  };

  const boxes = new Set(['DIV', 'SPAN', 'MAIN', 'SECTION', 'ARTICLE', 'SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT']);
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  const decorated = (element, style) =>
    style.outlineStyle !== 'none' ||
    ['::before', '::after'].some((part) => !['none', 'normal'].includes(getComputedStyle(element, part).content));
  const edges = ['Top', 'Right', 'Bottom', 'Left'];

  /** Whether an empty box shows something of its own. */
  const paints = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    if (!boxes.has(element.tagName) || element.shadowRoot || hasText(element)) return true;
    const style = getComputedStyle(element);
    return (
      decorated(element, style) ||
      style.backgroundColor !== 'rgba(0, 0, 0, 0)' ||
      style.backgroundImage !== 'none' ||
      style.boxShadow !== 'none' ||
      style.backdropFilter !== 'none' ||
      style.display === 'list-item' ||
      edges.some((edge) => style['border' + edge + 'Style'] !== 'none')
    );
  };

  /** Whether the canvas, or what it is in, changes how its pixels come to the screen. */
  const alters = (element) => {
    const style = getComputedStyle(element);
    return (
      decorated(element, style) ||
      hasText(element) ||
      style.opacity !== '1' ||
      style.visibility !== 'visible' ||
      style.mixBlendMode !== 'normal' ||
      style.borderTopLeftRadius !== '0px' ||
      ['filter', 'transform', 'rotate', 'scale', 'translate', 'offsetPath', 'clipPath', 'maskImage'].some((name) => style[name] !== 'none')
    );
  };

  /** Whether what a canvas leaves open shows black: JPEG has no alpha, and the encoder puts black in its place. */
  const overBlack = (line) => {
    const styles = line.map((element) => getComputedStyle(element));
    const ground = styles.find((style) => style.backgroundColor !== 'rgba(0, 0, 0, 0)' || style.backgroundImage !== 'none');
    return ground?.backgroundColor === 'rgb(0, 0, 0)' && ground.backgroundImage === 'none';
  };
  const isWhole = (canvas, line) => {
    const attributes = contexts.get(canvas)?.getContextAttributes?.();
    // Without a buffer that is kept, what was drawn before the last frame is gone.
    return attributes && attributes.preserveDrawingBuffer !== false && (attributes.alpha === false || overBlack(line));
  };
  const fillsWindow = (canvas) => {
    const box = canvas.getBoundingClientRect();
    const wide = [canvas.width, canvas.clientWidth, box.width].every((width) => width === innerWidth);
    const high = [canvas.height, canvas.clientHeight, box.height].every((height) => height === innerHeight);
    return wide && high && box.x === 0 && box.y === 0;
  };

  const picture = (quality) => {
    const canvas = document.querySelector('canvas');
    if (!canvas || waiting.size > 0 || !fillsWindow(canvas)) return null;
    if (document.getAnimations().length > 0) return null;
    const line = [];
    for (let element = canvas; element; element = element.parentElement) line.push(element);
    if (!isWhole(canvas, line)) return null;
    if (line.some(alters)) return null;
    for (const element of document.body.getElementsByTagName('*')) {
      if (!line.includes(element) && paints(element)) return null;
    }
    const url = toDataURL.call(canvas, 'image/jpeg', quality);
    const start = 'data:image/jpeg;base64,';
    if (!url.startsWith(start)) return null;
    return { form: line.map((element) => element.cloneNode(false).outerHTML).join(''), data: url.slice(start.length) };
  };
  Object.defineProperty(window, '__kodaCanvasPicture', {
    value: (quality) => {
      try {
        return picture(quality);
      } catch {
        // A canvas that may not be read, or that a worker draws.
        return null;
      }
    },
  });
})()`;

/** `quality` from 0 to 1. */
export function canvasPictureExpression(quality: number): string {
  return `window.__kodaCanvasPicture?.(${quality}) ?? null`;
}
