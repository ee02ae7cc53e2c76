import type { CDPSession, Protocol } from 'puppeteer-core';
import type { z } from 'zod';
import type { consoleMessageSchema } from '#contract/sandbox/answers.ts';
import { stopSvg, svgImages } from './still-svg.ts';

export type ConsoleMessage = z.infer<typeof consoleMessageSchema>;

const maxMessages = 200;
const maxTextCharacters = 2000;

const levels: Record<string, ConsoleMessage['level']> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  info: 'info',
};

/** A page's console messages, uncaught errors and failed loads, oldest first and limited in number. */
export class PageEvidence {
  readonly #messages: ConsoleMessage[] = [];
  #brokenAtMs: number | null = null;

  add(level: ConsoleMessage['level'], text: string): void {
    const message = { level, text: text.slice(0, maxTextCharacters) };
    const last = this.#messages.at(-1);
    if (last?.level === message.level && last.text === message.text) return;
    // Keeps the oldest messages: the first error usually explains the others.
    if (this.#messages.length < maxMessages) this.#messages.push(message);
  }

  /** Records an event after which a page rarely becomes ready: an uncaught error, or a script that fails to load. */
  markBroken(): void {
    this.#brokenAtMs ??= performance.now();
  }

  get brokenAtMs(): number | null {
    return this.#brokenAtMs;
  }

  get messages(): readonly ConsoleMessage[] {
    return this.#messages;
  }

  get errors(): readonly string[] {
    return this.#messages.filter((message) => message.level === 'error').map((message) => message.text);
  }
}

/** Records a page's console, exceptions and failed loads. Call before navigation. */
export async function collectEvidence(session: CDPSession, evidence: PageEvidence): Promise<void> {
  session.on('Runtime.consoleAPICalled', (event: Protocol.Runtime.ConsoleAPICalledEvent) => {
    evidence.add(levels[event.type] ?? 'log', event.args.map(describeArgument).join(' '));
  });
  session.on('Runtime.exceptionThrown', (event: Protocol.Runtime.ExceptionThrownEvent) => {
    evidence.add('error', describeException(event.exceptionDetails));
    evidence.markBroken();
  });
  session.on('Log.entryAdded', ({ entry }: Protocol.Log.EntryAddedEvent) => {
    if (entry.level !== 'error' && entry.level !== 'warning') return;
    // The network guard adds a better message.
    if (entry.text.includes('ERR_BLOCKED_BY_CLIENT')) return;
    if (entry.url?.endsWith('/favicon.ico')) return;
    if (entry.level === 'error' && entry.source === 'network' && isScript(entry.url ?? '')) evidence.markBroken();
    evidence.add(entry.level, entry.url ? `${entry.text} (${entry.url})` : entry.text);
  });
  await Promise.all([session.send('Runtime.enable'), session.send('Log.enable')]);
}

/** Vite serves modules, including styles, under their source names. */
function isScript(url: string): boolean {
  return URL.canParse(url) && /\.(m?[jt]sx?|css)$|^\/@/.test(new URL(url).pathname);
}

function describeArgument(argument: Protocol.Runtime.RemoteObject): string {
  if (argument.type === 'string') return String(argument.value);
  if (argument.description !== undefined) return argument.description;
  return argument.value === undefined ? argument.type : JSON.stringify(argument.value);
}

/** Returns an exception's message and first stack lines. */
export function describeException(details: Protocol.Runtime.ExceptionDetails): string {
  const message = details.exception?.description ?? details.exception?.value ?? details.text;
  const lines = String(message).split('\n');
  const text = lines.slice(0, 4).join('\n');
  return details.url && lines.length < 2 ? `${text} (${details.url}:${details.lineNumber + 1})` : text;
}

const innerSchemes = ['data:', 'blob:', 'about:'];

/** Returns whether a page on `origin` may load `url`: only its own origin and inline data. */
export function isAllowedUrl(url: string, origin: string): boolean {
  if (innerSchemes.some((scheme) => url.startsWith(scheme))) return true;
  return URL.canParse(url) && new URL(url).origin === origin;
}

interface GuardOptions {
  readonly evidence: PageEvidence;
  /** Whether SVG images show their first frame. */
  readonly stillImages: boolean;
}

/** Blocks requests to other origins, because external files would make frames irreproducible. */
export async function guardNetwork(session: CDPSession, origin: string, { evidence, stillImages }: GuardOptions): Promise<void> {
  session.on('Fetch.requestPaused', (event: Protocol.Fetch.RequestPausedEvent) => {
    if (event.responseStatusCode !== undefined) {
      stopSvg(session, event).catch((error: unknown) => evidence.add('log', `SVG image: ${String(error)}`));
      return;
    }
    const { requestId, request } = event;
    const allowed = isAllowedUrl(request.url, origin);
    if (!allowed)
      evidence.add('error', `The page requested ${request.url}, but an animation has no network. Put the file into public/.`);
    const answer = allowed
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    answer.catch((error: unknown) => evidence.add('log', `network guard: ${String(error)}`));
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }, ...(stillImages ? [svgImages] : [])] });
}
