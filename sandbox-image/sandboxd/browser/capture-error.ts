import { ProtocolError } from '../http.ts';

/** Reason for a failed capture. `crashed` and `reloaded` may succeed on a retry; all others are caused by the page. */
export type CaptureErrorReason =
  | 'unreachable'
  | 'never_ready'
  | 'page_error'
  | 'bad_parameters'
  | 'bad_aspect'
  | 'seek_failed'
  | 'seek_async'
  | 'zero_duration'
  | 'webgl_lost'
  | 'nothing_drawn'
  | 'blocked'
  | 'reloaded'
  | 'crashed';

const advice: Record<CaptureErrorReason, string> = {
  unreachable: 'Check the dev server’s log.',
  never_ready:
    'The stage sets window.__exportReady once fonts, images and the first frame are loaded. Look for an import that fails or an asset that never loads.',
  page_error: 'Fix the error; the page must load without one.',
  bad_parameters: 'Correct the value, or omit it to use the default.',
  bad_aspect: 'Render it without the preset, in its own shape.',
  seek_failed: 'window.__exportSeekTo(seconds) must draw every time from 0 to the end without an error.',
  seek_async: 'window.__exportSeekTo(seconds) must draw before it returns. Load everything before setting window.__exportReady.',
  zero_duration: 'Give the stage a duration above zero (window.__exportInfo.durationSeconds).',
  webgl_lost: 'Use fewer or smaller textures and render targets, or a lower resolution.',
  nothing_drawn:
    'Check the page in the preview. Look for a canvas without a size, a camera that points away, or objects in the background colour.',
  blocked: 'Look for an endless loop or for work that grows over time. Drawing a frame must take well under a second.',
  reloaded: 'Wait for the files to be written, then try again.',
  crashed: 'Try again; if it crashes again, use a lower resolution or fewer workers.',
};

/** A failed capture: what happened, the page's console errors, and advice. */
export class CaptureError extends ProtocolError {
  readonly reason: CaptureErrorReason;

  /** `evidence` contains the page's error messages, newest last. The message quotes up to five of them. */
  constructor(reason: CaptureErrorReason, what: string, evidence: readonly string[]) {
    const quoted = evidence.length > 0 ? ` Console errors: ${evidence.slice(-5).join(' | ')}.` : '';
    super(
      reason === 'bad_parameters' || reason === 'bad_aspect' ? 'VALIDATION_ERROR' : 'CAPTURE_FAILED',
      `${what}${quoted} ${advice[reason]}`,
      {
        reason,
        console: evidence,
      },
    );
    this.name = 'CaptureError';
    this.reason = reason;
  }

  get isRetryable(): boolean {
    return this.reason === 'crashed' || this.reason === 'reloaded';
  }
}
