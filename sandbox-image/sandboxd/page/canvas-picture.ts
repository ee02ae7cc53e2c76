/**
 * The fast way to the picture of a page on which nothing is to be seen but one canvas: its pixels are encoded where
 * they are, and the page is not composited (about an eighth less work for the browser at 1080p). The browser's own
 * encoder gives the very bytes that a picture of the page has.
 */

const contexts = new WeakMap<HTMLCanvasElement, RenderingContext>();
/** All that were made, so that a lost one can be distinguished from a black scene. */
const webglContexts = new Set<WebGLRenderingContext | WebGL2RenderingContext>();
const { toDataURL } = HTMLCanvasElement.prototype;
/** Callbacks that wait for the next frame. */
const waiting = new Set<number>();

/** To be called before the page's own code runs. */
export function watchContexts(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  const watched = function (this: HTMLCanvasElement, ...options: unknown[]) {
    const context: RenderingContext | null = Reflect.apply(getContext, this, options);
    if (context) contexts.set(this, context);
    if (context && 'isContextLost' in context && 'getShaderParameter' in context) webglContexts.add(context);
    return context;
  };
  Object.assign(HTMLCanvasElement.prototype, { getContext: watched });

  const { requestAnimationFrame, cancelAnimationFrame } = window;
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
}

/** A canvas that left the page gave its context up on purpose. */
export function lostContexts(): number {
  const lost = (context: WebGLRenderingContext | WebGL2RenderingContext) => {
    return 'isConnected' in context.canvas && context.canvas.isConnected && context.isContextLost();
  };
  return [...webglContexts].filter(lost).length;
}

const boxes: ReadonlySet<string> = new Set([
  ...['DIV', 'SPAN', 'MAIN', 'SECTION', 'ARTICLE', 'SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT'],
]);
const noColour = 'rgba(0, 0, 0, 0)';

const hasText = (element: Element) =>
  [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim() !== '');

function isDecorated(element: Element, style: CSSStyleDeclaration): boolean {
  const parts = ['::before', '::after'].map((part) => getComputedStyle(element, part).content);
  return style.outlineStyle !== 'none' || parts.some((content) => !['none', 'normal'].includes(content));
}

/** Whether an empty box shows something of its own. */
function paints(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  if (!boxes.has(element.tagName) || element.shadowRoot || hasText(element)) return true;
  const style = getComputedStyle(element);
  const edges = [style.borderTopStyle, style.borderRightStyle, style.borderBottomStyle, style.borderLeftStyle];
  return (
    isDecorated(element, style) ||
    style.backgroundColor !== noColour ||
    [style.backgroundImage, style.boxShadow, style.backdropFilter, ...edges].some((value) => value !== 'none') ||
    style.display === 'list-item'
  );
}

/** Whether the canvas, or what it is in, changes how its pixels come to the screen. */
function alters(element: Element): boolean {
  const style = getComputedStyle(element);
  const { filter, transform, rotate, scale, translate, offsetPath, clipPath, maskImage } = style;
  return (
    isDecorated(element, style) ||
    hasText(element) ||
    style.opacity !== '1' ||
    style.visibility !== 'visible' ||
    style.mixBlendMode !== 'normal' ||
    style.borderTopLeftRadius !== '0px' ||
    [filter, transform, rotate, scale, translate, offsetPath, clipPath, maskImage].some((value) => value !== 'none')
  );
}

/** Whether what a canvas leaves open shows black: JPEG has no alpha, and the encoder puts black in its place. */
function isOverBlack(line: readonly Element[]): boolean {
  const styles = line.map((element) => getComputedStyle(element));
  const ground = styles.find((style) => style.backgroundColor !== noColour || style.backgroundImage !== 'none');
  return ground?.backgroundColor === 'rgb(0, 0, 0)' && ground.backgroundImage === 'none';
}

function isWhole(canvas: HTMLCanvasElement, line: readonly Element[]): boolean {
  const context = contexts.get(canvas);
  const attributes: { alpha?: boolean; preserveDrawingBuffer?: boolean } | null =
    context && 'getContextAttributes' in context ? context.getContextAttributes() : null;
  // Without a buffer that is kept, what was drawn before the last frame is gone.
  return attributes !== null && attributes.preserveDrawingBuffer !== false && (attributes.alpha === false || isOverBlack(line));
}

function fillsWindow(canvas: HTMLCanvasElement): boolean {
  const box = canvas.getBoundingClientRect();
  const wide = [canvas.width, canvas.clientWidth, box.width].every((width) => width === innerWidth);
  const high = [canvas.height, canvas.clientHeight, box.height].every((height) => height === innerHeight);
  return wide && high && box.x === 0 && box.y === 0;
}

/**
 * Null as soon as anything but one canvas of the size of the window, on black, might be seen or is about to be drawn:
 * another element, text, a border, a filter, an animation, a callback that waits for the next frame.
 */
export function canvasPicture(quality: number): { form: string; data: string } | null {
  try {
    return onlyCanvas(quality);
  } catch {
    // A canvas that may not be read, or that a worker draws.
    return null;
  }
}

function onlyCanvas(quality: number): { form: string; data: string } | null {
  const canvas = document.querySelector('canvas');
  if (!canvas || waiting.size > 0 || !fillsWindow(canvas)) return null;
  if (document.getAnimations().length > 0) return null;
  const line: Element[] = [];
  for (let element: Element | null = canvas; element; element = element.parentElement) line.push(element);
  if (!isWhole(canvas, line) || line.some(alters)) return null;
  for (const element of document.body.getElementsByTagName('*')) {
    if (!line.includes(element) && paints(element)) return null;
  }
  const url = toDataURL.call(canvas, 'image/jpeg', quality);
  const start = 'data:image/jpeg;base64,';
  if (!url.startsWith(start)) return null;
  const form = line.map((element) => (element.cloneNode(false) as Element).outerHTML).join('');
  return { form, data: url.slice(start.length) };
}
