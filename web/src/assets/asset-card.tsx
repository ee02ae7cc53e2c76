import { ImageOff, MessageSquarePlus, Pause, Play, Trash2, Type } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatBytes, formatSeconds } from '#contract/display.ts';
import type { Asset } from '#contract/project.ts';
import { api } from '../api/client.ts';
import { IconButton, Spinner } from '../ui/elements.tsx';

/**
 * Draws sample letters in an uploaded font. Browsers validate fonts before using them, and the family name is unique to this
 * sample.
 */
function FontSample({ family, url }: { family: string; url: string }) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const face = new FontFace(family, `url("${url}")`);
    let left = false;
    const show = (next: typeof state) => {
      if (!left) setState(next);
    };
    document.fonts.add(face);
    face.load().then(
      () => show('ready'),
      () => show('failed'),
    );
    return () => {
      left = true;
      document.fonts.delete(face);
    };
  }, [family, url]);
  if (state === 'loading') return <Spinner className="text-ink-3" />;
  if (state === 'failed') return <Type className="size-6 text-ink-3" />;
  return (
    <p
      aria-hidden="true"
      style={{ fontFamily: `"${family}"` }}
      className="max-h-full overflow-hidden wrap-anywhere p-3 text-center text-ink text-xl leading-7"
    >
      Hamburgefonstiv 0123
    </p>
  );
}

const kindNames: Record<Asset['kind'], string> = { image: 'Image', audio: 'Audio', font: 'Font' };

interface AssetCardProps {
  asset: Asset;
  projectId: string;
  onInsert: () => void;
  onDelete: () => void;
}

export function AssetCard({ asset, projectId, onInsert, onDelete }: AssetCardProps) {
  const { name, kind, sizeBytes, width, height, moves } = asset;
  const facts = [formatBytes(sizeBytes), width !== null && height !== null ? `${width}×${height}` : null, kindNames[kind]];
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded-xl border border-line bg-panel">
      <div className="flex aspect-[4/3] items-center justify-center overflow-hidden border-line border-b bg-sunken">
        <Look asset={asset} url={api.assetUrl(projectId, asset.id)} />
      </div>
      <div className="flex items-center gap-0.5 py-1.5 pr-1.5 pl-3">
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium text-[13px]" title={name}>
            {name}
          </p>
          <p className="truncate text-ink-3 text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
          {moves ? <p className="text-ink-3 text-xs">Moves; films show its first frame</p> : null}
        </div>
        <IconButton icon={MessageSquarePlus} label={`Insert ${name} into the message`} onClick={onInsert} />
        <IconButton icon={Trash2} label={`Delete ${name}`} onClick={onDelete} />
      </div>
    </li>
  );
}

function Look({ asset, url }: { asset: Asset; url: string }) {
  switch (asset.kind) {
    case 'image':
      return <ImageTile url={url} />;
    case 'audio':
      return <AudioTile name={asset.name} url={url} />;
    case 'font':
      return <FontSample family={asset.id} url={url} />;
  }
}

function ImageTile({ url }: { url: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <ImageOff className="size-6 text-ink-3" />;
  return <img src={url} alt="" loading="lazy" onError={() => setFailed(true)} className="size-full object-contain p-2" />;
}

/** Stops the current sound and frees its connection. Browsers allow six connections per server. */
let silence: (() => void) | null = null;

/** Plays one sound at a time, and fetches it only on playback. */
function AudioTile({ name, url }: { name: string; url: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [durationSeconds, setDurationSeconds] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);

  const stop = useRef(() => {
    audio.current?.pause();
    audio.current?.load();
    setSeconds(0);
  });
  useEffect(() => {
    const stopThis = stop.current;
    return () => {
      if (silence === stopThis) silence = null;
    };
  }, []);

  const toggle = () => {
    if (playing) {
      audio.current?.pause();
      return;
    }
    if (silence !== null && silence !== stop.current) silence();
    silence = stop.current;
    audio.current?.play().catch((error: unknown) => {
      // Pausing a sound before it starts rejects `play()` with an AbortError, which is not a failure.
      setFailed(!(error instanceof DOMException && error.name === 'AbortError'));
    });
  };

  return (
    <div className="flex size-full flex-col items-center justify-center gap-3 px-3">
      {/* biome-ignore lint/a11y/useMediaCaption: what it says is not known; it is a sound for an animation. */}
      <audio
        ref={audio}
        src={url}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setSeconds(0)}
        onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) => setDurationSeconds(Number.isFinite(duration) ? duration : null)}
      />
      <button
        type="button"
        aria-label={playing ? `Pause ${name}` : `Play ${name}`}
        onClick={toggle}
        className="flex size-11 items-center justify-center rounded-full border border-line-strong bg-panel text-ink transition-colors hover:border-ink-3"
      >
        {playing ? <Pause className="size-4.5" /> : <Play className="ml-0.5 size-4.5" />}
      </button>
      {failed ? (
        <p role="alert" className="text-bad text-xs">
          Your browser cannot play this audio file.
        </p>
      ) : (
        <div className="flex h-4 w-full items-center gap-2 text-ink-3 text-xs tabular-nums">
          <input
            type="range"
            min={0}
            max={durationSeconds ?? 0}
            step={0.1}
            value={seconds}
            disabled={durationSeconds === null}
            aria-label={`Position in ${name}`}
            aria-valuetext={formatSeconds(seconds)}
            onChange={(event) => {
              const wanted = Number(event.target.value);
              if (audio.current) audio.current.currentTime = wanted;
              setSeconds(wanted);
            }}
            className="h-1 min-w-0 flex-1 accent-accent"
          />
          {durationSeconds !== null && <span>{formatSeconds(durationSeconds)}</span>}
        </div>
      )}
    </div>
  );
}
