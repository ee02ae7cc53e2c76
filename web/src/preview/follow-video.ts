/** Of a `<video>`, what matters for keeping it in time. */
export interface VideoMoment {
  readonly currentTime: number;
  readonly paused: boolean;
  readonly seeking: boolean;
  /** NaN until it is known. */
  readonly duration: number;
}

interface Leader {
  readonly seconds: number;
  readonly playing: boolean;
  /** Frames a second of the video. */
  readonly videoFps: number;
}

/** A video that plays may be this far off: each correction is seen as a jerk. */
const playingToleranceSeconds = 0.12;

/** What brings a video to the moment of the film: where to seek (null = nowhere), and whether it plays. */
export function followVideo(video: VideoMoment, { seconds, playing, videoFps }: Leader): { seek: number | null; play: boolean } {
  if (Number.isNaN(video.duration)) return { seek: null, play: false };
  const lastFrame = Math.max(0, Math.round(video.duration * videoFps) - 1);
  const frame = Math.min(Math.floor(seconds * videoFps + 1e-3), lastFrame);
  // A shorter version stands still at its end until the other one is there, too.
  const play = playing && frame < lastFrame;
  // Into the middle of the frame: at its edge, rounding decides which of two is shown.
  const target = play ? seconds : (frame + 0.5) / videoFps;
  const tolerance = play ? playingToleranceSeconds : 0.4 / videoFps;
  const off = Math.abs(video.currentTime - target) > tolerance;
  return { seek: off && !video.seeking ? target : null, play };
}
