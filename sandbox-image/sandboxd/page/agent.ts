import type { AgentFunctions, ImageToDraw } from './protocol.ts';

/** Runs in an isolated world that shares the page's document, so that changes the page made to built-ins have no effect. */

/** Maximum number of described elements, and of suggestions if none was found. */
const maxElements = 50;
const maxCandidates = 300;
/** Maximum number of elements searched by text. */
const maxSearched = 5000;
const maxContentCharacters = 50_000;
const typedInputs = ['text', 'search', 'url', 'tel', 'email', 'password', 'number'];

let located: Element | null = null;

const clean = (text: unknown) =>
  String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();

function textOf(element: Element): string {
  const value = 'value' in element && typeof element.value === 'string' ? element.value : '';
  const named = ['aria-label', 'placeholder', 'alt'].map((name) => element.getAttribute(name));
  return clean([value, renderedText(element), element.textContent, ...named].find(Boolean)).slice(0, 500);
}

/** Returns the text as laid out, if the element has any. */
function renderedText(element: Element): string | null {
  const text: unknown = Reflect.get(element, 'innerText');
  return typeof text === 'string' ? text : null;
}

function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

function isOnly(selector: string, element: Element): boolean {
  const found = document.querySelectorAll(selector);
  return found.length === 1 && found[0] === element;
}

function selectorOf(element: Element): string {
  const testId = element.getAttribute('data-testid');
  const short = [
    element.id && `#${CSS.escape(element.id)}`,
    testId && `[data-testid="${CSS.escape(testId)}"]`,
    element.localName,
  ].find((one) => one && isOnly(one, element));
  if (short || !element.parentElement) return short || element.localName;
  const alike = [...element.parentElement.children].filter((one) => one.localName === element.localName);
  const name = alike.length > 1 ? `${element.localName}:nth-of-type(${alike.indexOf(element) + 1})` : element.localName;
  return `${selectorOf(element.parentElement)} > ${name}`;
}

function summaryOf(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const attributes: Record<string, string> = {};
  for (const { name, value } of [...element.attributes].slice(0, 20)) attributes[name.slice(0, 100)] = value.slice(0, 200);
  return {
    selector: selectorOf(element).slice(0, 1000),
    tag: element.localName.slice(0, 100),
    text: textOf(element),
    attributes,
    box: { x, y, width, height },
    visible: isVisible(element),
  };
}

function find(selector: string | null, text: string | null): Element[] {
  const all = [...document.querySelectorAll(selector ?? 'body *')].slice(0, maxSearched);
  if (text === null) return all;
  const wanted = clean(text).toLowerCase();
  const showing = all.filter(
    (element) => !['script', 'style'].includes(element.localName) && textOf(element).toLowerCase().includes(wanted),
  );
  // Innermost elements only; exact and visible matches first.
  const inner = showing.filter((element) => !showing.some((other) => other !== element && element.contains(other)));
  const rank = (element: Element) => (isVisible(element) ? 0 : 2) + (textOf(element).toLowerCase() === wanted ? 0 : 1);
  return inner.sort((one, other) => rank(one) - rank(other));
}

function missing() {
  const all = document.querySelectorAll('a,button,input,select,textarea,label,canvas,h1,h2,h3,[id],[role],[data-testid]');
  const candidates = [...all].slice(0, maxCandidates).map((element) => ({
    selector: selectorOf(element).slice(0, 1000),
    text: isVisible(element) ? textOf(element).slice(0, 80) : '',
  }));
  return { problem: 'missing' as const, candidates };
}

function orInvalid<T>(work: () => T): T | { problem: 'invalid'; message: string } {
  try {
    return work();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') {
      return { problem: 'invalid', message: error.message.slice(0, 500) };
    }
    throw error;
  }
}

function requireLocated(): Element {
  if (!located) throw new Error('No element was located.');
  return located;
}

