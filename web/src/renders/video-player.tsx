import { StepBack, StepForward } from 'lucide-react';
import { createElement, type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { formatTimecode } from '#contract/display.ts';
import type { Render, RenderRange } from '#contract/render.ts';
import { addressOf } from '../address.ts';
import type { RenderSubject } from '../kind-page.ts';
import { useRenderSubject } from '../project/context.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { IconButton } from '../ui/elements.tsx';
import { renderLabel } from './render-label.ts';
import { SaveFrame } from './save-frame.tsx';

/** Browsers round a video's time. A time within this many frames before a frame belongs to that frame. */
const tolerance = 0.01;

/** Returns the index of the frame that a video shows at a time, counted from 0. `fps` in frames per second. */
export function frameAt(seconds: number, fps: number): number {
  return Math.max(0, Math.floor(seconds * fps + tolerance));
}

/** Returns a time safely inside a frame. A seek to its start may show the frame before. */
export function secondsOfFrame(frame: number, fps: number): number {
  return (frame + 0.5) / fps;
}

/** Returns the time after moving by this many frames, within the video. */
export function stepped(seconds: number, frames: number, video: { fps: number; durationSeconds: number }): number {
  const last = Math.max(0, Math.round(video.durationSeconds * video.fps) - 1);
  const frame = frameAt(seconds, video.fps) + frames;
  return secondsOfFrame(Math.min(last, Math.max(0, frame)), video.fps);
}

/** Returns where in the film a range starts, in seconds, or `null` if its scene is not in the plan. `fps` is the render's. */
export function filmStart(
  range: RenderRange | null,
  film: { readonly fps: number; readonly scenes: readonly Pick<RenderSubject['scenes'][number], 'id' | 'startSeconds'>[] },
): number | null {
  if (range === null) return 0;
  if ('fromFrame' in range) return range.fromFrame / film.fps;
  return film.scenes.find(({ id }) => id === range.scene)?.startSeconds ?? null;
}

type Loading = 'loading' | 'ready' | 'failed';

/**
 * Loads the control elements once. Until then, the video plays without controls. If loading fails, the browser's controls are
 * used.
 */
function useControls(): Loading {
  const [state, setState] = useState<Loading>(() => (customElements.get('media-controller') ? 'ready' : 'loading'));
  useEffect(() => {
    let current = true;
    import('./media-elements.ts').then(
      () => current && setState('ready'),
      () => current && setState('failed'),
    );
    return () => {
      current = false;
    };
  }, []);
  return state;
}

interface VideoPlayerProps {
  render: Render;
  /** Whether it waits for the user to play it, because of reduced motion. */
  reducedMotion: boolean;
  onLoadedMetadata: (event: SyntheticEvent<HTMLVideoElement>) => void;
  onSeeked: () => void;
  onError: () => void;
}

/**
 * Plays a finished video with controls that count in frames. Space plays and pauses; arrow keys move by a frame, with Shift
 * by a second.
 */
export function VideoPlayer({ render, reducedMotion, ...events }: VideoPlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const controls = useControls();
  const scenes = useRenderSubject()?.scenes;
  const { fps, range, parameters, transparent } = render.settings;

  const step = (frames: number) => {
    const { current } = video;
    if (!current || !Number.isFinite(current.duration)) return;
    current.pause();
    current.currentTime = stepped(current.currentTime, frames, { fps, durationSeconds: current.duration });
  };
  const toggle = () => {
    if (video.current?.paused) video.current.play().catch(() => undefined);
    else video.current?.pause();
  };
  const toggleFullScreen = () => {
    const done = document.fullscreenElement ? document.exitFullscreen() : video.current?.parentElement?.requestFullscreen();
    done?.catch(() => undefined);
  };
  useShortcuts({
    ' ': toggle,
    ['ArrowLeft']: () => step(-1),
    ['ArrowRight']: () => step(1),
    'Shift+ArrowLeft': () => step(-fps),
    'Shift+ArrowRight': () => step(fps),
    f: toggleFullScreen,
  });
  // The video may show a range of the film, or its plan may have changed.
  const startSeconds = filmStart(range, { fps, scenes: scenes ?? [] });

  return createElement(
    'media-controller',
    {
      nohotkeys: '',
      nomutedpref: '',
      novolumepref: '',
      autohide: '2',
      'aria-label': 'Video player',
      className: `koda-player group absolute inset-0 block size-full ${transparent ? 'checkerboard' : ''}`,
    },
    <video
      ref={video}
      slot="media"
      src={render.videoUrl === null ? undefined : addressOf(render.videoUrl)}
      poster={render.thumbnailUrl === null ? undefined : addressOf(render.thumbnailUrl)}
      aria-label={`Video player: ${renderLabel(render)}`}
      controls={controls === 'failed'}
      loop
      autoPlay={!reducedMotion}
      muted
      playsInline
      className="absolute inset-0 size-full object-cover"
      {...events}
    />,
    controls === 'ready' && (
      <ControlBar
        video={video}
        fps={fps}
        hasSound={render.probe?.audio != null}
        onStep={step}
        saveFrame={
          startSeconds !== null && (
            <SaveFrame
              atSeconds={() => startSeconds + frameAt(video.current?.currentTime ?? 0, fps) / fps}
              parameters={parameters ?? undefined}
              onOpen={() => video.current?.pause()}
              className={buttonClass}
            />
          )
        }
      />
    ),
  );
}

const buttonClass = 'text-white enabled:hover:bg-white/15 enabled:hover:text-white group-[[mediaisfullscreen]]:hidden';
const stepClass = 'text-white enabled:hover:bg-white/15 enabled:hover:text-white max-sm:hidden';

interface ControlBarProps {
  video: RefObject<HTMLVideoElement | null>;
  fps: number;
  hasSound: boolean;
  onStep: (frames: number) => void;
  saveFrame: ReactNode;
}

function ControlBar({ video, fps, hasSound, onStep, saveFrame }: ControlBarProps) {
  const bar = 'flex w-full items-center gap-0.5 bg-gradient-to-t from-black/75 to-transparent px-2 pt-6 pb-1.5 leading-none';
  return createElement(
    'media-control-bar',
    { className: bar },
    createElement('media-play-button', { notooltip: '' }),
    <IconButton icon={StepBack} label="One frame back" className={stepClass} onClick={() => onStep(-1)} />,
    <IconButton icon={StepForward} label="One frame forward" className={stepClass} onClick={() => onStep(1)} />,
    createElement('media-time-range', { className: 'min-w-0 flex-1' }),
    <Timecode video={video} fps={fps} />,
    hasSound && createElement('media-mute-button', { notooltip: '' }),
    <RateButton key="rate" video={video} />,
    saveFrame,
    createElement('media-fullscreen-button', { notooltip: '' }),
  );
}

/** Shows the time and frame number without rerendering anything else. */
function Timecode({ video, fps }: { video: RefObject<HTMLVideoElement | null>; fps: number }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const { current } = video;
    if (!current) return;
    let handle = 0;
    const write = (seconds: number) => {
      const frame = frameAt(seconds, fps);
      if (text.current) text.current.textContent = `${formatTimecode(frame / fps, fps)} · frame ${frame}`;
    };
    const onFrame = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      write(mediaTime);
      handle = current.requestVideoFrameCallback(onFrame);
    };
    write(current.currentTime);
    handle = current.requestVideoFrameCallback(onFrame);
    return () => current.cancelVideoFrameCallback(handle);
  }, [video, fps]);
  return <p ref={text} className="mx-1.5 shrink-0 whitespace-nowrap font-mono text-white text-xs tabular-nums" />;
}

const rates = [1, 2, 0.25, 0.5] as const;

/** Each press selects the next rate. */
function RateButton({ video }: { video: RefObject<HTMLVideoElement | null> }) {
  const [at, setAt] = useState(0);
  const rate = rates[at] ?? 1;
  const next = () => {
    const following = (at + 1) % rates.length;
    if (video.current) video.current.playbackRate = rates[following] ?? 1;
    setAt(following);
  };
  return (
    <button
      type="button"
      onClick={next}
      title="Speed"
      aria-label={`Speed ${rate}×`}
      className="h-8 min-w-8 shrink-0 rounded-lg px-1.5 text-[13px] text-white tabular-nums hover:bg-white/15 max-sm:hidden"
    >
      {rate}×
    </button>
  );
}
