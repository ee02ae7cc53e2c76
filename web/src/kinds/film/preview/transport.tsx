import {
  Columns2,
  ExternalLink,
  Maximize,
  Minimize,
  Palette,
  Pause,
  Play,
  Repeat,
  RotateCw,
  ScrollText,
  SkipBack,
  SkipForward,
  StepBack,
  StepForward,
} from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { SaveFrame } from '../../../renders/save-frame.tsx';
import { type Bindings, keyName } from '../../../shortcuts/use-shortcuts.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import { Pick } from '../../../ui/menu.tsx';
import { type FilmScene, lastFrameSeconds, sceneAt, sceneBlocks, speeds } from './film-time.ts';
import type { Player } from './player.ts';
import { ScrubBar } from './scrub-bar.tsx';
import { TimeDisplay } from './time-display.tsx';
import { usePlayerState } from './use-player.ts';
import { ViewMenu } from './view-settings.tsx';

export interface PreviewActions {
  readonly toggle: () => void;
  readonly toScene: (direction: 1 | -1) => void;
  readonly playOnly: (sceneNumber: number | null) => void;
  readonly toggleCompare: () => void;
  readonly toggleConsole: () => void;
  readonly toggleParameters: () => void;
  readonly toggleFullScreen: () => void;
  readonly typeTime: () => void;
  readonly reload: () => void;
  readonly openTab: () => void;
}

interface TransportProps {
  player: Player;
  enabled: boolean;
  hasScrubBar: boolean;
  scenes: readonly FilmScene[];
  /** Number of the scene that plays alone. */
  onlyScene: number | null;
  /** Whether the preview shows the current film. */
  canSaveFrame: boolean;
  comparing: boolean;
  canCompare: boolean;
  consoleOpen: boolean;
  /** Whether the parameters are visible; `null` if the film has none. */
  parametersOpen: boolean | null;
  errors: number;
  fullScreen: boolean;
  typingTime: boolean;
  onTypingTime: (typing: boolean) => void;
  actions: PreviewActions;
  bindings: Bindings;
}

/** Keys that a slider handles itself. */
const sliderKeys = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

const whole = 'whole';
const speedOptions = speeds.map((speed) => ({ value: String(speed), label: `${speed}×` }));

/** Plays, steps and scrubs. */
export function Transport(props: TransportProps) {
  const { player, enabled, scenes, bindings } = props;
  const current = usePlayerState(player, (state) => sceneAt(scenes, state.seconds)?.number ?? null);
  const blocks = useMemo(() => sceneBlocks(scenes), [scenes]);
  const onKey = (event: KeyboardEvent) => {
    const run = sliderKeys.has(event.key) ? undefined : bindings[keyName(event)];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <div className="@container shrink-0 border-line border-t bg-panel px-3 pt-2 pb-2.5 max-pane:group-data-[sheet=full]/editor:hidden sm:px-4">
      {props.hasScrubBar && <ScrubBar player={player} enabled={enabled} scenes={blocks} current={current} onKey={onKey} />}
      <div
        className={cx(
          'flex flex-wrap items-center gap-x-2 gap-y-1',
          props.hasScrubBar
            ? 'mt-1.5'
            : 'max-pane:flex-nowrap max-pane:overflow-x-auto max-pane:*:shrink-0 max-pane:[scrollbar-width:none]',
        )}
      >
        <PlayButtons {...props} />
        <TimeDisplay
          player={player}
          enabled={enabled}
          title={scenes.find(({ number }) => number === current)?.title ?? 'No scene'}
          typing={props.typingTime}
          onTyping={props.onTypingTime}
        />
        <SaveFrame
          atSeconds={() => frameOf(player)}
          onOpen={() => player.pause(performance.now())}
          disabled={!props.canSaveFrame}
          className="max-sm:ml-auto"
        />
        <div className="ml-auto flex min-w-0 items-center gap-0.5">
          <PlaySettingsPicks {...props} />
          <ViewButtons {...props} />
        </div>
      </div>
    </div>
  );
}

/** Returns the shown frame's time in seconds. */
function frameOf(player: Player): number {
  const { fps } = player.film;
  const frame = Math.round(player.store.getState().seconds * fps);
  return Math.min(frame / fps, lastFrameSeconds(null, player.film));
}

