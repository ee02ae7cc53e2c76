import { z } from 'zod';
import { pageElementSchema } from '../../../server/contract/sandboxd.ts';

/** Elements that an answer describes, and those that are offered when none was found. */
const maxElements = 50;
const maxCandidates = 300;
/** Elements that are looked at for a text. */
const maxSearched = 5000;
const maxContentCharacters = 50_000;

/** What scripts below have in common. They run in a world of their own: what the page did to its built-ins is not there. */
const helpers = `
  const clean = (text) => String(text ?? '').replace(/\\s+/g, ' ').trim();
  const textOf = (e) => clean(
    ('value' in e && typeof e.value === 'string' && e.value) || e.innerText || e.textContent ||
    e.getAttribute('aria-label') || e.getAttribute('placeholder') || e.getAttribute('alt')).slice(0, 500);
  const isVisible = (e) => {
    const { width, height } = e.getBoundingClientRect();
    return width > 0 && height > 0 && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const isOnly = (selector, e) => {
    const found = document.querySelectorAll(selector);
    return found.length === 1 && found[0] === e;
  };
  const selectorOf = (e) => {
    const short = [
      e.id && '#' + CSS.escape(e.id),
      e.dataset?.testid && '[data-testid="' + CSS.escape(e.dataset.testid) + '"]',
      e.localName,
    ].find((one) => one && isOnly(one, e));
    if (short || !e.parentElement) return short || e.localName;
    const alike = [...e.parentElement.children].filter((one) => one.localName === e.localName);
    const name = alike.length > 1 ? e.localName + ':nth-of-type(' + (alike.indexOf(e) + 1) + ')' : e.localName;
    return selectorOf(e.parentElement) + ' > ' + name;
  };
  const describe = (e) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    const attributes = {};
    for (const { name, value } of [...e.attributes].slice(0, 20)) attributes[name.slice(0, 100)] = value.slice(0, 200);
    return {
      selector: selectorOf(e).slice(0, 1000), tag: e.localName.slice(0, 100), text: textOf(e), attributes,
      box: { x, y, width, height }, visible: isVisible(e),
    };
  };
  const find = (selector, text) => {
    const all = [...document.querySelectorAll(selector ?? 'body *')].slice(0, ${maxSearched});
    if (text === null) return all;
    const wanted = clean(text).toLowerCase();
    const showing = all.filter((e) => e.localName !== 'script' && e.localName !== 'style' && textOf(e).toLowerCase().includes(wanted));
    // The innermost, those that show nothing else first.
    const inner = showing.filter((e) => !showing.some((other) => other !== e && e.contains(other)));
    const rank = (e) => (isVisible(e) ? 0 : 2) + (textOf(e).toLowerCase() === wanted ? 0 : 1);
    return inner.sort((a, b) => rank(a) - rank(b));
  };
  const candidates = () => [...document.querySelectorAll('a,button,input,select,textarea,label,canvas,h1,h2,h3,[id],[role],[data-testid]')]
    .slice(0, ${maxCandidates}).map((e) => ({ selector: selectorOf(e).slice(0, 1000), text: isVisible(e) ? textOf(e).slice(0, 80) : '' }));
  const orInvalid = (work) => {
    try {
      return work();
    } catch (error) {
      if (error.name === 'SyntaxError') return { problem: 'invalid', words: error.message.slice(0, 500) };
      throw error;
    }
  };
`;

const script = (body: string) => `(() => {${helpers}${body}})()`;
const value = (data: unknown) => JSON.stringify(data);

const missingSchema = z.object({
  problem: z.literal('missing'),
  candidates: z.array(z.object({ selector: z.string(), text: z.string() })),
});
export type Missing = z.infer<typeof missingSchema>;
const invalidSchema = z.object({ problem: z.literal('invalid'), words: z.string() });

export const locatedSchema = z.union([
  missingSchema,
  invalidSchema,
  z.object({
    problem: z.literal('none'),
    element: pageElementSchema,
    matches: z.int(),
  }),
]);

