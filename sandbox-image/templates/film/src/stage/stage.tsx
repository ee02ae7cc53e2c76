import {
  type ComponentType,
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { AnimatedFilm } from './animations.ts';
import type { FilmCanvas } from './canvas.tsx';
import { isActive, notifyComponents, redrawEvent, runPhase, runSeekers, setTime } from './clock.ts';
import { FilmContext } from './contexts.ts';
import { clearError, ErrorBoundary, lastError, showError } from './errors.tsx';
import { type FilmDefinition, inAspect } from './film-definition.ts';
import { isFormatScene } from './format-scenes.ts';
import { everythingLoaded } from './loading.ts';
import { exporting, requestedAspect, transparent } from './mode.ts';
import { declaredParameters, refuseBadParameters } from './parameters.ts';
import { startPlayback } from './playback.ts';
import { SceneIds } from './scene-ids.ts';
import './stage.css';

/** Draws the frame at a time, synchronously: keyframes, components, objects, camera, HTML, then the canvas. */
function drawMoment(film: FilmDefinition, { canvas, ids }: { canvas: FilmCanvas | null; ids: SceneIds }, seconds: number): void {
  const visible = film.scenes.filter((scene, index) => isActive({ ...scene, last: index === film.scenes.length - 1 }, seconds));
  const visibleIds = visible.map(({ id }) => id);
  ids.update(visibleIds);
  window.__virtualTime?.set(seconds * 1000);
  setTime(seconds);
  for (const { id, startSeconds } of visible) runSeekers(id, seconds - startSeconds);
  flushSync(notifyComponents);
  if (canvas === null) {
    runPhase('world');
    runPhase('camera');
  }
  canvas?.place(film, seconds);
  runPhase('overlay');
  ids.update(visibleIds);
  canvas?.draw();
}

function describeFilm(film: FilmDefinition): Window['__exportInfo'] {
  const { durationSeconds, width, height, fps, audio = [] } = film;
  const scenes = film.scenes.map(({ id, title = '', startSeconds, durationSeconds }) => ({
    id,
    title,
    startSeconds,
    durationSeconds,
    isFormat: isFormatScene(id),
  }));
  return { durationSeconds, width, height, fps, scenes, audio, parameters: declaredParameters() };
}

interface StageProps {
  readonly film: FilmDefinition;
  /** Loads all 3D content: backdrop, lights and every scene's World. Called only if a scene has one. */
  loadWorld(): Promise<{ readonly World: ComponentType }>;
  readonly overlay: ReactNode;
}

interface OpenedWorld {
  readonly canvas: FilmCanvas;
  readonly World: ComponentType;
}

/**
 * The stage: HTML above one canvas, or HTML alone if no scene has 3D content. It fits the film's aspect ratio into the
 * window. In export mode it fills the window, which has the shape of the video.
 */
export function Stage({ film: ownFilm, loadWorld, overlay }: StageProps) {
  const film = useMemo(() => inAspect(ownFilm, requestedAspect), [ownFilm]);
  const stage = useRef<HTMLDivElement>(null);
  const needsCanvas = film.scenes.some((scene) => scene.World !== undefined);
  // Undefined while loading; `null` if the film needs none.
  const [world, setWorld] = useState<OpenedWorld | null | undefined>(needsCanvas ? undefined : null);
  const latestFilm = useRef(film);
  latestFilm.current = film;

  useLayoutEffect(() => {
    // Another aspect would cut off a scene in code. The film's own size makes the renderer refuse it.
    const hasCode = needsCanvas || stage.current?.querySelector('.code-frame') !== null;
    window.__exportInfo = describeFilm(hasCode ? ownFilm : film);
    refuseBadParameters();
  }, [film, ownFilm, needsCanvas]);

  useFrameScale(stage, film.width);

  // biome-ignore lint/correctness/useExhaustiveDependencies: loadWorld is the same module at every render.
  useLayoutEffect(() => {
    if (!needsCanvas || !stage.current) {
      setWorld(null);
      return;
    }
    const element = stage.current;
    let disposed = false;
    let opened: FilmCanvas | null = null;
    const open = async () => {
      const [{ World }, { openCanvas }] = await Promise.all([loadWorld(), import('./canvas.tsx')]);
      const canvas = await openCanvas(element);
      opened = canvas;
      if (disposed) canvas.dispose();
      else setWorld({ canvas, World });
    };
    open().catch(showError);
    return () => {
      disposed = true;
      opened?.dispose();
      setWorld(undefined);
    };
  }, [needsCanvas]);

  useEffect(() => {
    if (world) world.canvas.render(film, <world.World />);
    window.dispatchEvent(new Event(redrawEvent));
  }, [world, film]);

  useEffect(() => {
    const element = stage.current;
    if (world === undefined || element === null) return;
    const canvas = world?.canvas ?? null;
    const film = () => latestFilm.current;
    const ids = new SceneIds(element);
    const animated = new AnimatedFilm(film, (seconds) => drawMoment(film(), { canvas, ids }, seconds));
    const draw = (seconds: number) => animated.seek(Math.min(Math.max(seconds, 0), film().durationSeconds));
    let stop: (() => void) | null = null;
    let stopped = false;
    const start = async () => {
      await everythingLoaded();
      await document.fonts.ready;
      if (stopped) return;
      canvas?.compile();
      element.dataset['ready'] = '';
      window.__exportSeekTo = (seconds) => {
        draw(seconds);
        canvas?.requireGraphics();
        const failure = lastError();
        if (failure !== null) throw new Error(failure);
      };
      window.__exportCast = () => canvas?.cast() ?? [];
      if (exporting) draw(0);
      else stop = startPlayback({ stage: element, film, draw });
      window.__exportReady = lastError() === null;
    };
    start().catch(showError);
    return () => {
      stopped = true;
      stop?.();
    };
  }, [world]);

  return (
    <div
      className={exporting && hasShape(film) ? 'stage exporting' : 'stage'}
      data-transparent={transparent || undefined}
      ref={stage}
      style={{ '--aspect': film.width / film.height } as CSSProperties}
    >
      <FilmContext value={film}>
        <ErrorBoundary>{overlay}</ErrorBoundary>
      </FilmContext>
    </div>
  );
}

/** Returns whether the window has the film's shape, except for rounding to whole pixels. */
function hasShape({ width, height }: FilmDefinition): boolean {
  return Math.abs((window.innerWidth * height) / (window.innerHeight * width) - 1) < 0.01;
}

/** Sets `--frame-scale` to the ratio between the stage's size and the frame's size in design pixels. */
function useFrameScale(stage: React.RefObject<HTMLDivElement | null>, width: number): void {
  useLayoutEffect(() => {
    const element = stage.current;
    if (element === null) return;
    const fit = () => element.style.setProperty('--frame-scale', String(element.clientWidth / width));
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [stage, width]);
}

interface ReactRefresh {
  /** Redraws soon what loaded modules have changed, if `after` exports a component. */
  readonly validateRefreshBoundaryAndEnqueueUpdate: (id: string, before: object, after: object) => void;
}

if (import.meta.hot) {
  import.meta.hot.on('vite:beforeUpdate', clearError);
  import.meta.hot.on('vite:error', (payload) => window.__reportError(`${payload.err.message}\n${payload.err.frame ?? ''}`));
  // A module asks for a redraw after its next update only some time after it has loaded, so React never draws an update that
  // follows at once.
  // Vite adds a query to a path that starts with a slash, which would load the module a second time.
  const refresh = import(/* @vite-ignore */ `${location.origin}/@react-refresh`) as Promise<ReactRefresh>;
  const components = { ErrorBoundary };
  import.meta.hot.on('vite:afterUpdate', async () =>
    (await refresh).validateRefreshBoundaryAndEnqueueUpdate(import.meta.url, components, components),
  );
}
