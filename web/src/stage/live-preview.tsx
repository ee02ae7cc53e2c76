import { MonitorPlay, RotateCw } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { frameSize } from '../../../server/contract/render.ts';
import { useView } from '../project/context.ts';
import { useSeekRequests } from '../project/use-seek-requests.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { PreviewConsole } from './preview-console.tsx';
import { Transport } from './transport.tsx';
import { usePreview } from './use-preview.ts';

/** A preview that has said nothing for so long is told to be silent. */
const patienceMs = 20_000;

export function LivePreview() {
  const url = useView((view) => view.project.previewUrl);
  const running = useView((view) => view.project.running);
  if (url !== null) return <PreviewFrame url={url} />;
  return running ? (
    <Empty icon={<Spinner />} title={texts.stage.startingPreview} text={texts.stage.noPreviewText} />
  ) : (
    <Empty icon={<MonitorPlay />} title={texts.stage.noPreviewTitle} text={texts.stage.noPreviewText} />
  );
}

function PreviewFrame({ url }: { url: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [reloads, setReloads] = useState(0);
  const version = useView((view) => view.previewVersion);
  const plan = useView((view) => view.plan);
  const generation = `${url} ${reloads}`;
  const { state, tell, seek } = usePreview(frame, url, generation);
  const stillAt = useCallback(
    (seconds: number) => {
      tell({ type: 'koda:pause' });
      seek(seconds);
    },
    [tell, seek],
  );
  useSeekRequests(stillAt, state.ready);
  // The frame is sent there again, not made anew: a page whose frame is taken away cannot tidy up.
  const reload = useCallback(() => {
    if (frame.current) frame.current.src = url;
    setReloads((count) => count + 1);
  }, [url]);

  // The dev server came up. A page that is alive finds its way back to it by itself, without a blink.
  const versionShown = useRef(version);
  useEffect(() => {
    if (versionShown.current === version) return;
    versionShown.current = version;
    if (!state.ready) reload();
  }, [version, state.ready, reload]);
  const planned = frameSize(plan?.aspect ?? '16:9', '1080p');
  const width = state.width ?? planned.width;
  const height = state.height ?? planned.height;

  return (
    <div className="flex h-full flex-col">
      <div className="relative min-h-0 flex-1 bg-stage p-3 sm:p-6">
        <div className="flex size-full items-center justify-center [container-type:size]">
          {/* As large as the room allows, in the proportions of the film. */}
          <div
            className="relative overflow-hidden rounded-md bg-panel shadow-lift"
            style={{ aspectRatio: `${width} / ${height}`, width: `min(100cqw, calc(100cqh * ${width / height}))` }}
          >
            <iframe
              key={url}
              ref={frame}
              src={url}
              title={texts.stage.previewFrame}
              sandbox="allow-scripts allow-same-origin"
              allow="autoplay"
              referrerPolicy="no-referrer"
              className="absolute inset-0 size-full"
            />
            {!state.ready && <Waiting key={generation} onReload={reload} />}
          </div>
        </div>
      </div>
      <PreviewConsole errors={state.errors} />
      <Transport
        seconds={state.seconds}
        durationSeconds={state.durationSeconds ?? plan?.durationSeconds ?? 1}
        fps={state.fps ?? plan?.fps ?? 60}
        playing={state.playing}
        enabled={state.ready}
        scenes={plan?.scenes ?? []}
        onPlay={() => tell({ type: 'koda:play' })}
        onPause={() => tell({ type: 'koda:pause' })}
        onSeek={seek}
        onReload={reload}
      />
    </div>
  );
}

function Waiting({ onReload }: { onReload: () => void }) {
  const [silent, setSilent] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSilent(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      role="status"
      className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-panel/90 text-[13px] text-ink-2"
    >
      {silent ? (
        <>
          {texts.stage.previewSilent}
          <Button size="sm" onClick={onReload}>
            <RotateCw aria-hidden="true" className="size-3.5" />
            {texts.stage.reloadPreview}
          </Button>
        </>
      ) : (
        <>
          <Spinner />
          {texts.stage.startingPreview}
        </>
      )}
    </div>
  );
}
