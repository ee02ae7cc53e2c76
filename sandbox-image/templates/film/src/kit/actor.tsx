import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { type Group, type Material, Mesh, MeshStandardMaterial } from 'three';
import { useMoment } from '../stage/clock.ts';
import { bodyMark } from '../stage/marks.ts';
import type { Track } from '../stage/tracks.ts';
import { ContactShadow, type Shadow } from './contact-shadow.tsx';
import { Halo, type Light } from './halo.tsx';

/**
 * A body's animated properties. Positions are world units from its rest position; angles are in degrees. `squash` is its
 * height relative to normal, at constant volume. `glow` (0 to 1) is its own light.
 */
export type ActorChannel = 'x' | 'y' | 'z' | 'scale' | 'squash' | 'rotateX' | 'rotateY' | 'rotateZ' | 'opacity' | 'glow';
export type Place = readonly [x: number, y: number, z: number];

export interface ActorProps {
  readonly track: Track<ActorChannel>;
  /** Centre of the body when its channels are zero. */
  readonly place: Place;
  /** Scale relative to the design. A larger sibling also moves further. */
  readonly size?: number;
  /** Whether it is in the sky: behind the land, without a shadow on the floor. */
  readonly distant?: boolean;
}

/** Drawn between the sky and the land. */
const distantOrder = -895;

/** One of several bodies that share their keyframes: rest position, delay in seconds, size. */
export interface Member {
  readonly place: Place;
  readonly delay: number;
  readonly size: number;
}

interface BodyProps extends ActorProps {
  /** Half of the body's height. On the ground, it squashes and grows from its foot. */
  readonly halfHeight: number;
  /** Radius of the shadow directly below; 0 for none. */
  readonly footprint: number;
  /** Whether a change in size keeps its foot in place instead of its centre. */
  readonly stands: boolean;
  readonly children: ReactNode;
}

function setOpacity(group: Group, opacity: number, distant: boolean): void {
  group.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const material = object.material as Material;
    material.opacity = opacity;
    if (distant) {
      // Transparent bodies are drawn after the land, so a fading body in the sky uses an alpha hash instead.
      material.needsUpdate ||= material.alphaHash !== opacity < 1;
      material.alphaHash = opacity < 1;
      return;
    }
    material.transparent = opacity < 1 || material.userData['alwaysTransparent'] === true;
  });
}

/** Makes a body emit light in its material's colour. */
function setGlow(group: Group, glow: number): void {
  group.traverse((object) => {
    if (!(object instanceof Mesh) || !(object.material instanceof MeshStandardMaterial)) return;
    object.material.emissive.copy(object.material.color);
    object.material.emissiveIntensity = glow * (object.material.vertexColors ? 0.16 : 0.55);
  });
}

/** Animates a body along its keyframes. Its shadow shrinks, softens and fades with height. */
export function Actor({ track, place, size = 1, distant = false, halfHeight, footprint, stands, children }: BodyProps) {
  const root = useRef<Group>(null);
  const foot = useRef<Group>(null);
  const turn = useRef<Group>(null);
  const shadow = useRef<Shadow>(null);
  const lastOpacity = useRef(1);
  const lastGlow = useRef(0);
  const halo = useRef<Light>(null);

  useLayoutEffect(() => {
    if (!distant) return;
    turn.current?.traverse((object) => {
      // A group's order takes precedence over that of all meshes, including the sky's.
      if (object instanceof Mesh) object.renderOrder = distantOrder;
    });
  }, [distant]);

  useMoment(() => {
    const { x = 0, z = 0, squash = 1, rotateX = 0, rotateY = 0, rotateZ = 0, opacity = 1, glow = 0 } = track.now;
    const y = (track.now.y ?? 0) * size;
    const scale = (track.now.scale ?? 1) * size;
    if (!root.current || !foot.current || !turn.current) return;
    const pivot = stands ? halfHeight : 0;
    root.current.position.set(place[0] + x, place[1] + y - pivot, place[2] + z);
    root.current.visible = scale > 0.001 && opacity > 0.001;
    const width = 1 / Math.sqrt(Math.max(squash, 0.05));
    foot.current.scale.set(scale * width, scale * squash, scale * width);
    const radians = Math.PI / 180;
    turn.current.position.y = pivot;
    turn.current.rotation.set(rotateX * radians, rotateY * radians, rotateZ * radians);
    if (opacity !== lastOpacity.current) setOpacity(turn.current, opacity, distant);
    lastOpacity.current = opacity;
    if (glow !== lastGlow.current) setGlow(turn.current, glow);
    lastGlow.current = glow;
    halo.current?.set(place[0] + x, place[1] + y, place[2] + z, footprint * scale, glow * opacity);

    const bottom = place[1] + y - (stands ? halfHeight : halfHeight * scale * squash);
    shadow.current?.set(place[0] + x, bottom, place[2] + z, footprint * scale * width, opacity * Math.min(1, scale));
  });

  return (
    <>
      <group ref={root} name={track.name ?? ''} userData={bodyMark}>
        <group ref={foot}>
          <group ref={turn}>{children}</group>
        </group>
      </group>
      {distant ? null : <ContactShadow ref={shadow} />}
      <Halo ref={halo} distant={distant} />
    </>
  );
}
