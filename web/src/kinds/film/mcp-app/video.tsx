import { Clapperboard, Download, Film } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { formatSeconds } from '#contract/display.ts';
import type { RenderSummary, State } from '#contract/mcp-results.ts';
import { Button, Empty, ProgressBar, Waiting } from '../../../ui/elements.tsx';
import { renderErrorOf, renderInProgress, scenesOf, videoOf } from './film-state.ts';
import type { FilmStore } from './film-store.ts';
import { dataUrl } from './host.ts';

/** The finished video, or the render that makes it. */
export function VideoPanel({ store, project }: { store: FilmStore; project: State }) {
  const running = renderInProgress(project);
  const shown = videoOf(project);
  const error = running === null ? renderErrorOf(project) : null;
  return (
    <section aria-label="Video">
      {running === null && shown === null && (
        <Empty icon={<Film />} title="No video yet" text="Render the film in full quality to watch and download it here." />
      )}
      {running !== null && <RenderProgress store={store} render={running} />}
      {running === null && shown !== null && <Video store={store} render={shown} project={project} />}
      {error !== null && (
        <p role="alert" className="wrap-anywhere mt-3 text-[13px] text-bad">
          {`The last render failed: ${error}`}
        </p>
      )}
      {running === null && <Actions store={store} shown={shown} />}
    </section>
  );
}

function Actions({ store, shown }: { store: FilmStore; shown: RenderSummary | null }) {
  const pending = useStore(store.state, (state) => state.pending);
  const isFinal = shown?.kind === 'final';
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2 border-line border-t pt-4">
      {isFinal && (
        <Button
          variant="primary"
          icon={Download}
          disabled={pending !== null}
          pending={pending === 'download' && 'Downloading…'}
          onClick={() => void store.download(shown)}
        >
          Download
        </Button>
      )}
      <Button
        variant={isFinal ? 'secondary' : 'primary'}
        icon={Clapperboard}
        disabled={pending !== null}
        pending={pending === 'render' && 'Starting…'}
        onClick={() => void store.render()}
      >
        {isFinal ? 'Render again' : 'Render video'}
      </Button>
      {shown !== null && !isFinal && <p className="text-[13px] text-ink-2">This is a quick preview in low resolution.</p>}
    </div>
  );
}

function RenderProgress({ store, render }: { store: FilmStore; render: RenderSummary }) {
  const pending = useStore(store.state, (state) => state.pending);
  const percent = Math.floor(render.percent);
  return (
    <div className="flex min-h-48 flex-col items-center justify-center gap-3 rounded-xl bg-sunken p-6 text-center">
      <p className="font-medium">
        {render.status === 'queued' ? 'Waiting for a free renderer…' : `Rendering the video: ${percent} %`}
      </p>
      <ProgressBar label="Rendering the video" percent={percent} className="h-1.5 w-full max-w-100 rounded-full" />
      <p className="text-[13px] text-ink-2 tabular-nums">{`${render.width} × ${render.height}`}</p>
      <Button
        size="sm"
        disabled={pending !== null}
        pending={pending === 'cancel' && 'Cancelling…'}
        onClick={() => void store.cancelRender(render)}
      >
        Cancel render
      </Button>
    </div>
  );
}

function Video({ store, render, project }: { store: FilmStore; render: RenderSummary; project: State }) {
  const video = useStore(store.state, (state) => (state.video?.renderId === render.render_id ? state.video : null));
  const { width, height, duration_seconds: duration, size_bytes: size } = render;
  // A film's first frame is often empty, so the poster is a later one.
  const posterSeconds = scenesOf(project)[0]?.holdSeconds ?? 0;
  const poster = useStore(store.state, ({ frames }) => frames[posterSeconds]);
  useEffect(() => {
    if (poster === undefined) store.requestFrame(posterSeconds);
  }, [poster, posterSeconds, store]);
  return (
    <>
      <div className="flex justify-center overflow-hidden rounded-xl border border-line bg-sunken">
        {video?.media ? (
          // biome-ignore lint/a11y/useMediaCaption: a rendered film has no captions of its own; its texts are in the storyboard.
          <video
            controls
            playsInline
            aria-label={`Video: ${project.name}`}
            poster={poster?.state === 'ready' ? poster.src : undefined}
            src={dataUrl(video.media)}
            className="max-h-[75vh] max-w-full"
            style={{ aspectRatio: `${width} / ${height}` }}
          />
        ) : (
          <div className="flex min-h-48 w-full items-center justify-center p-6 text-center" style={{ aspectRatio: '16 / 9' }}>
            {video?.failure ? <p className="max-w-90 text-ink-2">{video.failure}</p> : <Waiting>Loading the video…</Waiting>}
          </div>
        )}
      </div>
      <p className="mt-2 text-[13px] text-ink-2 tabular-nums">
        {[
          `${width} × ${height}`,
          ...(duration === null ? [] : [formatSeconds(duration)]),
          ...(size === null ? [] : [formatMegabytes(size)]),
        ].join(' · ')}
      </p>
    </>
  );
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(bytes < 1024 ** 2 ? 2 : 1)} MB`;
