import { useContext, useLayoutEffect, useSyncExternalStore } from 'react';
import { SceneContext } from './contexts.ts';

/**
 * The one time of the page. Nothing on the stage has a clock of its own: a seek sets this time and calls
 * everything that draws, in the order of the phases.
 *
 * `world`: objects take their places; `camera`: the camera looks at them; `overlay`: HTML follows both.
 */
export type Phase = 'world' | 'camera' | 'overlay';

/** Asks a stage that plays or pauses (not one that is exported) to draw its present moment again. */
export const redrawEvent = 'koda:redraw';

/** Gets the seconds since the start of the scene it was registered in (of the film, outside scenes). */
export type MomentCallback = (seconds: number) => void;

interface Listener {
  readonly phase: Phase;
  readonly call: () => void;
}

/** Brings what is keyframed in a scene to a moment of it, before anything draws. */
export type Seeker = (sceneId: string, seconds: number) => void;

let filmSeconds = 0;
const seekers = new Set<Seeker>();
const listeners = new Set<Listener>();
const storeListeners = new Set<() => void>();

/** Seconds from the start of the film. */
export function currentTime(): number {
  return filmSeconds;
}

export function setTime(seconds: number): void {
  filmSeconds = seconds;
}

/** Keyframes register here, so that a film without any does not load the engine that plays them. */
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

/** Lets components that use `useSceneTime` render again; the caller wraps it in `flushSync`. */
export function notifyComponents(): void {
  for (const listener of [...storeListeners]) listener();
}

export function runPhase(phase: Phase): void {
  for (const listener of listeners) if (listener.phase === phase) listener.call();
}

/** True while a scene is on screen at this time; the last scene also owns the film's very end. */
export function isActive(scene: { startSeconds: number; durationSeconds: number; last: boolean }, seconds: number): boolean {
  const local = seconds - scene.startSeconds;
  return local >= 0 && (local < scene.durationSeconds || scene.last);
}

/**
 * Calls back at every seek while the scene is on screen, to set what depends on time directly on objects
 * and elements. The callback must be a function of the seconds alone: no deltas, nothing remembered.
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
    // A component that was rendered anew (hot reload, a font that arrived) has to be drawn, also on a paused stage.
    window.dispatchEvent(new Event(redrawEvent));
    return () => {
      listeners.delete(listener);
    };
  });
}

/** The seconds since the start of the scene, as a value to render with. `useMoment` costs less. */
export function useSceneTime(): number {
  const scene = useContext(SceneContext);
  return useSyncExternalStore(onSeek, () => filmSeconds - (scene?.startSeconds ?? 0));
}
