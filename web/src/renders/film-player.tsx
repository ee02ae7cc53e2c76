import { type SyntheticEvent, useEffect, useReducer, useRef } from 'react';
import type { Render, RenderFormat } from '#contract/render.ts';
import { addressOf } from '../address.ts';
import { imageOf, isVideo, newestComplete, runningPreview } from '../project/renders.ts';
import { wantsReducedMotion } from '../ui/appearance.ts';
import { cx } from '../ui/elements.tsx';
import { ProgressiveVideo } from './progressive-video.tsx';
import { renderLabel } from './render-label.ts';
import { VideoPlayer } from './video-player.tsx';

/** A preview that plays while it is being rendered, and its player's state. */
export interface Playback {
  readonly renderId: string;
  /**
   * `opening`: no frame yet. `showing`: playing. `broken`: it cannot be played, so only its progress is shown. `replacing`:
   * the finished video exists, but the progressive one stays visible until the finished one shows the same time.
   */
  readonly state: 'opening' | 'showing' | 'broken' | 'replacing';
}

export type PlaybackEvent =
  | { readonly type: 'renders'; readonly renders: readonly Render[] }
  /** Sent by the players: the progressive video shows a frame, it failed, or the finished video shows the same time. */
  | { readonly type: 'frame' | 'broken' | 'replaced'; readonly renderId: string };

/** Returns the state after an event. */
export function nextPlayback(playback: Playback | null, event: PlaybackEvent): Playback | null {
  if (event.type === 'renders') return afterRenders(playback, event.renders);
  if (playback === null || playback.renderId !== event.renderId) return playback;
  switch (event.type) {
    case 'frame':
      return playback.state === 'opening' ? { ...playback, state: 'showing' } : playback;
    case 'broken':
      // The finished video has loaded and replaces it.
      return playback.state === 'replacing' ? null : { ...playback, state: 'broken' };
    case 'replaced':
      return null;
  }
}

function afterRenders(playback: Playback | null, renders: readonly Render[]): Playback | null {
  const atWork = runningPreview(renders);
  if (atWork !== null) return playback?.renderId === atWork.id ? playback : { renderId: atWork.id, state: 'opening' };
  // Only the newest video replaces a progressive one.
  if (playback === null || newestComplete(renders)?.id !== playback.renderId) return null;
  return playback.state === 'showing' || playback.state === 'replacing' ? { ...playback, state: 'replacing' } : null;
}

interface FilmPlayerProps {
  shown: Render | null;
  /** All renders. A running preview replaces `shown` once it has a frame. */
  renders: readonly Render[];
}

/** Plays a film in a box of constant size, from its preview's first frame to the finished video. */
export function FilmPlayer({ shown, renders }: FilmPlayerProps) {
  const [playback, dispatch] = useReducer(nextPlayback, null);
  useEffect(() => dispatch({ type: 'renders', renders }), [renders]);
  const live = useRef<HTMLVideoElement>(null);
  const watched = renders.find(({ id }) => id === playback?.renderId) ?? null;
  const progressive = playback?.state === 'showing' || playback?.state === 'replacing';
  // Beneath a progressive video, only the video that will replace it is loaded.
  const finished = shown !== null && (!progressive || shown.id === playback.renderId) ? shown : null;
  const { width, height } = (finished ?? watched)?.settings ?? { width: 16, height: 9 };
  const reducedMotion = wantsReducedMotion();

  /** Continues at the time of the progressive video, which pauses. */
  const takeOver = ({ currentTarget: video }: SyntheticEvent<HTMLVideoElement>) => {
    if (!live.current || playback?.renderId !== shown?.id) return;
    const playing = !live.current.paused;
    live.current.pause();
    // Both videos play in a loop.
    video.currentTime = live.current.ended ? 0 : live.current.currentTime;
    // The element may be removed before it plays.
    if (playing) video.play().catch(() => undefined);
  };
  const replaced = () => shown && dispatch({ type: 'replaced', renderId: shown.id });

  return (
    <div className="flex size-full items-center justify-center [container-type:size]">
      {/* The box is as large as the pane allows, because the preview's own size would be tiny. */}
      <div
        className="relative overflow-hidden rounded-md bg-panel shadow-lift"
        style={{ aspectRatio: `${width} / ${height}`, width: `min(100cqw, calc(100cqh * ${width / height}))` }}
      >
        {finished && !isVideo(finished) && <StillImage render={finished} />}
        {finished?.videoUrl && isVideo(finished) && (
          <VideoPlayer
            key={finished.id}
            render={finished}
            reducedMotion={reducedMotion}
            onLoadedMetadata={takeOver}
            onSeeked={replaced}
            onError={replaced}
          />
        )}
        {watched && playback && playback.state !== 'broken' && (
          <ProgressiveVideo
            key={`live ${watched.id}`}
            ref={live}
            render={watched}
            hidden={!progressive}
            reducedMotion={reducedMotion}
            onFirstFrame={() => dispatch({ type: 'frame', renderId: watched.id })}
            onBroken={() => dispatch({ type: 'broken', renderId: watched.id })}
          />
        )}
        {watched?.status === 'running' && <Making percent={Math.floor(watched.percent)} />}
      </div>
    </div>
  );
}

const notPlayable: Partial<Record<RenderFormat, string>> = {
  mov: 'Browsers cannot play ProRes. This is one of its frames; download the file for your editor.',
  'png-sequence': 'This is one of its frames; download them all as a zip.',
};

/** Shows an image for a render that browsers cannot play. */
function StillImage({ render }: { render: Render }) {
  const image = imageOf(render);
  const note = notPlayable[render.settings.format];
  return (
    <>
      <img
        src={image === null ? undefined : addressOf(image)}
        alt={renderLabel(render)}
        className={cx('absolute inset-0 size-full', render.settings.transparent && 'checkerboard')}
      />
      {note && <p className="absolute inset-x-0 bottom-0 bg-black/70 px-3 py-2 text-center text-white text-xs">{note}</p>}
    </>
  );
}

function Making({ percent }: { percent: number }) {
  return (
    <div
      role="progressbar"
      aria-label="Rendering the preview…"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="pointer-events-none absolute inset-x-0 top-0 flex animate-fade flex-col items-start"
    >
      <div className="h-0.5 bg-accent transition-[width] duration-300" style={{ width: `${percent}%` }} />
      <p className="m-2.5 rounded-full bg-black/55 px-2.5 py-0.5 text-white text-xs tabular-nums">
        Rendering the preview… {percent} %
      </p>
    </div>
  );
}
