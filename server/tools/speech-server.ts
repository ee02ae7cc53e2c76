import { KodaError } from '#contract/errors.ts';
import { maxRecordingBytes, type Speech } from '#contract/sandbox/sounds.ts';
import { connectionProblem, outboundFetch } from '../lib/outbound-fetch.ts';

/** A server with OpenAI's API for speech. The operator chose it. */
export interface SpeechServer {
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  readonly voice: string;
}

const answerTimeoutMs = 120_000;

const fetch = outboundFetch({ privateAddresses: 'allow' });

/**
 * Requests a recording of a text. Its bytes are untrusted: only a sandbox decodes them. Throws SERVICE_UNAVAILABLE, UNAUTHORIZED,
 * TOO_LARGE or TIMEOUT. Errors contain nothing that the server has sent.
 */
export async function recordingOf(
  { text, speed }: Pick<Speech, 'text' | 'speed'>,
  { url, key, model, voice }: SpeechServer,
  { signal, timeoutMs = answerTimeoutMs }: { signal: AbortSignal; timeoutMs?: number },
): Promise<Uint8Array> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(speechAddress(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, voice, input: text, speed, response_format: 'mp3' }),
      signal: AbortSignal.any([signal, limit]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(response.status);
    }
    return await limitedBytes(response);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof KodaError) throw error;
    if (limit.aborted)
      throw new KodaError('TIMEOUT', `The speech server did not answer within ${timeoutMs / 1000} s. Use a shorter text.`, {
        cause: error,
      });
    throw unavailable(`cannot be used: ${connectionProblem(error)}. Check KODA_SPEECH_URL`, error);
  }
}

/** The API is under /v1 unless the address has a path. */
function speechAddress(base: string): URL {
  const { pathname } = new URL(base);
  return new URL(`${base.replace(/\/+$/, '')}${pathname === '/' ? '/v1' : ''}/audio/speech`);
}

function refusal(status: number): KodaError {
  if (status === 401 || status === 403)
    return new KodaError(
      'UNAUTHORIZED',
      `The speech server refuses the key (status ${status}). The operator must check KODA_SPEECH_KEY.`,
    );
  return unavailable(`returned status ${status}. See its log, and check KODA_SPEECH_MODEL and KODA_SPEECH_VOICE`);
}

async function limitedBytes({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxRecordingBytes)
      throw new KodaError(
        'TOO_LARGE',
        `The speech server sent more than ${maxRecordingBytes / 1024 / 1024} MB. Use a shorter text.`,
      );
    pieces.push(piece);
  }
  if (bytes === 0) throw unavailable('returned an empty file. See its log');
  return Buffer.concat(pieces);
}

function unavailable(reason: string, cause?: unknown): KodaError {
  return new KodaError('SERVICE_UNAVAILABLE', `The text could not be spoken: the speech server ${reason}.`, { cause });
}
