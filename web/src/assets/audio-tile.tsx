import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatSeconds } from '../../../server/contract/format.ts';
import { texts } from '../texts.ts';

/** Ends what is heard, and lets go of its connection: a browser has six of them to a server. */
let silence: (() => void) | null = null;

/** A sound that can be heard; one at a time. It is fetched when it is played. */
export function AudioTile({ name, url }: { name: string; url: string }) {
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
      // Paused again before it began is no fault.
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
        aria-label={playing ? texts.assets.pause(name) : texts.assets.play(name)}
        onClick={toggle}
        className="flex size-11 items-center justify-center rounded-full border border-line-strong bg-panel text-ink transition-colors hover:border-ink-3"
      >
        {playing ? <Pause aria-hidden="true" className="size-4.5" /> : <Play aria-hidden="true" className="ml-0.5 size-4.5" />}
      </button>
      {failed ? (
        <p role="alert" className="text-bad text-xs">
          {texts.assets.notPlayable}
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
            aria-label={texts.assets.position(name)}
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
