/** Moments of a video are told with rounding; one this little before a frame (in frames) is that frame. */
const tolerance = 0.01;

/** The frame that a video shows at a moment, counted from 0. `fps` in frames a second. */
export function frameAt(seconds: number, fps: number): number {
  return Math.max(0, Math.floor(seconds * fps + tolerance));
}

/** A moment safely inside a frame: a seek to its very beginning may end at the one before. */
export function secondsOfFrame(frame: number, fps: number): number {
  return (frame + 0.5) / fps;
}

/** The moment to seek to for so many frames on or back, within the video. */
export function stepped(seconds: number, frames: number, video: { fps: number; durationSeconds: number }): number {
  const last = Math.max(0, Math.round(video.durationSeconds * video.fps) - 1);
  const frame = frameAt(seconds, video.fps) + frames;
  return secondsOfFrame(Math.min(last, Math.max(0, frame)), video.fps);
}
