import { type RefObject, useEffect } from 'react';
import type { Render } from '../../../server/contract/render.ts';
import { routes, routeUrl } from '../../../server/contract/routes.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { playGrowingFilm } from './growing-film.ts';
import { renderLabel } from './render-label.ts';

interface LiveVideoProps {
  render: Render;
  ref: RefObject<HTMLVideoElement | null>;
  /** Before its first picture there is nothing to see of it. */
  hidden: boolean;
  /** Whether it waits to be played, for readers who wish for less motion. */
  calm: boolean;
  onPicture: () => void;
  onBroken: () => void;
}

/** A preview that plays while it is being rendered. */
export function LiveVideo({ render, ref, hidden, calm, onPicture, onBroken }: LiveVideoProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one film for each render, whatever is told of its progress.
  useEffect(() => {
    const video = ref.current;
    if (!video) return;
    const stop = new AbortController();
    playGrowingFilm(video, routeUrl(routes.liveRender, { id: render.id }), stop.signal).catch(() => {
      if (!stop.signal.aborted) onBroken();
    });
    return () => {
      stop.abort();
      // Frees the decoder at once; the element itself may live on for a while.
      video.removeAttribute('src');
      video.load();
    };
  }, [render.id]);
  return (
    <video
      ref={ref}
      data-live={render.id}
      aria-label={texts.renders.livePlayer(renderLabel(render))}
      muted
      playsInline
      autoPlay={!calm}
      controls={calm}
      onLoadedData={onPicture}
      onError={onBroken}
      className={cx('absolute inset-0 size-full object-cover', hidden && 'invisible')}
    />
  );
}
