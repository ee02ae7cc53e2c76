import type { CDPSession, Protocol } from 'puppeteer-core';
import type { z } from 'zod';
import type { consoleMessageSchema } from '../../../server/contract/sandboxd.ts';

export type ConsoleMessage = z.infer<typeof consoleMessageSchema>;

const maxMessages = 200;
const maxTextCharacters = 2000;

const levels: Record<string, ConsoleMessage['level']> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  info: 'info',
};

/** What a page said: its console, its uncaught errors, the files it could not load. Oldest first, bounded. */
export class PageEvidence {
  readonly #messages: ConsoleMessage[] = [];
  #brokenAtMs: number | null = null;

  add(level: ConsoleMessage['level'], text: string): void {
    const message = { level, text: text.slice(0, maxTextCharacters) };
    const last = this.#messages.at(-1);
    if (last?.level === message.level && last.text === message.text) return;
    // A page that logs in every frame must not push out its first error, which is the one that explains the others.
    if (this.#messages.length < maxMessages) this.#messages.push(message);
  }

  /** Something happened after which a page hardly ever becomes ready: an uncaught error, a script that does not load. */
  markBroken(): void {
    this.#brokenAtMs ??= performance.now();
  }

  /** When it was first marked broken, by `performance.now()`; null when it was not. */
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

/** Listens to a page's console, exceptions and failed loads. Call before the page is navigated. */
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
    // The guard says it better: what was asked for, and what to do instead.
    if (entry.text.includes('ERR_BLOCKED_BY_CLIENT')) return;
    if (entry.url?.endsWith('/favicon.ico')) return;
    if (entry.level === 'error' && entry.source === 'network' && isScript(entry.url ?? '')) evidence.markBroken();
    evidence.add(entry.level, entry.url ? `${entry.text} (${entry.url})` : entry.text);
  });
  await Promise.all([session.send('Runtime.enable'), session.send('Log.enable')]);
}

/** Vite serves modules under their source names, and styles as modules, too. */
function isScript(url: string): boolean {
  return URL.canParse(url) && /\.(m?[jt]sx?|css)$|^\/@/.test(new URL(url).pathname);
}

function describeArgument(argument: Protocol.Runtime.RemoteObject): string {
  if (argument.type === 'string') return String(argument.value);
  if (argument.description !== undefined) return argument.description;
  return argument.value === undefined ? argument.type : JSON.stringify(argument.value);
}

/** Message and the first lines of the stack of an exception. */
export function describeException(details: Protocol.Runtime.ExceptionDetails): string {
  const words = details.exception?.description ?? details.exception?.value ?? details.text;
  const lines = String(words).split('\n');
  const text = lines.slice(0, 4).join('\n');
  return details.url && lines.length < 2 ? `${text} (${details.url}:${details.lineNumber + 1})` : text;
}

const innerSchemes = ['data:', 'blob:', 'about:'];

/** Whether a page of `origin` may ask for `url`: only its own origin and what it carries in itself. */
export function isAllowedUrl(url: string, origin: string): boolean {
  if (innerSchemes.some((scheme) => url.startsWith(scheme))) return true;
  return URL.canParse(url) && new URL(url).origin === origin;
}

/**
 * Refuses every request of a page that leaves `origin`, and records it in the page's evidence. What an
 * animation needs lies beside it: something fetched from elsewhere would make frames depend on the day.
 */
export async function guardNetwork(session: CDPSession, origin: string, evidence: PageEvidence): Promise<void> {
  session.on('Fetch.requestPaused', (event: Protocol.Fetch.RequestPausedEvent) => {
    const { requestId, request } = event;
    const allowed = isAllowedUrl(request.url, origin);
    if (!allowed)
      evidence.add('error', `The page asked for ${request.url}, but an animation has no network: put the file into public/.`);
    const answer = allowed
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // The request may be gone by now, with its page; then there is nothing to answer.
    answer.catch((error: unknown) => evidence.add('log', `network guard: ${String(error)}`));
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}
