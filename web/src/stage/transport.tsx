import { Pause, Play, RotateCw, SkipBack, StepBack, StepForward } from 'lucide-react';
import { Slider } from 'radix-ui';
import type { Scene } from '../../../server/contract/project.ts';
import { formatTimecode } from '../format.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { sceneColour } from '../ui/scene-colour.ts';
import { assignLanes } from './lanes.ts';
import { useRunningSeconds } from './use-running-seconds.ts';

interface TransportProps {
  seconds: number;
  durationSeconds: number;
  fps: number;
  playing: boolean;
  enabled: boolean;
  scenes: readonly Scene[];
  onPlay: () => void;
  onPause: () => void;
  onSeek: (seconds: number) => void;
  onReload: () => void;
}

/** Play, step and scrub; the scenes lie under the playhead. Arrow keys on the bar go by one frame, page keys by ten. */
export function Transport(props: TransportProps) {
  const { durationSeconds, fps, playing, enabled, onPlay, onPause, onSeek, onReload } = props;
  const seconds = useRunningSeconds(props.seconds, { playing, durationSeconds });
  const frame = 1 / fps;
  const last = Math.max(0, durationSeconds - frame);
  const step = (direction: 1 | -1) => {
    onPause();
    onSeek(Math.min(last, Math.max(0, seconds + direction * frame)));
  };
  return (
    <div className="shrink-0 border-line border-t bg-panel px-3 pt-3 pb-2.5 sm:px-4">
      <ScrubBar {...props} seconds={seconds} />
      <div className="mt-1.5 flex items-center gap-0.5">
        <IconButton label={texts.stage.toStart} disabled={!enabled} onClick={() => onSeek(0)}>
          <SkipBack className="size-4" />
        </IconButton>
        <IconButton label={texts.stage.stepBack} disabled={!enabled} onClick={() => step(-1)} className="max-sm:hidden">
          <StepBack className="size-4" />
        </IconButton>
        <IconButton
          label={playing ? texts.stage.pause : texts.stage.play}
          disabled={!enabled}
          onClick={playing ? onPause : onPlay}
          className="text-ink"
        >
          {playing ? <Pause className="size-4.5 fill-current" /> : <Play className="size-4.5 fill-current" />}
        </IconButton>
        <IconButton label={texts.stage.stepForward} disabled={!enabled} onClick={() => step(1)} className="max-sm:hidden">
          <StepForward className="size-4" />
        </IconButton>
        <p className="ml-2 font-mono text-[13px] tabular-nums">
          {formatTimecode(seconds, fps)}
          <span className="text-ink-3"> / {formatTimecode(durationSeconds, fps)}</span>
        </p>
        <p className="ml-3 hidden font-mono text-ink-3 text-xs tabular-nums sm:block">
          {texts.stage.frame(Math.round(seconds * fps))}
        </p>
        <IconButton label={texts.stage.reloadPreview} onClick={onReload} className="ml-auto">
          <RotateCw className="size-4" />
        </IconButton>
      </div>
    </div>
  );
}

function ScrubBar({ seconds, durationSeconds, fps, enabled, scenes, onSeek }: TransportProps) {
  const { lanes, count } = assignLanes(scenes);
  return (
    <Slider.Root
      min={0}
      max={durationSeconds}
      step={1 / fps}
      value={[Math.min(seconds, durationSeconds)]}
      disabled={!enabled}
      onValueChange={([next]) => next !== undefined && onSeek(next)}
      className="group relative flex h-9 touch-none select-none items-center"
    >
      <Slider.Track className="relative h-7 grow cursor-pointer overflow-hidden rounded-md bg-sunken">
        {scenes.map((scene, index) => (
          <span
            key={scene.number}
            aria-hidden="true"
            className="absolute flex items-center overflow-hidden px-2 text-[11px] text-ink-2 leading-none"
            style={{
              left: `${(100 * scene.startSeconds) / durationSeconds}%`,
              width: `calc(${(100 * scene.durationSeconds) / durationSeconds}% - 1px)`,
              top: `${(100 * (lanes[index] ?? 0)) / count}%`,
              height: `calc(${100 / count}% - ${count > 1 ? 1 : 0}px)`,
              backgroundColor: sceneColour(scene.number),
            }}
          >
            {count <= 2 && <span className="truncate">{scene.title}</span>}
          </span>
        ))}
      </Slider.Track>
      <Slider.Thumb
        aria-label={texts.stage.scrub}
        aria-valuetext={texts.stage.timeOf(formatTimecode(seconds, fps), formatTimecode(durationSeconds, fps))}
        className="block h-9 w-[3px] rounded-full bg-accent shadow-[0_0_0_1.5px_var(--panel)] outline-offset-3"
      />
    </Slider.Root>
  );
}
