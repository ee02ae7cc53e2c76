import { ChevronsLeftRight } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { addressOf } from '../../../address.ts';
import { cx } from '../../../ui/elements.tsx';
import type { VersionVideo } from './compare-bar.tsx';
import type { Player } from './player.ts';

/** The part of `<video>` that synchronisation needs. */
interface VideoState {
  readonly currentTime: number;
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly duration: number;
}

interface Leader {
  readonly seconds: number;
  readonly playing: boolean;
  readonly videoFps: number;
}

/** Tolerated offset during playback, because each correction is visible as a jerk. */
const playingToleranceSeconds = 0.12;

/** Returns where to seek the video to match the film (`null` for no seek), and whether it plays. */
export function followVideo(video: VideoState, { seconds, playing, videoFps }: Leader): { seek: number | null; play: boolean } {
  if (Number.isNaN(video.duration)) return { seek: null, play: false };
  const lastFrame = Math.max(0, Math.round(video.duration * videoFps) - 1);
  const frame = Math.min(Math.floor(seconds * videoFps + 1e-3), lastFrame);
  // A shorter version pauses at its end until the other one ends.
  const play = playing && frame < lastFrame;
  // Seeks to the middle of the frame. At its edge, rounding would determine which frame is shown.
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

/** Shows a finished video in sync with the player, on the same frame when paused. */
export function CompareVideo({ video: { render }, player, label, className, style }: CompareVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const { fps } = render.settings;

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    const sync = () => {
      const { seconds, playing, settings, health } = player.store.getState();
      // Plays only if the page or the player advances the time.
      const runs = playing && (health === 'responsive' || player.isDetached);
      const { seek, play } = followVideo(video, { seconds, playing: runs, videoFps: fps });
      video.playbackRate = settings.speed;
      if (seek !== null) video.currentTime = seek;
      // The element may be removed before it plays.
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
        src={render.videoUrl === null ? undefined : addressOf(render.videoUrl)}
        poster={render.thumbnailUrl === null ? undefined : addressOf(render.thumbnailUrl)}
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

/** Returns the position of the divider after a key press, or `null` for other keys. */
export function wipeAfterKey(share: number, { key, shiftKey }: { key: string; shiftKey: boolean }): number | null {
  const step = shiftKey ? 0.1 : 0.01;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, share - step);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(1, share + step);
    case 'PageDown':
      return Math.max(0, share - 0.1);
    case 'PageUp':
      return Math.min(1, share + 0.1);
    case 'Home':
      return 0;
    case 'End':
      return 1;
    default:
      return null;
  }
}

interface WipeHandleProps {
  /** Fraction of the frame that shows the version before, 0 to 1 from the left. */
  share: number;
  onChange: (share: number) => void;
}

/** Divider between two overlaid versions, moved by dragging or with the arrow keys. Fills its parent. */
export function WipeHandle({ share, onChange }: WipeHandleProps) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (frame) onChange(Math.min(1, Math.max(0, (event.clientX - frame.left) / frame.width)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = wipeAfterKey(share, event);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  };
  const percent = Math.round(100 * share);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Divider between the versions"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} % of the earlier version`}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
      className="group absolute inset-y-0 z-10 flex w-11 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center outline-none"
      style={{ left: `${100 * share}%` }}
    >
      <span className="absolute inset-y-0 w-0.5 bg-white shadow-[0_0_0_1px_rgb(0_0_0/0.35)]" />
      <span className="relative flex size-8 items-center justify-center rounded-full bg-white text-black shadow-lift group-focus-visible:outline-2 group-focus-visible:outline-accent group-focus-visible:outline-offset-2">
        <ChevronsLeftRight className="size-4" />
      </span>
    </div>
  );
}
