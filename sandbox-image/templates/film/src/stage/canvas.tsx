import { createRoot, extend, flushSync as flushWorld, type ReconcilerRoot } from '@react-three/fiber';
import type { ReactNode } from 'react';
import * as THREE from 'three';
import { aimCamera, camera } from './camera-rig.ts';
import { type VisibleBody, visibleCast } from './cast.ts';
import { redrawEvent, runPhase } from './clock.ts';
import { FilmContext } from './contexts.ts';
import { ErrorBoundary } from './errors.tsx';
import type { FilmDefinition } from './film-definition.ts';
import { recoverLostGraphics, requireGraphics } from './graphics.ts';
import { transparent } from './mode.ts';

extend(THREE as unknown as Parameters<typeof extend>[0]);

/** Seconds over which a scene's camera takes over from the previous one. */
const cameraOverlapSeconds = 0.3;

export interface FilmCanvas {
  render(film: FilmDefinition, world: ReactNode): void;
  /** Compiles all shaders, including those of hidden objects, so that no frame waits for one. */
  compile(): void;
  /** Positions the objects for the current time and aims the camera. */
  place(film: FilmDefinition, seconds: number): void;
  /** Draws nothing under a ground that covers the frame, because every pixel costs time. */
  draw(): void;
  /** Throws if the browser has lost the graphics context, because the frame would be black. */
  requireGraphics(): void;
  cast(): VisibleBody[];
  dispose(): void;
}

export async function openCanvas(stage: HTMLDivElement): Promise<FilmCanvas> {
  const canvas = document.createElement('canvas');
  stage.prepend(canvas);
  const size = () => ({ width: stage.clientWidth, height: stage.clientHeight, top: 0, left: 0 });
  const root: ReconcilerRoot<HTMLCanvasElement> = createRoot(canvas);
  await root.configure({
    camera,
    size: size(),
    dpr: Math.min(window.devicePixelRatio, 2),
    frameloop: 'never',
    shadows: { type: THREE.PCFShadowMap },
    // A third of the drawing time is multisampling. In llvmpipe, FXAA, SMAA and 1.5× supersampling are slower and less accurate.
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
    render: (film, world) =>
      flushWorld(() =>
        root.render(
          <FilmContext value={film}>
            <ErrorBoundary>{world}</ErrorBoundary>
          </FilmContext>,
        ),
      ),
    compile() {
      const hidden: THREE.Object3D[] = [];
      scene.traverse((object) => {
        if (!object.visible) hidden.push(object);
        object.visible = true;
      });
      gl.compile(scene, camera);
      for (const object of hidden) object.visible = false;
    },
    place(film, seconds) {
      flushWorld(() => undefined);
      runPhase('world');
      runPhase('camera');
      aimCamera(film.view, seconds, cameraOverlapSeconds);
    },
    draw() {
      const isCovered = [...stage.querySelectorAll('.ground')].some((ground) =>
        ground.checkVisibility({ visibilityProperty: true }),
      );
      canvas.style.visibility = isCovered ? 'hidden' : 'visible';
      if (!isCovered) gl.render(scene, camera);
    },
    requireGraphics: () => requireGraphics(gl),
    cast: () => visibleCast(scene, camera),
    dispose() {
      observer.disconnect();
      stopRecovery();
      root.unmount();
      canvas.remove();
    },
  };
}