function PlayButtons({ player, enabled, scenes, actions }: TransportProps) {
  const playing = usePlayerState(player, (state) => state.playing);
  const step = (frames: number) => player.step(frames, performance.now());
  return (
    <div className="flex items-center gap-0.5">
      <IconButton icon={SkipBack} label="Previous scene" shortcut="[" disabled={!enabled} onClick={() => actions.toScene(-1)} />
      <IconButton
        icon={StepBack}
        label="One frame back"
        shortcut="←"
        disabled={!enabled}
        onClick={() => step(-1)}
        className="max-sm:hidden"
      />
      <IconButton
        label={playing ? 'Pause' : 'Play'}
        shortcut="Space"
        disabled={!enabled}
        onClick={actions.toggle}
        className="text-ink"
      >
        {playing ? <Pause className="size-4.5 fill-current" /> : <Play className="size-4.5 fill-current" />}
      </IconButton>
      <IconButton
        icon={StepForward}
        label="One frame forward"
        shortcut="→"
        disabled={!enabled}
        onClick={() => step(1)}
        className="max-sm:hidden"
      />
      <IconButton
        icon={SkipForward}
        label="Next scene"
        shortcut="]"
        disabled={!enabled || scenes.length < 2}
        onClick={() => actions.toScene(1)}
      />
    </div>
  );
}

function PlaySettingsPicks({ player, scenes, onlyScene, actions, enabled }: TransportProps) {
  const { loop, speed } = usePlayerState(
    player,
    useShallow((state) => ({ loop: state.settings.loop, speed: state.settings.speed })),
  );
  const change = (next: Parameters<Player['change']>[0]) => player.change(next, performance.now());
  const parts = [
    { value: whole, label: 'Whole film' },
    ...scenes.map(({ number, title }) => ({ value: String(number), label: `${number}. ${title}` })),
  ];
  return (
    <>
      <Toggle label="Loop" shortcut="L" pressed={loop} disabled={!enabled} onClick={() => change({ loop: !loop })}>
        <Repeat className="size-4" />
      </Toggle>
      <Pick
        label="Range to play"
        value={onlyScene === null ? whole : String(onlyScene)}
        options={parts}
        disabled={!enabled}
        onChange={(part) => actions.playOnly(part === whole ? null : Number(part))}
        className="max-w-32"
      />
      <Pick
        label="Speed"
        value={String(speed)}
        options={speedOptions}
        disabled={!enabled}
        onChange={(next) => change({ speed: Number(next) })}
        className="shrink-0"
      />
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
    </>
  );
}

function ViewButtons({ actions, comparing, canCompare, consoleOpen, parametersOpen, errors, fullScreen }: TransportProps) {
  return (
    <>
      <Toggle
        label={canCompare ? 'Compare versions' : 'There is no finished video to compare with yet.'}
        {...(canCompare ? { shortcut: 'C' } : {})}
        pressed={comparing}
        disabled={!canCompare}
        onClick={actions.toggleCompare}
      >
        <Columns2 className="size-4" />
      </Toggle>
      {parametersOpen !== null && (
        <Toggle label="Film parameters" shortcut="P" pressed={parametersOpen} onClick={actions.toggleParameters}>
          <Palette className="size-4" />
        </Toggle>
      )}
      <ViewMenu />
      <Toggle
        label={errors === 0 ? 'Console' : `Console, ${errors} errors`}
        shortcut="K"
        pressed={consoleOpen}
        onClick={actions.toggleConsole}
      >
        <ScrollText className="size-4" />
        {errors > 0 && <span className="absolute top-1 right-1 size-2 rounded-full bg-bad" />}
      </Toggle>
      <IconButton icon={RotateCw} label="Reload preview" shortcut="R" onClick={actions.reload} />
      <IconButton icon={ExternalLink} label="Open preview in its own tab" onClick={actions.openTab} />
      {document.fullscreenEnabled && (
        <IconButton label={fullScreen ? 'Exit full screen' : 'Full screen'} shortcut="F" onClick={actions.toggleFullScreen}>
          {fullScreen ? <Minimize className="size-4" /> : <Maximize className="size-4" />}
        </IconButton>
      )}
    </>
  );
}

function Toggle({ pressed, className, ...props }: ComponentProps<typeof IconButton> & { pressed: boolean }) {
  return (
    <IconButton
      aria-pressed={pressed}
      className={cx('relative', pressed && 'bg-accent-soft text-accent-text', className)}
      {...props}
    />
  );
}
