interface ProgressStreamOptions<Line extends object> {
  /** Does the work and resolves to the last line. `signal` fires when the reader goes away or the server shuts down. */
  readonly work: (report: (progress: Line) => void, signal: AbortSignal) => Promise<Line>;
  /** The last line when the work fails, unless the reader is gone. */
  readonly failure: (error: unknown) => Line;
  /** After this long without a line the newest is sent again: many clients give up a silent connection. */
  readonly heartbeatMs: number;
  /** Ends the work from outside. */
  readonly signal: AbortSignal;
}

/**
 * Long work as NDJSON, one JSON value per line: its progress, and at last its result. A slow reader misses some of the
 * progress, never the result; a reader that goes away ends the work.
 */
export function progressStream<Line extends object>(options: ProgressStreamOptions<Line>): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();

  async function run(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (line: Line) => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
    let newest: Line | null = null;
    const repeat = (): void => {
      if (newest !== null && !gone.signal.aborted && (controller.desiredSize ?? 0) > 0) write(newest);
      heartbeat.refresh();
    };
    const heartbeat = setTimeout(repeat, options.heartbeatMs);
    const report = (progress: Line): void => {
      newest = progress;
      repeat();
    };
    let last: Line;
    try {
      last = await options.work(report, AbortSignal.any([gone.signal, options.signal]));
    } catch (error) {
      if (gone.signal.aborted) return;
      last = options.failure(error);
    } finally {
      clearTimeout(heartbeat);
    }
    if (gone.signal.aborted) return;
    write(last);
    controller.close();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Not awaited: nothing can be read before `start` has returned.
        void run(controller);
      },
      cancel() {
        gone.abort();
      },
    },
    { highWaterMark: 16 },
  );
}
