import { type IncomingMessage, request } from 'node:http';
import { KodaError } from '#contract/errors.ts';
import { excessIn } from '../../../lib/json-limits.ts';
import { readAll } from '../../../sandbox/response.ts';
import { SandboxSocketAgent } from '../../../sandbox/socket-agent.ts';

/** Request to an app's own API. `maxBytes` and `timeoutMs` limit its answer. */
export interface AppRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What an app has answered. Its content is untrusted until validated. */
export interface AppAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** There was no answer, because the app's server does not run. */
export class AppNotRunningError extends Error {
  constructor(cause: unknown) {
    super('The app’s server does not answer.', { cause });
    this.name = 'AppNotRunningError';
  }
}

/**
 * Sends a request to the server behind the preview socket of a sandbox. Throws AppNotRunningError if there is no answer at all,
 * SERVER_FAILED if it is too large or no HTTP, TIMEOUT and CANCELLED.
 */
export async function requestApp(socketPath: string, call: AppRequest): Promise<AppAnswer> {
  const timeout = AbortSignal.timeout(call.timeoutMs);
  const explain = (error: unknown) => explainFailure(error, { call, timeout });
  const response = await answerTo(socketPath, call, AbortSignal.any([call.signal, timeout])).catch((error: unknown) => {
    const explained = explain(error);
    throw explained instanceof KodaError ? explained : new AppNotRunningError(error);
  });
  try {
    return { status: response.statusCode ?? 0, body: await readAll({ response, explain }, call.maxBytes) };
  } catch (error) {
    if (call.signal.aborted || timeout.aborted) throw explain(error);
    throw unusable(`it has more than ${call.maxBytes / 1024 / 1024} MB, or stops before its end`, error);
  } finally {
    response.destroy();
  }
}

/** Parses an app's JSON. Throws SERVER_FAILED if it is none, or so nested that reading it would block the studio. */
export function jsonIn({ body }: AppAnswer, { structure }: { structure: number }): unknown {
  const excess = excessIn(body, { structure, depth: 12, elements: structure });
  if (excess !== null) throw unusable(`it has ${excess}`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw unusable('it is no JSON', error);
  }
}

export function unusable(reason: string, cause?: unknown): KodaError {
  return new KodaError(
    'SERVER_FAILED',
    `The app’s server sent an answer that cannot be used: ${reason}. Undo the last change of the files in server/, or tell Koda to repair the app.`,
    { cause },
  );
}

function answerTo(socketPath: string, { method, path, body }: AppRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const json = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const headers = json === null ? {} : { 'content-type': 'application/json', 'content-length': json.byteLength };
  return new Promise((resolve, reject) => {
    // The sandbox can write to the socket's folder, so the agent connects only to sockets and follows no links.
    const agent = new SandboxSocketAgent(socketPath, { keepAlive: false });
    const outgoing = request({ agent, method, path, host: 'localhost', headers, signal });
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    // An upgrade that was not asked for ends the request without an error.
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(unusable('it is no answer to this request'));
    });
    // Any number of interim responses may come before the response, which an app has no reason to send.
    outgoing.once('information', () => outgoing.destroy(unusable('it is no answer to this request')));
    outgoing.once('close', () => reject(new AppNotRunningError(null)));
    outgoing.end(json ?? undefined);
  });
}

/** Returns an error for the user, or the error itself if the connection failed. */
function explainFailure(error: unknown, { call, timeout }: { call: AppRequest; timeout: AbortSignal }): unknown {
  if (error instanceof KodaError) return error;
  if (call.signal.aborted) return new KodaError('CANCELLED', 'The request to the app was cancelled.', { cause: error });
  if (timeout.aborted)
    return new KodaError(
      'TIMEOUT',
      `The app’s server did not answer within ${Math.ceil(call.timeoutMs / 1000)} s. Restart the preview in the studio, then try again.`,
      { recovery: 'retry', cause: error },
    );
  const isNoHttp = error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('HPE_');
  return isNoHttp ? unusable('it is no HTTP', error) : error;
}
