import { type ReactNode, useMemo, useRef } from 'react';
import type { Group } from 'three';
import { currentTime, isActive, useMoment } from './clock.ts';
import { SceneContext, type ScenePlace, useFilm } from './contexts.ts';
import { sceneMark } from './marks.ts';

function useScenePlace(id: string): ScenePlace {
  const film = useFilm();
  const scene = film.scenes.find((candidate) => candidate.id === id);
  if (!scene) throw new Error(`The film has no scene "${id}"; see src/film.ts.`);
  const last = film.scenes.at(-1) === scene;
  const { startSeconds, durationSeconds } = scene;
  return useMemo(() => ({ id, startSeconds, durationSeconds, last }), [id, startSeconds, durationSeconds, last]);
}

export function SceneWorld({ id, children }: { id: string; children: ReactNode }) {
  const place = useScenePlace(id);
  const group = useRef<Group>(null);
  useMoment(() => {
    if (group.current) group.current.visible = isActive(place, currentTime());
  });
  return (
    <group ref={group} name={id} userData={sceneMark}>
      <SceneContext value={place}>{children}</SceneContext>
    </group>
  );
}

export function SceneOverlay({ id, children }: { id: string; children: ReactNode }) {
  const place = useScenePlace(id);
  const { width, height } = useFilm();
  const layer = useRef<HTMLDivElement>(null);
  useMoment(() => {
    if (layer.current) layer.current.style.visibility = isActive(place, currentTime()) ? 'visible' : 'hidden';
  }, 'overlay');
  return (
    <div ref={layer} className="layer" data-scene={id}>
      <div className="code-frame" style={{ width, height }}>
        <SceneContext value={place}>{children}</SceneContext>
      </div>
    </div>
  );
}
