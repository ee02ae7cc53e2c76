import { KodaError } from '#contract/errors.ts';

/** Limits each response body, including an event stream's. `onTooLarge` ends whatever waits for the rest of it. */
export function limitedFetch(maxBytes: number, onTooLarge: (error: Error) => void): typeof fetch {
  return async (target, init) => {
    const response = await fetch(target, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= maxBytes) {
          controller.enqueue(chunk);
          return;
        }
        const error = new KodaError('TOO_LARGE', `it sent more than ${maxBytes / 1024 / 1024} MB`);
        controller.error(error);
        onTooLarge(error);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
}
