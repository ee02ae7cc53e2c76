import { createRoot, extend, flushSync as flushWorld, type ReconcilerRoot } from '@react-three/fiber';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as THREE from 'three';
import { aimCamera, camera } from './camera-rig.ts';
import { castNow } from './cast.ts';
import { isActive, notifyComponents, redrawEvent, runPhase, setTime } from './clock.ts';
import { FilmContext } from './contexts.ts';
import { clearError, ErrorBoundary, lastError, showError } from './errors.tsx';
import type { FilmDefinition } from './film-definition.ts';
import { recoverLostGraphics, requireGraphics } from './graphics.ts';
import { everythingLoaded } from './loading.ts';
import { exporting, transparent } from './mode.ts';
import { declaredParameters, refuseBadParameters } from './parameters.ts';
import { startPlayback } from './playback.ts';
import { seekTracks } from './tracks.ts';
import './stage.css';

extend(THREE as unknown as Parameters<typeof extend>[0]);

/** How long a scene's camera takes over from the one before, in seconds. */
const cameraOverlapSeconds = 0.3;

interface Canvas3d {
  readonly root: ReconcilerRoot<HTMLCanvasElement>;
  readonly gl: THREE.WebGLRenderer;
  readonly scene: THREE.Scene;
}

/** Draws exactly this moment, synchronously: keyframes, components, objects, camera, HTML, then the canvas. */
function drawMoment(film: FilmDefinition, canvas3d: Canvas3d, seconds: number): void {
  const time = Math.min(Math.max(seconds, 0), film.durationSeconds);
  window.__virtualTime?.set(time * 1000);
  setTime(time);
  film.scenes.forEach((scene, index) => {
    const last = index === film.scenes.length - 1;
    if (isActive({ ...scene, last }, time)) seekTracks(scene.id, time - scene.startSeconds);
  });
  flushSync(notifyComponents);
  flushWorld(() => undefined);
  runPhase('world');
  runPhase('camera');
  aimCamera(film.view, time, cameraOverlapSeconds);
  runPhase('overlay');
  canvas3d.gl.render(canvas3d.scene, camera);
}

/** Compiles also the shaders of what is hidden at first, so that no frame of the film waits for one. */
function compileEverything({ gl, scene }: Canvas3d): void {
  const hidden: THREE.Object3D[] = [];
  scene.traverse((object) => {
    if (!object.visible) hidden.push(object);
    object.visible = true;
  });
  gl.compile(scene, camera);
  for (const object of hidden) object.visible = false;
}

async function createCanvas(stage: HTMLDivElement): Promise<{ canvas3d: Canvas3d; dispose: () => void }> {
  const canvas = document.createElement('canvas');
  stage.prepend(canvas);
  const size = () => ({ width: stage.clientWidth, height: stage.clientHeight, top: 0, left: 0 });
  const root = createRoot(canvas);
  await root.configure({
    camera,
    size: size(),
    dpr: Math.min(window.devicePixelRatio, 2),
    frameloop: 'never',
    shadows: { type: THREE.PCFShadowMap },
    gl: { antialias: true, alpha: transparent, preserveDrawingBuffer: true, powerPreference: 'high-performance' },
  });
  const { getState } = root.render(null);
  const observer = new ResizeObserver(() => {
    const { width, height } = size();
    const state = getState();
    if (width === state.size.width && height === state.size.height) return;
    state.setSize(width, height);
    window.dispatchEvent(new Event(redrawEvent));
  });
  observer.observe(stage);
  const { gl, scene } = getState();
  const stopRecovery = recoverLostGraphics(gl);
  return {
    canvas3d: { root, gl, scene },
    dispose: () => {
      observer.disconnect();
      stopRecovery();
      root.unmount();
      canvas.remove();
    },
  };
}

/** The film as the renderer and the studio see it. */
function describeFilm(film: FilmDefinition): Window['__exportInfo'] {
  const { durationSeconds, width, height, fps, audio = [] } = film;
  const scenes = film.scenes.map(({ id, title = '', startSeconds, durationSeconds }) => ({
    id,
    title,
    startSeconds,
    durationSeconds,
  }));
  return { durationSeconds, width, height, fps, scenes, audio, parameters: declaredParameters() };
}

interface StageProps {
  readonly film: FilmDefinition;
  /** What is drawn in 3D: backdrop, lights and ground of the whole film, and every scene's World. */
  readonly world: ReactNode;
  /** Every scene's Overlay. */
  readonly overlay: ReactNode;
}

/**
 * The stage: one canvas with HTML above it, both drawn for one moment at a time. It fits the film's aspect
 * ratio into the window, or fills the window in export mode, where the window has the size of the video.
 */
export function Stage({ film, world, overlay }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [canvas3d, setCanvas3d] = useState<Canvas3d | null>(null);
  const latestFilm = useRef(film);
  latestFilm.current = film;

  useLayoutEffect(() => {
    window.__exportInfo = describeFilm(film);
    refuseBadParameters();
  }, [film]);

  useLayoutEffect(() => {
    if (!stage.current) return;
    let disposed = false;
    let dispose: (() => void) | null = null;
    createCanvas(stage.current).then((created) => {
      dispose = created.dispose;
      if (disposed) created.dispose();
      else setCanvas3d(created.canvas3d);
    }, showError);
    return () => {
      disposed = true;
      dispose?.();
    };
  }, []);

  useEffect(() => {
    if (!canvas3d) return;
    flushWorld(() =>
      canvas3d.root.render(
        <FilmContext value={film}>
          <ErrorBoundary>{world}</ErrorBoundary>
        </FilmContext>,
      ),
    );
    window.dispatchEvent(new Event(redrawEvent));
  }, [canvas3d, film, world]);

  useEffect(() => {
    if (!canvas3d) return;
    const draw = (seconds: number) => drawMoment(latestFilm.current, canvas3d, seconds);
    let stop: (() => void) | null = null;
    let stopped = false;
    const start = async () => {
      await everythingLoaded();
      await document.fonts.ready;
      if (stopped) return;
      compileEverything(canvas3d);
      window.__exportSeekTo = (seconds) => {
        draw(seconds);
        requireGraphics(canvas3d.gl);
        const failure = lastError();
        if (failure !== null) throw new Error(failure);
      };
      window.__exportCast = () => castNow(canvas3d.scene, camera);
      if (exporting) draw(0);
      else stop = startPlayback({ film: () => latestFilm.current, draw });
      window.__exportReady = lastError() === null;
    };
    start().catch(showError);
    return () => {
      stopped = true;
      stop?.();
    };
  }, [canvas3d]);

  return (
    <div
      className={exporting ? 'stage exporting' : 'stage'}
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

if (import.meta.hot) {
  import.meta.hot.on('vite:beforeUpdate', clearError);
  import.meta.hot.on('vite:error', (payload) => window.__reportError(`${payload.err.message}\n${payload.err.frame ?? ''}`));
}
