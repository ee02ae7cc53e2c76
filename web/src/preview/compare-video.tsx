import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { cx } from '../ui/class-names.ts';
import type { VersionVideo } from './compare-bar.tsx';
import type { Player } from './player.ts';

/** Of a `<video>`, what matters for keeping it in time. */
interface VideoMoment {
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

interface CompareVideoProps {
  video: VersionVideo;
  player: Player;
  label: string;
  className?: string;
  style?: CSSProperties;
}

/** A finished video at the moment of the player: plays along, and stands still on the same frame. */
export function CompareVideo({ video: { render }, player, label, className, style }: CompareVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const { fps } = render.settings;

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    const sync = () => {
      const { seconds, playing, settings, health } = player.store.getState();
      // Without anybody to count the time, nothing goes on.
      const runs = playing && (health === 'alive' || player.isDetached);
      const { seek, play } = followVideo(video, { seconds, playing: runs, videoFps: fps });
      video.playbackRate = settings.speed;
      if (seek !== null) video.currentTime = seek;
      // It may be taken away before it plays.
      if (play && video.paused) video.play().catch(() => undefined);
      else if (!play && !video.paused) video.pause();
    };
    const stop = player.store.subscribe(sync);
    const over = new AbortController();
    for (const event of ['loadedmetadata', 'seeked', 'ended']) video.addEventListener(event, sync, { signal: over.signal });
    sync();
    return () => {
      stop();
      over.abort();
    };
  }, [player, fps]);

  return (
    <div className={cx('absolute overflow-hidden', className)} style={style}>
      <video
        ref={element}
        src={render.videoUrl ?? undefined}
        poster={render.thumbnailUrl ?? undefined}
        aria-label={label}
        muted
        playsInline
        preload="auto"
        onError={() => setFailed(true)}
        className="size-full"
      />
      {failed && (
        <p role="alert" className="absolute inset-0 flex items-center justify-center bg-panel text-[13px] text-ink-2">
          This video cannot be played.
        </p>
      )}
    </div>
  );
}
