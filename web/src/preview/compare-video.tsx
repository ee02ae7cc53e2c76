import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { followVideo } from './follow-video.ts';
import type { Player } from './player.ts';
import type { VersionVideo } from './versions.ts';

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
          {texts.preview.videoFailed}
        </p>
      )}
    </div>
  );
}
