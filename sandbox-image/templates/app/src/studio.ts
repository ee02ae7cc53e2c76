import { z } from 'zod';
import { idSchema } from '../model/document.ts';
import { appDocument, subscribe } from './document.ts';
import { navigate, onNavigate } from './router.ts';
import { useMode } from './shell/theme.ts';

/** Messages of the studio that shows the page in a frame. */
const studioMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('koda:navigate'), path: z.string().max(2000) }),
  z.object({ type: z.literal('koda:mode'), mode: z.enum(['light', 'dark', 'system']) }),
  /** Whether the user selects a part: a click on a view selects it instead of using it. `page` and `view` name the selected one. */
  z.object({ type: z.literal('koda:select'), on: z.boolean(), page: idSchema.optional(), view: idSchema.optional() }),
]);
type StudioMessage = z.infer<typeof studioMessageSchema>;

type ToStudio =
  | { readonly type: 'koda:app-ready'; readonly pages: readonly { readonly id: string; readonly name: string }[] }
  | { readonly type: 'koda:app-location'; readonly path: string }
  | { readonly type: 'koda:console'; readonly level: 'error' | 'warning' | 'info'; readonly text: string }
  | {
      readonly type: 'koda:network';
      readonly method: string;
      readonly path: string;
      /** 0 if there was no answer. */
      readonly status: number;
      readonly ms: number;
    }
  | { readonly type: 'koda:selected'; readonly page: string; readonly view: string };

const maxTextCharacters = 8000;
const maxLinesPerSecond = 60;

// The studio's address is not known here. It checks where messages come from, and they tell it nothing that it could not request.
const post = (message: ToStudio): void => window.parent.postMessage(message, '*');

/** Connects the page with the studio, if it shows the page in a frame. */
export function connectStudio(): void {
  if (window.parent === window) return;
  forwardConsole();
  reportRequests();
  reportLocation();
  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent) return;
    const message = studioMessageSchema.safeParse(data);
    if (message.success) receive(message.data);
  });
}

function receive(message: StudioMessage): void {
  switch (message.type) {
    case 'koda:navigate':
      // “//example.com” would be an address of another site.
      if (/^\/(?!\/)/.test(message.path)) navigate(message.path);
      return;
    case 'koda:mode':
      // Not stored: outside the studio, the user's own choice counts.
      useMode.setState({ mode: message.mode });
      return;
    case 'koda:select':
      setSelecting(message);
  }
}

function reportLocation(): void {
  const sendLocation = () => post({ type: 'koda:app-location', path: window.location.pathname + window.location.search });
  const sendPages = () => post({ type: 'koda:app-ready', pages: appDocument().pages.map(({ id, name }) => ({ id, name })) });
  onNavigate(sendLocation);
  subscribe(sendPages);
  sendPages();
  sendLocation();
}

/** Prints objects one level deep, because they may refer to the whole page. */
function printed(part: unknown): string {
  if (part instanceof Error) return part.stack ?? part.message;
  if (typeof part !== 'object' || part === null) return String(part);
  const short = (value: unknown) => (typeof value === 'object' && value !== null ? '…' : String(value));
  const entries = Object.entries(part).slice(0, 20);
  if (Array.isArray(part)) return `[${entries.map(([, value]) => short(value)).join(', ')}]`;
  return `{ ${entries.map(([key, value]) => `${key}: ${short(value)}`).join(', ')} }`;
}

/** Prints a line as the browser's console does: `%s` and its like take a part, and `%c` a style, which is not text. */
function printedLine([first, ...rest]: readonly unknown[]): string {
  if (typeof first !== 'string') return [first, ...rest].map(printed).join(' ');
  const parts = [...rest];
  const text = first.replaceAll(/%[sdifoOc]/g, (mark) => {
    const part = parts.shift();
    return mark === '%c' || part === undefined ? '' : printed(part);
  });
  return [text, ...parts.map(printed)].join(' ');
}

function forwardConsole(): void {
  let second = 0;
  let lines = 0;
  const forward = (level: 'error' | 'warning' | 'info', parts: readonly unknown[]) => {
    const now = Math.floor(performance.now() / 1000);
    lines = now === second ? lines + 1 : 1;
    second = now;
    if (lines > maxLinesPerSecond) return;
    const isLast = lines === maxLinesPerSecond;
    const text = isLast ? 'Too many messages: the rest of this second is left out.' : printedLine(parts);
    post({ type: 'koda:console', level, text: text.slice(0, maxTextCharacters) });
  };
  const levels = { log: 'info', info: 'info', warn: 'warning', error: 'error' } as const;
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const original = console[method].bind(console);
    console[method] = (...parts: unknown[]) => {
      original(...parts);
      forward(levels[method], parts);
    };
  }
  window.addEventListener('error', ({ error, message }) => forward('error', [error ?? message]));
  window.addEventListener('unhandledrejection', ({ reason }) => forward('error', [reason]));
}

function reportRequests(): void {
  const original = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const isRequest = input instanceof Request;
    const method = init?.method ?? (isRequest ? input.method : 'GET');
    const { pathname, search } = new URL(isRequest ? input.url : input, window.location.href);
    const startMs = performance.now();
    const report = (status: number) => {
      const ms = Math.round(performance.now() - startMs);
      post({ type: 'koda:network', method, path: `${pathname}${search}`.slice(0, 2000), status, ms });
    };
    try {
      const response = await original(input, init);
      report(response.status);
      return response;
    } catch (error) {
      report(0);
      throw error;
    }
  };
}

const selectingStyle = `
  [data-view] { cursor: pointer !important; }
  [data-view] * { cursor: pointer !important; }
  [data-view]:hover { outline: 2px solid #2f4ff0; outline-offset: -2px; border-radius: 4px; }
`;
const selectedStyle = (view: string) =>
  `[data-view="${view}"] { outline: 2px solid #2f4ff0; outline-offset: -2px; border-radius: 4px; }`;

let stopSelecting: (() => void) | null = null;

function setSelecting({ on, page: selectedPage, view: selectedView }: Extract<StudioMessage, { type: 'koda:select' }>): void {
  stopSelecting?.();
  stopSelecting = null;
  if (!on) return;
  const style = document.createElement('style');
  style.textContent = selectingStyle;
  if (selectedPage && selectedView) style.textContent += selectedStyle(`${selectedPage}/${selectedView}`);
  document.head.append(style);
  const select = (event: Event) => {
    const part = event.target instanceof Element ? event.target.closest('[data-view]') : null;
    if (!part) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type !== 'click') return;
    const [page, view] = (part.getAttribute('data-view') ?? '').split('/');
    if (page && view) post({ type: 'koda:selected', page, view });
  };
  const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'];
  for (const name of events) window.addEventListener(name, select, true);
  stopSelecting = () => {
    style.remove();
    for (const name of events) window.removeEventListener(name, select, true);
  };
}
