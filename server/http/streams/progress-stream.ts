interface ProgressStreamOptions<Line extends object> {
  /** Does the work and resolves to the last line. `signal` aborts on disconnect or shutdown. */
  readonly work: (report: (progress: Line) => void, signal: AbortSignal) => Promise<Line>;
  /** Returns the last line if the work fails while the reader is connected. */
  readonly failure: (error: unknown) => Line;
  /** Interval at which the latest line is repeated, because many clients close an idle connection. */
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
}

/**
 * Streams the progress of long work as NDJSON. A slow reader may miss progress, but not the result. A disconnect aborts the
 * work.
 */
export function progressStream<Line extends object>(options: ProgressStreamOptions<Line>): ReadableStream<Uint8Array> {
  const disconnected = new AbortController();
  const encoder = new TextEncoder();

  async function run(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (line: Line) => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
    let newest: Line | null = null;
    const repeat = (): void => {
      if (newest !== null && !disconnected.signal.aborted && (controller.desiredSize ?? 0) > 0) write(newest);
      heartbeat.refresh();
    };
    const heartbeat = setTimeout(repeat, options.heartbeatMs);
    const report = (progress: Line): void => {
      newest = progress;
      repeat();
    };
    let last: Line;
    try {
      last = await options.work(report, AbortSignal.any([disconnected.signal, options.signal]));
    } catch (error) {
      if (disconnected.signal.aborted) return;
      last = options.failure(error);
    } finally {
      clearTimeout(heartbeat);
    }
    if (disconnected.signal.aborted) return;
    write(last);
    controller.close();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Not awaited, because nothing can be read before `start` returns.
        void run(controller);
      },
      cancel() {
        disconnected.abort();
      },
    },
    { highWaterMark: 16 },
  );
}

/** Responds with the lines of `progressStream`, past caches and proxies that collect what they pass on. */
export function linesResponse<Line extends object>(options: ProgressStreamOptions<Line>): Response {
  const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  return new Response(progressStream(options), { headers });
}
