import { ImageOff } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { frameSize } from '#contract/render.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { cx, Spinner } from '../../../ui/elements.tsx';
import { hasFrames, type Scene } from './film-state.ts';
import type { FilmStore } from './film-store.ts';

interface FrameViewProps {
  store: FilmStore;
  scene: Scene;
  seconds: number;
  alt: string;
  className?: string;
}

/** A frame of the live preview. Until it has been captured, a sketch in the film's colours. */
export function FrameView({ store, scene, seconds, alt, className }: FrameViewProps) {
  const frame = useStore(store.state, (state) => state.frames[seconds]);
  const film = useStore(store.state, (state) => state.document?.film ?? null);
  const canLoad = useStore(store.state, hasFrames);
  useEffect(() => {
    if (canLoad && frame === undefined) store.requestFrame(seconds);
  }, [canLoad, frame, seconds, store]);
  const { width, height } = frameSize(film?.aspect ?? '16:9', '720p');
  return (
    <div className={cx('relative overflow-hidden bg-sunken', className)} style={{ aspectRatio: `${width} / ${height}` }}>
      {frame?.state === 'ready' ? (
        <img src={frame.src} alt={alt} className="size-full object-contain" />
      ) : (
        <Sketch store={store} scene={scene} />
      )}
      {frame?.state === 'loading' && (
        <span className="absolute right-2 bottom-2 rounded-full bg-panel p-1 text-ink-2 shadow-card">
          <Spinner className="size-3.5" />
          <span className="sr-only">Loading the picture…</span>
        </span>
      )}
      {frame?.state === 'failed' && (
        <button
          type="button"
          title={frame.message}
          onClick={() => store.retryFrame(seconds)}
          className="absolute right-2 bottom-2 flex items-center gap-1 rounded-full bg-panel px-2 py-1 text-ink text-xs shadow-card"
        >
          <ImageOff aria-hidden="true" className="size-3.5" />
          Load picture again
        </button>
      )}
    </div>
  );
}

function Sketch({ store, scene }: { store: FilmStore; scene: Scene }) {
  const film = useStore(store.state, (state) => state.document?.film ?? null);
  const planned = film?.scenes[scene.number - 1];
  const colours = film === null ? null : themes[film.theme];
  const style =
    colours === null || film === null
      ? {}
      : {
          background: `linear-gradient(${film.colors.ground ?? colours.top}, ${film.colors.ground ?? colours.bottom})`,
          color: film.colors.ink ?? colours.ink,
        };
  return (
    <div style={style} className="flex size-full flex-col items-center justify-center gap-1 p-4 text-center">
      <p className="wrap-anywhere line-clamp-3 font-semibold text-base leading-5">{scene.title}</p>
      {planned !== undefined && !isCode(planned) && <p className="text-xs">{planned.format}</p>}
    </div>
  );
}