/** Finds an element, brings it into view, and keeps it for the scripts that follow. */
export const locateScript = (selector: string | null, text: string | null) =>
  script(`return orInvalid(() => {
    const found = find(${value(selector)}, ${value(text)});
    const e = found.find(isVisible) ?? found[0];
    globalThis.kodaElement = e;
    if (!e) return { problem: 'missing', candidates: candidates() };
    e.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    return { problem: 'none', element: describe(e), matches: found.length };
  });`);

/** What is on top at a point of the window. */
export const hitScript = (x: number, y: number) =>
  script(`const e = document.elementFromPoint(${value(x)}, ${value(y)}); return e && describe(e);`);
export const hitSchema = pageElementSchema.nullable();

/** Puts the caret into the element that was located; why that cannot be is what it answers. */
export const focusScript = (clear: boolean) =>
  script(`const e = globalThis.kodaElement;
    const typed = ['text', 'search', 'url', 'tel', 'email', 'password', 'number'];
    const isField = e.localName === 'textarea' || (e.localName === 'input' && typed.includes(e.type));
    if (!isField && !e.isContentEditable) return 'takes no text';
    if (e.disabled || e.readOnly) return 'cannot be changed (it is disabled or read-only)';
    e.focus();
    if (isField) {
      if (${value(clear)}) e.select();
      else try { e.setSelectionRange(e.value.length, e.value.length); } catch { /* A number has no caret. */ }
    } else {
      getSelection().selectAllChildren(e);
      if (!${value(clear)}) getSelection().collapseToEnd();
    }
    if (${value(clear)}) document.execCommand('delete');
    return null;`);
export const focusSchema = z.string().max(200).nullable();

export const describeScript = script(`return globalThis.kodaElement?.isConnected ? describe(globalThis.kodaElement) : null;`);

export const scrollScript = (by: { x: number; y: number }, element: boolean) =>
  script(`${element ? 'globalThis.kodaElement' : 'window'}.scrollBy({ left: ${value(by.x)}, top: ${value(by.y)}, behavior: 'instant' });
    return null;`);

export const extractScript = (selector: string, what: 'text' | 'html' | 'elements') =>
  script(`return orInvalid(() => {
    const found = [...document.querySelectorAll(${value(selector)})];
    if (found.length === 0) return { problem: 'missing', candidates: candidates() };
    if (${value(what)} === 'elements')
      return { problem: 'none', matches: found.length, content: null, complete: found.length <= ${maxElements}, elements: found.slice(0, ${maxElements}).map(describe) };
    let content = '';
    for (const e of found) {
      if (content.length > ${maxContentCharacters}) break;
      content += (content && '\\n') + (${value(what)} === 'html' ? e.outerHTML : (e.innerText ?? e.textContent));
    }
    return { problem: 'none', matches: found.length, content: content.slice(0, ${maxContentCharacters}), complete: content.length <= ${maxContentCharacters}, elements: [] };
  });`);
export const extractedSchema = z.union([
  missingSchema,
  invalidSchema,
  z.object({
    problem: z.literal('none'),
    matches: z.int(),
    content: z.string().nullable(),
    complete: z.boolean(),
    elements: z.array(pageElementSchema),
  }),
]);

/** Where the page is, and how its address was answered. */
export const stateScript = script(`const { scrollingElement: root } = document;
  return {
    url: location.href, title: document.title.slice(0, 500),
    status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
    scroll: {
      x: scrollX, y: scrollY,
      maxX: Math.max(0, (root?.scrollWidth ?? 0) - innerWidth), maxY: Math.max(0, (root?.scrollHeight ?? 0) - innerHeight),
    },
  };`);
export const stateSchema = z.object({
  url: z.string(),
  title: z.string(),
  status: z.int(),
  scroll: z.object({ x: z.number(), y: z.number(), maxX: z.number(), maxY: z.number() }),
});
export type PageState = z.infer<typeof stateSchema>;
