import { parentPort, Worker } from 'node:worker_threads';
import { KodaError } from '#contract/errors.ts';
import type { Reading, ReadingRequest } from '#kinds/film/contract/reading.ts';
import { readingOf } from '../document/read-request.ts';

/** A longer text would hold up other requests. */
const maxOwnCharacters = 3_000;
const maxSeconds = 30;

interface Answer {
  readonly id: number;
  readonly reading: Reading;
}

let thread: Worker | null = null;
let lastId = 0;

/** Reads a request, and a long one in a thread of its own. Throws TIMEOUT after 30 seconds. */
export async function readWithoutBlocking(request: ReadingRequest): Promise<Reading> {
  if (request.text.length <= maxOwnCharacters) return readingOf(request);
  thread ??= startThread();
  const own = thread;
  const id = ++lastId;
  const { promise, resolve, reject } = Promise.withResolvers<Reading>();
  const take = (answer: Answer) => {
    if (answer.id === id) resolve(answer.reading);
  };
  const fail = () => reject(new Error('The thread that reads requests ended without a result.'));
  const timer = setTimeout(() => {
    reject(new KodaError('TIMEOUT', `The text takes more than ${maxSeconds} s to read. Shorten it.`, { recovery: 'send_less' }));
    void own.terminate();
  }, maxSeconds * 1000);
  own.on('message', take).once('exit', fail);
  try {
    own.postMessage({ id, request });
    return await promise;
  } finally {
    clearTimeout(timer);
    own.off('message', take).off('exit', fail);
  }
}

function startThread(): Worker {
  const worker = new Worker(import.meta.filename, { env: {} });
  // Requests in progress learn of the end by `exit`.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (thread === worker) thread = null;
  });
  worker.setMaxListeners(0).unref();
  return worker;
}

parentPort?.on('message', ({ id, request }: { readonly id: number; readonly request: ReadingRequest }) => {
  parentPort?.postMessage({ id, reading: readingOf(request) } satisfies Answer);
});
