import { ProtocolError } from '../http.ts';

/**
 * Why a page could not be captured.
 * `crashed` and `reloaded` may pass when tried again; the others are the page's own doing.
 */
export type FaultReason =
  | 'unreachable'
  | 'never_ready'
  | 'page_error'
  | 'bad_parameters'
  | 'seek_failed'
  | 'seek_async'
  | 'zero_duration'
  | 'webgl_lost'
  | 'nothing_drawn'
  | 'blocked'
  | 'reloaded'
  | 'crashed';

const advice: Record<FaultReason, string> = {
  unreachable: 'Look at the log of the dev server.',
  never_ready:
    'The stage sets window.__exportReady once fonts, images and the first frame are there; look for an import that fails or an asset that never loads.',
  page_error: 'Mend the error; the page must load without one.',
  bad_parameters: 'Correct the value, or leave it out to have the default.',
  seek_failed: 'window.__exportSeekTo(seconds) must draw every moment from 0 to the end without an error.',
  seek_async: 'window.__exportSeekTo(seconds) must draw before it returns: load everything before window.__exportReady is set.',
  zero_duration: 'Give the stage a duration above zero (window.__exportInfo.durationSeconds).',
  webgl_lost: 'Use fewer or smaller textures and render targets, or a lower resolution.',
  nothing_drawn:
    'Look at the page in the preview; look for a canvas without a size, a camera that looks away, or things in the colour of the ground.',
  blocked: 'Look for an endless loop or for work that grows with time; a frame must be drawn in well under a second.',
  reloaded: 'Wait until the files are written, then try again.',
  crashed: 'Try again; if it crashes again, use a lower resolution or fewer workers.',
};

/** A page that cannot be captured: what happened, what its console said, what to do. */
export class CaptureFault extends ProtocolError {
  readonly reason: FaultReason;

  /** `evidence` are the page's own error messages, newest last; at most five are quoted in the message. */
  constructor(reason: FaultReason, what: string, evidence: readonly string[]) {
    const quoted = evidence.length > 0 ? ` The page said: ${evidence.slice(-5).join(' | ')}` : '';
    super(reason === 'bad_parameters' ? 'VALIDATION_ERROR' : 'CAPTURE_FAILED', `${what}${quoted} ${advice[reason]}`, {
      reason,
      console: evidence,
    });
    this.name = 'CaptureFault';
    this.reason = reason;
  }

  get mayPass(): boolean {
    return this.reason === 'crashed' || this.reason === 'reloaded';
  }
}
