import { type ErrorCode, errorCodeSchema, errorMessage, isCancelled, KodaError } from '#contract/errors.ts';
import type { Render } from '#contract/render.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';

const sameMeaning: Partial<Record<string, ErrorCode>> = { EXECUTION_FAILED: 'RENDER_FAILED', INTERNAL_ERROR: 'RENDER_FAILED' };

/** Converts an error into one that can be shown to the user. Unknown errors become RENDER_FAILED. */
export function renderFailure(error: unknown): KodaError {
  if (error instanceof KodaError) return error;
  if (error instanceof SandboxdError) {
    const known = errorCodeSchema.safeParse(sameMeaning[error.code] ?? error.code);
    return new KodaError(known.success ? known.data : 'RENDER_FAILED', error.message, {
      details: error.details,
      recovery: 'retry',
      cause: error,
    });
  }
  if (isCancelled(error)) return new KodaError('CANCELLED', 'The render was cancelled.', { cause: error });
  return new KodaError('RENDER_FAILED', `The render failed: ${errorMessage(error)}`, { recovery: 'retry', cause: error });
}

export function isOver(render: Render): boolean {
  return render.status !== 'queued' && render.status !== 'running';
}

export function failed(render: Render, error: KodaError): Render {
  const { code, message } = error;
  return {
    ...render,
    status: code === 'CANCELLED' ? 'cancelled' : 'failed',
    stage: null,
    error: { code, message },
    finishedAt: new Date().toISOString(),
  };
}
