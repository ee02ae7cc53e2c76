import { useMemo, useRef } from 'react';
import { type Group, type Mesh, type MeshStandardMaterial, SphereGeometry, TorusGeometry } from 'three';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';
import type { Place } from './actor.tsx';
import { mix, surface } from './color.ts';
import { looks } from './look.ts';
import { formatNumber } from './number-format.ts';
import type { Box } from './text.tsx';
import { alongTube } from './torus-range.ts';
import './text.css';

/** `value` is the number shown, `progress` (0…1) how far the ring is closed. */
export type CounterChannel = 'value' | 'progress' | 'scale' | 'opacity';

interface CounterProps {
  readonly track: Track<CounterChannel>;
  readonly box: Box;
  /** Diameter of the ring around the number, in per cent of the frame's height. */
  readonly ringSize: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly decimals: number;
  /** The number with the most digits that is ever shown. */
  readonly widest: number;
  readonly label: string;
  readonly color: string;
}

/** A number that counts, in tabular figures, with its label below. */
export function Counter({ track, box, ringSize, prefix, suffix, decimals, widest, label, color }: CounterProps) {
  const { theme } = useFilm();
  const look = looks[theme.style];
  const block = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLDivElement>(null);
  // The number keeps to the inner 74 % of the ring, its label to the chord below it.
  const signs = [...`${prefix}${formatNumber(widest, decimals)}${suffix}`].length;
  const size = Math.min(ringSize * 0.36, (ringSize * 0.74) / Math.max(2, signs * 0.6));
  const labelSize = Math.min(Math.max(3.2, ringSize * 0.075), (ringSize * 0.66) / Math.max(6, [...label].length * 0.56));

  useMoment(() => {
    const { value = 0, scale = 1, opacity = 1 } = track.now;
    if (figure.current) figure.current.textContent = `${prefix}${formatNumber(value, decimals)}${suffix}`;
    if (!block.current) return;
    block.current.style.opacity = String(opacity);
    block.current.style.transform = `scale(${scale})`;
  }, 'overlay');

  return (
    <div className="text-box" style={{ left: `${box.x}cqw`, top: `${box.y}cqh`, width: `${box.width}cqw`, height: `${box.height}cqh`, justifyContent: 'center' }}>
      <div ref={block} className="text-block" style={{ color, fontFamily: look.fontFamily, textAlign: 'center', lineHeight: 1.05 }}>
        <div ref={figure} style={{ fontSize: `${size}cqh`, fontWeight: look.titleWeight, letterSpacing: `${look.titleTracking}em`, fontVariantNumeric: 'tabular-nums lining-nums' }} />
        {label === '' ? null : <div style={{ fontSize: `${labelSize}cqh`, fontWeight: look.textWeight, marginTop: '0.5em' }}>{label}</div>}
      </div>
    </div>
  );
}

interface CounterRingProps {
  readonly track: Track<CounterChannel>;
  readonly place: Place;
  readonly radius: number;
  readonly color: string;
}

const segments = 240;

/** A ring that closes while the number counts. */
export function CounterRing({ track, place, radius, color }: CounterRingProps) {
  const { palette, style } = useFilm().theme;
  const group = useRef<Group>(null);
  const arc = useRef<Mesh>(null);
  const head = useRef<Mesh>(null);
  const tail = useRef<Mesh>(null);
  const thickness = radius * 0.055;
  const middle = radius - thickness;
  const ring = useMemo(() => alongTube(new TorusGeometry(middle, thickness, 18, segments)), [middle, thickness]);
  const rail = useMemo(() => new TorusGeometry(middle, thickness * 0.5, 12, 128), [middle, thickness]);
  const cap = useMemo(() => new SphereGeometry(thickness, 24, 16), [thickness]);

  useMoment(() => {
    const { progress = 1, scale = 1, opacity = 1 } = track.now;
    if (!group.current || !arc.current) return;
    const drawn = Math.min(segments, Math.max(0, Math.round(progress * segments)));
    ring.draw(drawn);
    const length = (drawn / segments) * Math.PI * 2;
    // Clockwise from the top.
    arc.current.rotation.z = Math.PI / 2 - length;
    head.current?.position.set(Math.sin(length) * middle, Math.cos(length) * middle, 0);
    tail.current?.position.set(0, middle, 0);
    group.current.scale.setScalar(0.5 + 0.5 * scale);
    group.current.visible = opacity > 0.001;
    for (const object of group.current.children) {
      const material = (object as Mesh).material as MeshStandardMaterial;
      material.opacity = opacity;
      material.transparent = opacity < 1;
    }
  });

  const body = () => <meshStandardMaterial color={surface(color)} roughness={looks[style].roughness} />;
  return (
    <group ref={group} position={[...place]}>
      <mesh geometry={rail}>
        <meshStandardMaterial color={surface(mix(palette.backgroundBottom, palette.ink, 0.16))} roughness={0.7} />
      </mesh>
      <mesh ref={arc} geometry={ring.geometry}>
        {body()}
      </mesh>
      <mesh ref={head} geometry={cap}>
        {body()}
      </mesh>
      <mesh ref={tail} geometry={cap}>
        {body()}
      </mesh>
    </group>
  );
}
