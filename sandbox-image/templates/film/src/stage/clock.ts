import { useContext, useLayoutEffect, useSyncExternalStore } from 'react';
import { SceneContext } from './contexts.ts';

/**
 * The page's only clock. A seek sets its time and calls everything that draws, in the order of the phases: `world` positions
 * objects, `camera` aims at them, `overlay` updates HTML.
 */
export type Phase = 'world' | 'camera' | 'overlay';

/** Event that asks a playing or paused stage to redraw the current time. An exporting stage ignores it. */
export const redrawEvent = 'koda:redraw';

/** Receives the seconds since the start of its scene, or of the film if it is outside scenes. */
export type MomentCallback = (seconds: number) => void;

interface Listener {
  readonly phase: Phase;
  readonly call: () => void;
}

/** Sets a scene's keyframed values for a time, before anything draws. */
export type Seeker = (sceneId: string, seconds: number) => void;

let filmSeconds = 0;
const seekers = new Set<Seeker>();
const listeners = new Set<Listener>();
const storeListeners = new Set<() => void>();

export function currentTime(): number {
  return filmSeconds;
}

export function setTime(seconds: number): void {
  filmSeconds = seconds;
}

/**
 * Registers a seeker. Keyframes call this themselves, so that a film without any does not load the engine that plays them.
 */
export function addSeeker(seeker: Seeker): void {
  seekers.add(seeker);
}

export function runSeekers(sceneId: string, seconds: number): void {
  for (const seeker of seekers) seeker(sceneId, seconds);
}

/** Subscribes to seeks, for `useSyncExternalStore`. */
export function onSeek(listener: () => void): () => void {
  storeListeners.add(listener);
  return () => {
    storeListeners.delete(listener);
  };
}

/** Rerenders the components that use `useSceneTime`. The caller wraps it in `flushSync`. */
export function notifyComponents(): void {
  for (const listener of [...storeListeners]) listener();
}

export function runPhase(phase: Phase): void {
  for (const listener of listeners) if (listener.phase === phase) listener.call();
}

/** Returns whether a scene is visible. The last scene includes the film's final instant. */
export function isActive(scene: { startSeconds: number; durationSeconds: number; last: boolean }, seconds: number): boolean {
  const local = seconds - scene.startSeconds;
  return local >= 0 && (local < scene.durationSeconds || scene.last);
}

/**
 * Calls back at every seek while the scene is visible, to update objects and elements directly. The callback must be a
 * function of the seconds alone: no deltas, no state.
 */
export function useMoment(callback: MomentCallback, phase: Phase = 'world'): void {
  const scene = useContext(SceneContext);
  useLayoutEffect(() => {
    const listener: Listener = {
      phase,
      call: () => {
        if (!scene) callback(filmSeconds);
        else if (isActive(scene, filmSeconds)) callback(filmSeconds - scene.startSeconds);
      },
    };
    listeners.add(listener);
    // A rerendered component (hot reload, a loaded font) needs a redraw, even if the stage is paused.
    window.dispatchEvent(new Event(redrawEvent));
    return () => {
      listeners.delete(listener);
    };
  });
}

/** Returns the seconds since the start of the scene as a value to render with. `useMoment` is cheaper. */
export function useSceneTime(): number {
  const scene = useContext(SceneContext);
  return useSyncExternalStore(onSeek, () => filmSeconds - (scene?.startSeconds ?? 0));
}
