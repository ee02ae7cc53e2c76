import type { KodaError } from '../contract/errors.ts';
import type { Render } from '../contract/render.ts';

/** Whether nothing more happens to it. */
export function isOver(render: Render): boolean {
  return render.status !== 'queued' && render.status !== 'running';
}

/** A render that ended without a file, with the reason. */
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
