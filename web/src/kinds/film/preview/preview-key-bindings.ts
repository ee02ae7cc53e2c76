import type { Bindings } from '../../../shortcuts/use-shortcuts.ts';
import { type FilmScene, lastFrameSeconds, sceneAt, speeds } from './film-time.ts';
import type { Player } from './player.ts';
import type { PreviewActions } from './transport.tsx';
import { backgrounds, changeView, viewSettings } from './view-settings.tsx';

interface PreviewState {
  readonly player: Player;
  readonly actions: PreviewActions;
  readonly scenes: readonly FilmScene[];
  readonly onlyScene: number | null;
  readonly enabled: boolean;
  readonly canCompare: boolean;
  readonly fullScreen: boolean;
}

/** Returns the value after `value`, wrapping around. */
function following<T>(values: readonly T[], value: T): T | undefined {
  return values[(values.indexOf(value) + 1) % values.length];
}

/** Returns the live preview's key bindings; `shortcuts-dialog.tsx` lists them. */
export function previewKeyBindings({
  player,
  actions,
  scenes,
  onlyScene,
  enabled,
  canCompare,
  fullScreen,
}: PreviewState): Bindings {
  const now = () => performance.now();
  const step = (frames: number) => () => enabled && player.step(frames, now());
  const seek = (where: () => number) => () => enabled && player.seek(where(), now());
  const faster = (direction: 1 | -1) => () => {
    const speed = speeds[speeds.indexOf(player.store.getState().settings.speed) + direction];
    if (enabled && speed !== undefined) player.change({ speed }, now());
  };
  return {
    ' ': actions.toggle,
    ArrowLeft: step(-1),
    ArrowRight: step(1),
    ',': step(-1),
    '.': step(1),
    'Shift+ArrowLeft': step(-10),
    'Shift+ArrowRight': step(10),
    Home: seek(() => 0),
    End: seek(() => lastFrameSeconds(null, player.film)),
    '[': () => actions.toScene(-1),
    ']': () => actions.toScene(1),
    l: () => enabled && player.change({ loop: !player.store.getState().settings.loop }, now()),
    o: () => {
      const current = sceneAt(scenes, player.store.getState().seconds);
      if (enabled) actions.playOnly(onlyScene === null ? (current?.number ?? null) : null);
    },
    '-': faster(-1),
    '+': faster(1),
    '=': faster(1),
    p: actions.toggleParameters,
    t: actions.typeTime,
    f: actions.toggleFullScreen,
    // Most browsers handle Escape themselves.
    ...(fullScreen ? { Escape: actions.toggleFullScreen } : {}),
    g: () => changeView({ grid: !viewSettings.getState().grid }),
    s: () => changeView({ safeAreas: !viewSettings.getState().safeAreas }),
    b: () => changeView({ background: following(backgrounds, viewSettings.getState().background) ?? 'film' }),
    c: () => canCompare && actions.toggleCompare(),
    w: () => changeView({ compareMode: viewSettings.getState().compareMode === 'wipe' ? 'side' : 'wipe' }),
    k: actions.toggleConsole,
    r: actions.reload,
  };
}
