import { Check, Clapperboard, Pause, Play, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { formatSeconds } from '#contract/display.ts';
import type { State } from '#contract/mcp-results.ts';
import { Button, cx, Empty, IconButton, Spinner } from '../../../ui/elements.tsx';
import { sceneColour } from '../../../ui/graphics.tsx';
import { ChangeBox } from './change-box.tsx';
import { lengthOf, renderInProgress, type Scene, scenesOf } from './film-state.ts';
import type { FilmStore } from './film-store.ts';
import { FrameView } from './frame-view.tsx';

/** Distance of the frames that can be chosen. */
const stepSeconds = 0.5;
/** Frames to load ahead while playing. */
const ahead = 4;

/** The film as it is now, frame by frame. A client's sandbox cannot show the page of the live preview itself. */
export function Preview({ store, project }: { store: FilmStore; project: State }) {
  const scenes = scenesOf(project);
  const pending = useStore(store.state, (state) => state.pending);
  const length = lengthOf(scenes);
  const [first] = scenes;
  const [chosen, setSeconds] = useState<number | null>(null);
  const last = Math.max(0, Math.floor((length - 0.05) / stepSeconds) * stepSeconds);
  const seconds = Math.min(chosen ?? Math.round((first?.holdSeconds ?? 0) / stepSeconds) * stepSeconds, last);
  const scene = scenes.findLast(({ startSeconds }) => startSeconds <= seconds) ?? first;
  const [isPlaying, setPlaying] = useState(false);
  usePlayback({ store, isPlaying, seconds, last, onStep: setSeconds, onEnd: () => setPlaying(false) });
  if (scene === undefined) return <Empty icon={<Spinner />} title="No scenes yet" text="The preview appears here." />;

  const playOrPause = () => {
    if (!isPlaying && seconds >= last) setSeconds(0);
    setPlaying(!isPlaying);
  };
  return (
    <section aria-label="Live preview">
      <div className="overflow-hidden rounded-xl border border-line bg-sunken">
        <FrameView
          store={store}
          scene={scene}
          seconds={seconds}
          alt={`The film at ${formatSeconds(seconds)}: ${scene.title}`}
          className="mx-auto max-h-[70vh] max-w-full"
        />
        <div className="border-line border-t bg-panel px-3 py-2">
          <div className="flex items-center gap-2">
            <IconButton icon={isPlaying ? Pause : Play} label={isPlaying ? 'Pause' : 'Play frames'} onClick={playOrPause} />
            <input
              type="range"
              aria-label="Time in the film"
              aria-valuetext={`${formatSeconds(seconds)} of ${formatSeconds(length)}, scene ${scene.number}: ${scene.title}`}
              min={0}
              max={last}
              step={stepSeconds}
              value={seconds}
              onChange={(event) => {
                setPlaying(false);
                setSeconds(Number(event.target.value));
              }}
              className="h-8 min-w-0 flex-1"
            />
            <span className="shrink-0 text-[13px] text-ink-2 tabular-nums">{`${formatSeconds(seconds)} / ${formatSeconds(length)}`}</span>
            <IconButton icon={RefreshCw} label="Load the frames again" onClick={() => store.reloadFrames()} />
          </div>
          <SceneBar scenes={scenes} length={length} current={scene} onPick={setSeconds} />
        </div>
      </div>
      <ChangeBox store={store} label="What should be different?" example="Make the title larger">
        <Button
          variant="primary"
          icon={Clapperboard}
          disabled={pending !== null || renderInProgress(project) !== null}
          pending={pending === 'render' && 'Starting…'}
          onClick={() => void store.render()}
        >
          Render video
        </Button>
        {project.waiting_for === 'preview' && (
          <Button
            icon={Check}
            disabled={pending !== null}
            pending={pending === 'accept' && 'Accepting…'}
            onClick={() => void store.accept()}
          >
            Accept film
          </Button>
        )}
      </ChangeBox>
    </section>
  );
}

interface SceneBarProps {
  scenes: readonly Scene[];
  length: number;
  current: Scene;
  onPick: (seconds: number) => void;
}

function SceneBar({ scenes, length, current, onPick }: SceneBarProps) {
  return (
    <ul aria-label="Scenes" className="mt-1 mb-1 flex gap-1">
      {scenes.map((scene) => (
        <li key={scene.id} className="min-w-0" style={{ flex: `${scene.durationSeconds / length} 1 0` }}>
          <button
            type="button"
            aria-label={`Scene ${scene.number}: ${scene.title}`}
            aria-current={scene === current}
            onClick={() => onPick(Math.ceil(scene.holdSeconds / stepSeconds) * stepSeconds)}
            style={{ backgroundColor: sceneColour(scene.number) }}
            className={cx(
              'h-7 w-full truncate rounded-md border-2 px-1.5 text-left text-[#1f1c19] text-xs in-data-[theme=dark]:text-[#f2efeb]',
              scene === current ? 'border-accent' : 'border-transparent',
            )}
          >
            {scene.title}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface PlaybackOptions {
  store: FilmStore;
  isPlaying: boolean;
  seconds: number;
  last: number;
  onStep: (seconds: number) => void;
  onEnd: () => void;
}

/** Shows one frame after another, each once it has been loaded. */
function usePlayback({ store, isPlaying, seconds, last, onStep, onEnd }: PlaybackOptions): void {
  const next = seconds + stepSeconds;
  const isLoaded = useStore(store.state, ({ frames }) => frames[next] !== undefined && frames[next].state !== 'loading');
  useEffect(() => {
    if (!isPlaying) return;
    if (next > last) return onEnd();
    // The nearest frame last, because the last request is served first.
    for (let step = ahead; step > 0; step -= 1)
      if (seconds + step * stepSeconds <= last) store.requestFrame(seconds + step * stepSeconds);
    if (!isLoaded) return;
    const timer = setTimeout(() => onStep(next), stepSeconds * 1000);
    return () => clearTimeout(timer);
  }, [store, isPlaying, isLoaded, seconds, next, last, onStep, onEnd]);
}
