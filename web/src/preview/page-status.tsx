import { RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button, Spinner } from '../ui/elements.tsx';
import type { FrameState } from './page-health.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';

interface PageStatusProps {
  player: Player;
  frame: FrameState;
  onReload: () => void;
  onStop: () => void;
}

/** Lies over the frame and says what is going on, whenever there is no living page in it. */
export function PageStatus({ player, frame, onReload, onStop }: PageStatusProps) {
  const health = usePlayerState(player, (state) => state.health);
  const reload = (label: string) => (
    <Button size="sm" onClick={onReload}>
      <RotateCw className="size-3.5" />
      {label}
    </Button>
  );
  const stop = (
    <Button size="sm" variant="quiet" onClick={onStop}>
      Stop preview
    </Button>
  );
  if (frame === 'ending') return <Cover busy title="Restarting the page…" />;
  if (frame === 'stopped') {
    return (
      <Cover title="The live preview is stopped." text="The project is safe. Show the preview again when its code has changed.">
        {reload('Show preview')}
      </Cover>
    );
  }
  if (frame === 'flooded') {
    return (
      <Cover title="Koda stopped the preview: its page kept sending messages." text="It restarts when its code changes.">
        {reload('Show preview')}
      </Cover>
    );
  }
  switch (health) {
    // It is taken away at once.
    case 'flooding':
    case 'alive':
      return null;
    case 'loading':
      return <Cover busy title="Starting the live preview…" />;
    case 'late':
      return (
        <Cover
          title="The preview has not answered yet."
          text={`Its page may be empty, or stuck in an endless loop. It restarts when its code changes.`}
        >
          {reload('Reload')}
          {stop}
        </Cover>
      );
    case 'failed':
      return (
        <Cover title="The preview reported an error and did not start." text="It restarts when its code changes.">
          {reload('Reload')}
        </Cover>
      );
    case 'silent':
      return (
        <Cover
          title={<SilentFor player={player} />}
          text={`Its code may be stuck in an endless loop, use too much memory, or take very long for each frame. It restarts when its code changes.`}
        >
          {reload('Reload')}
          {stop}
        </Cover>
      );
  }
}

function SilentFor({ player }: { player: Player }) {
  const sinceMs = usePlayerState(player, (state) => state.healthSinceMs);
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tabular-nums">{`The preview has not answered for ${Math.max(1, Math.round((nowMs - sinceMs) / 1000))} s.`}</span>
  );
}

interface CoverProps {
  title: ReactNode;
  text?: string;
  busy?: boolean;
  children?: ReactNode;
}

function Cover({ title, text, busy = false, children }: CoverProps) {
  return (
    <div
      role="status"
      // Over the handle of a comparison, and over what the browser itself shows of an address that does not answer yet.
      className="absolute inset-0 z-20 flex animate-fade flex-col items-center justify-center gap-1 overflow-auto bg-panel p-4 text-center text-[13px] text-ink-2"
    >
      {busy && <Spinner className="mb-2" />}
      <p className="font-medium text-ink">{title}</p>
      {text && <p className="max-w-90 text-balance">{text}</p>}
      {children && <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
