import { MonitorPlay } from 'lucide-react';
import { type ComponentType, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { sandboxWait } from '#contract/project.ts';
import { frameSize } from '#contract/render.ts';
import { filmOf, isCode } from '#kinds/film/contract/outline.ts';
import { addressOf } from '../../../address.ts';
import { type ConsoleEntry, countLevels } from '../../../preview/console-log.ts';
import { PageFrame, PageStatus, usePageFrame, waitingText } from '../../../preview/page-frame.tsx';
import { PreviewConsole } from '../../../preview/preview-console.tsx';
import { previewObstacle } from '../../../preview/preview-obstacle.ts';
import { PreviewProblem, useControlPreview } from '../../../preview/preview-problem.tsx';
import { useConsole } from '../../../preview/use-console.ts';
import { useShownTab, useView } from '../../../project/context.ts';
import { useAsleep } from '../../../project/use-asleep.ts';
import { ParameterPanel } from '../../../renders/parameter-panel.tsx';
import { type Bindings, useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import { Button, Empty, ErrorNotice, Spinner } from '../../../ui/elements.tsx';
import { useFullScreenElement } from '../../../ui/hooks.ts';
import { MenuContainer } from '../../../ui/menu.tsx';
import { outlineIn } from '../film-document.ts';
import { CompareBar, useComparison } from './compare-bar.tsx';
import { filmScenes, nextStart, previousStart, rangeOf } from './film-time.ts';
import { FilmView } from './film-view.tsx';
import type { Player } from './player.ts';
import { transparentAddress } from './preview-channel.ts';
import { previewKeyBindings } from './preview-key-bindings.ts';
import { type PreviewActions, Transport } from './transport.tsx';
import { useFilmValues } from './use-film-values.ts';
import { usePlayer, usePlayerState, useSeekRequests } from './use-player.ts';
import { viewSettings } from './view-settings.tsx';

/** Within this time of a scene's start, “previous” goes to the scene before. */
const graceSeconds = 0.6;

/** Playback, for controls outside the preview. */
export interface Playback {
  readonly player: Player;
  /** Whether the film can be moved to another time. */
  readonly enabled: boolean;
  readonly bindings: Bindings;
}

export interface PreviewFrameProps {
  /** Whether the pane is visible. */
  active: boolean;
  /** `null` while no preview is running, or it fills the screen. */
  playback: Playback | null;
  children: ReactNode;
}

interface LivePreviewProps {
  /** Wraps the preview. For a film with a document, it shows the scenes and the time. */
  Frame: ComponentType<PreviewFrameProps>;
  /** Component that is drawn over the film. */
  Overlay: ComponentType;
}

interface PreviewViewProps extends LivePreviewProps {
  url: string;
  active: boolean;
}

function PreviewView({ url, active, Frame, Overlay }: PreviewViewProps) {
  const [root, setRoot] = useState<HTMLElement | null>(null);
  const ref = useRef<HTMLIFrameElement>(null);
  const { outline, version, codeVersion, renders, phase, previewError, projectId } = useView(
    useShallow((view) => ({
      outline: outlineIn(view),
      version: view.previewVersion,
      codeVersion: view.codeVersion,
      renders: view.renders,
      phase: view.project.phase,
      previewError: view.project.previewError,
      projectId: view.project.id,
    })),
  );
  const background = useStore(viewSettings, (settings) => settings.background);
  const address = background === 'film' ? url : transparentAddress(url);
  const planned = useMemo(() => ({ durationSeconds: outline?.durationSeconds ?? 1, fps: outline?.fps ?? 60 }), [outline]);
  const { videos, comparison, toggle: toggleCompare, choose } = useComparison(renders, phase);
  const comparesVideos = comparison !== null && comparison.after !== null;
  const player = usePlayer(ref, { url, planned, active });
  const asleep = useAsleep();
  const waiting = useView((view) => sandboxWait(view.project));
  const page = usePageFrame(player, ref, { address, version, codeVersion, asleep });
  const watched = active && page.frame === 'shown' && !comparesVideos;
  useEffect(() => player.detach(!watched, performance.now()), [player, watched]);

  const responsive = usePlayerState(player, (state) => state.health === 'responsive') && page.frame === 'shown';
  const info = usePlayerState(player, (state) => state.info);
  const stillAt = useCallback(
    (seconds: number) => {
      player.pause(performance.now());
      player.seek(seconds, performance.now());
    },
    [player],
  );
  useSeekRequests(stillAt, responsive);
  const enabled = responsive || comparesVideos;
  const scenes = useMemo(() => filmScenes(info, outline), [info, outline]);
  const [onlyScene, setOnlyScene] = useState<number | null>(null);
  const only = scenes.find(({ number }) => number === onlyScene);
  const { startSeconds, endSeconds } = only ? rangeOf(only) : { startSeconds: null, endSeconds: null };
  // An edit may have moved the scene.
  useEffect(() => {
    const range = startSeconds === null || endSeconds === null ? null : { startSeconds, endSeconds };
    if (range === null && player.store.getState().settings.range === null) return;
    player.change({ range }, performance.now());
  }, [player, startSeconds, endSeconds]);

  const [consoleOpen, setConsoleOpen] = useState(false);
  const parameters = info?.parameters ?? [];
  const [parametersOpen, setParametersOpen] = useState(false);
  useFilmValues(player, { parameters, responsive });
  const [typingTime, setTypingTime] = useState(false);
  // The film pauses while the user types a time.
  const typeTime = (typing: boolean) => {
    if (typing) player.pause(performance.now());
    setTypingTime(typing);
  };
  const { entries, clear } = useConsole(usePlayerState(player, (state) => state.lines));
  const fullScreen = useFullScreen(root);

  const actions: PreviewActions = {
    toggle: () => {
      if (!enabled) return;
      if (player.store.getState().playing) player.pause(performance.now());
      else player.play(performance.now());
    },
    toScene: (direction) => {
      const { seconds, playing } = player.store.getState();
      const { fps } = player.film;
      const grace = playing ? graceSeconds : 0.5 / fps;
      const to = direction === 1 ? nextStart(scenes, seconds, fps) : previousStart(scenes, seconds, grace);
      if (enabled && to !== null) player.seek(to, performance.now());
    },
    playOnly: (sceneNumber) => {
      setOnlyScene(sceneNumber);
      const scene = scenes.find(({ number }) => number === sceneNumber);
      const { seconds } = player.store.getState();
      if (!scene || (seconds >= scene.startSeconds && seconds < scene.startSeconds + scene.durationSeconds)) return;
      player.seek(scene.startSeconds, performance.now());
    },
    toggleCompare,
    toggleConsole: () => setConsoleOpen(!consoleOpen),
    toggleParameters: () => setParametersOpen(!parametersOpen),
    toggleFullScreen: fullScreen.toggle,
    typeTime: () => enabled && typeTime(true),
    reload: page.reload,
    openTab: () => window.open(addressOf(`/proxy/${projectId}/`), '_blank', 'noopener'),
  };
  const bindings = previewKeyBindings({
    player,
    actions,
    scenes,
    onlyScene,
    enabled,
    canCompare: videos.length > 0,
    fullScreen: fullScreen.on,
  });
  useShortcuts(bindings, active);

  const proportions = info ?? frameSize(outline?.aspect ?? '16:9', '1080p');
  const last = entries.findLast(({ level }) => level === 'error');
  return (
    <Frame active={active} playback={fullScreen.on ? null : { player, enabled, bindings }}>
      <MenuContainer value={root}>
        <div ref={setRoot} className="flex h-full flex-col bg-panel">
          {comparison && <CompareBar comparison={comparison} videos={videos} onChange={choose} onClose={toggleCompare} />}
          <div className="flex min-h-0 flex-1 overflow-hidden max-lg:flex-col">
            <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
              <FilmView player={player} frameSize={proportions} comparison={comparison} onToggle={actions.toggle}>
                {page.frame === 'shown' && (
                  <PageFrame
                    key={`${url} ${page.generation}`}
                    ref={ref}
                    address={address}
                    title="Live preview of the film"
                    sandbox="allow-scripts allow-same-origin"
                    allow="autoplay"
                    // The frame never gets the focus, because the studio handles all keys and a film has no controls.
                    tabIndex={-1}
                    // Browsers paint an opaque background behind a frame whose colour scheme differs from its page. Film pages are
                    // light.
                    style={{ colorScheme: 'light' }}
                  />
                )}
                <Overlay />
                <PageStatus page={player} frame={page.frame} waiting={waiting} onReload={page.reload} onStop={page.stop} />
                {previewError && <PreviewProblem error={previewError} />}
              </FilmView>
              {last && !consoleOpen && previewError === null && <LastError entry={last} onOpen={() => setConsoleOpen(true)} />}
            </div>
            {parametersOpen && parameters.length > 0 && (
              <aside className="shrink-0 overflow-y-auto border-line p-4 max-lg:max-h-[45%] max-lg:border-t lg:w-80 lg:border-l">
                <ParameterPanel parameters={parameters} />
              </aside>
            )}
          </div>
          {consoleOpen && <PreviewConsole entries={entries} onClear={clear} />}
          <Transport
            player={player}
            enabled={enabled}
            // The scenes outside the preview are not visible in full screen.
            hasScrubBar={outline === null || fullScreen.on}
            scenes={scenes}
            onlyScene={only ? onlyScene : null}
            canSaveFrame={responsive && !comparesVideos}
            comparing={comparison !== null}
            canCompare={videos.length > 0}
            consoleOpen={consoleOpen}
            parametersOpen={parameters.length > 0 ? parametersOpen : null}
            errors={countLevels(entries).error}
            fullScreen={fullScreen.on}
            typingTime={typingTime}
            onTypingTime={typeTime}
            actions={actions}
            bindings={bindings}
          />
        </div>
      </MenuContainer>
    </Frame>
  );
}

/** Overlays the film, so that an error moves nothing. */
function LastError({ entry, onOpen }: { entry: ConsoleEntry; onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      title="Console"
      className="absolute inset-x-3 bottom-2 z-10 flex animate-rise items-center gap-2 rounded-lg border border-bad/30 bg-bad-soft px-3 py-1.5 text-left text-bad shadow-card sm:inset-x-6"
    >
      <span className="min-w-0 flex-1 truncate font-mono text-xs">{entry.text.split('\n')[0]}</span>
      <span className="text-xs">Console</span>
    </button>
  );
}

function useFullScreen(element: HTMLElement | null) {
  const filling = useFullScreenElement();
  const on = filling !== null && filling === element;
  const toggle = () => {
    // Ignores a rejection by the browser, because nothing depends on it.
    const done = on ? document.exitFullscreen() : element?.requestFullscreen();
    done?.catch(() => undefined);
  };
  return { on, toggle };
}

export function LivePreview({ Frame, Overlay }: LivePreviewProps) {
  const url = useView((view) => view.project.previewUrl);
  const running = useView((view) => view.project.running);
  const waiting = useView((view) => sandboxWait(view.project));
  const active = useShownTab() === 'preview';
  const obstacle = url === null ? null : previewObstacle(url, window.location);
  if (obstacle !== null)
    return (
      <Frame active={active} playback={null}>
        <Empty icon={<MonitorPlay />} {...obstacle} />
      </Frame>
    );
  if (url !== null) return <PreviewView key={url} url={url} active={active} Frame={Frame} Overlay={Overlay} />;
  return (
    <Frame active={active} playback={null}>
      {waiting !== null && <Empty icon={<Spinner />} title={waiting} text={waitingText} />}
      {waiting === null && running && (
        <Empty icon={<Spinner />} title="Starting the live preview…" text="It starts once there is something to show." />
      )}
      {waiting === null && !running && <NotRunning />}
    </Frame>
  );
}

function NotRunning() {
  const error = useView((view) => view.project.previewError);
  // Scenes of a plan that are only described have no files that could be shown.
  const isDrawable = useView(
    ({ approval, plan }) => approval?.type === 'plan' && plan !== null && !filmOf(plan)?.scenes.some(isCode),
  );
  const hasFilm = useView(
    ({ project }) => project.phase === 'preview' || project.phase === 'complete' || project.phase === 'error',
  );
  const isPlanned = useView(({ approval }) => approval?.type === 'plan');
  const control = useControlPreview();
  const text = isPlanned
    ? 'The scenes below are the plan. Koda builds them once you accept it.'
    : 'It starts once there is something to show.';
  return (
    <div className="relative size-full">
      <Empty icon={<MonitorPlay />} title="The live preview is not running" text={hasFilm ? '' : text}>
        {(hasFilm || isDrawable) && error === null && (
          <Button size="sm" pending={control.isPending && 'Starting…'} onClick={() => control.mutate('restart')}>
            Start
          </Button>
        )}
        {control.error && <ErrorNotice error={control.error} />}
      </Empty>
      {error && <PreviewProblem error={error} />}
    </div>
  );
}