/** Returns the reason why an element accepts no text, or `null` if it does. */
function focusOn(element: Element, clear: boolean): string | null {
  const isField =
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && typedInputs.includes(element.type));
  if (!isField && !(element instanceof HTMLElement && element.isContentEditable)) return 'does not accept text';
  if (isField && (element.disabled || element.readOnly)) return 'cannot be edited, because it is disabled or read-only';
  element.focus();
  if (!isField) {
    getSelection()?.selectAllChildren(element);
    if (!clear) getSelection()?.collapseToEnd();
  } else if (clear) {
    element.select();
  } else {
    placeCaret(element);
  }
  if (clear) document.execCommand('delete');
  return null;
}

function placeCaret(field: HTMLInputElement | HTMLTextAreaElement): void {
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch (error) {
    // Number fields have no caret.
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
  }
}

/** Derives an SVG's size from its aspect ratio if it has none. `onload` needs no drawn frame, unlike `decode()`. */
function drawImage({
  dataUrl,
  maxSide,
  enlarges,
  maxPngCharacters,
  jpegQuality,
}: ImageToDraw): ReturnType<AgentFunctions['drawImage']> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<AgentFunctions['drawImage']>>>();
  const image = new Image();
  image.onerror = () => resolve({ problem: 'it is damaged or not an image' });
  image.onload = () => {
    const width = image.naturalWidth || maxSide;
    const height = image.naturalHeight || maxSide;
    const fitting = maxSide / Math.max(width, height);
    const scale = enlarges ? fitting : Math.min(1, fitting);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) {
      resolve({ problem: 'the browser cannot create a canvas of that size' });
      return;
    }
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    let drawn = dataUrl.startsWith('data:image/jpeg') ? '' : canvas.toDataURL('image/png');
    if (drawn === '' || drawn.length > maxPngCharacters) {
      // JPEG has no transparency, so the background becomes white.
      context.globalCompositeOperation = 'destination-over';
      context.fillStyle = 'white';
      context.fillRect(0, 0, canvas.width, canvas.height);
      drawn = canvas.toDataURL('image/jpeg', jpegQuality);
    }
    resolve({ width, height, dataUrl: drawn });
  };
  image.src = dataUrl;
  return promise;
}

const functions: AgentFunctions = {
  locate: (selector, text) =>
    orInvalid(() => {
      const found = find(selector, text);
      located = found.find(isVisible) ?? found[0] ?? null;
      if (!located) return missing();
      located.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      return { problem: 'none', element: summaryOf(located), matches: found.length };
    }),
  hit: (x, y) => {
    const element = document.elementFromPoint(x, y);
    return element && summaryOf(element);
  },
  focus: (clear) => focusOn(requireLocated(), clear),
  describeLocated: () => (located?.isConnected ? summaryOf(located) : null),
  scroll: ({ x, y }, ofLocated) => {
    (ofLocated ? requireLocated() : window).scrollBy({ left: x, top: y, behavior: 'instant' });
    return null;
  },
  extract: (selector, what) =>
    orInvalid(() => {
      const found = [...document.querySelectorAll(selector)];
      if (found.length === 0) return missing();
      const matches = found.length;
      if (what === 'elements') {
        const elements = found.slice(0, maxElements).map(summaryOf);
        return { problem: 'none', matches, content: null, complete: matches <= maxElements, elements };
      }
      let content = '';
      for (const element of found) {
        if (content.length > maxContentCharacters) break;
        content += (content && '\n') + (what === 'html' ? element.outerHTML : (renderedText(element) ?? element.textContent));
      }
      const complete = content.length <= maxContentCharacters;
      return { problem: 'none', matches, content: content.slice(0, maxContentCharacters), complete, elements: [] };
    }),
  state: () => {
    const { scrollingElement: root } = document;
    const [navigation] = performance.getEntriesByType('navigation');
    const scroll = {
      x: scrollX,
      y: scrollY,
      maxX: Math.max(0, (root?.scrollWidth ?? 0) - innerWidth),
      maxY: Math.max(0, (root?.scrollHeight ?? 0) - innerHeight),
    };
    const status = navigation instanceof PerformanceNavigationTiming ? navigation.responseStatus : 0;
    return { url: location.href, title: document.title.slice(0, 500), status, scroll };
  },
  drawImage,
};
// Keeps `located` across repeated injections. `hasOwn`, because an element with that id is an inherited property.
if (!Object.hasOwn(globalThis, 'kodaAgent')) globalThis.kodaAgent = functions;
