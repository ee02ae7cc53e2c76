import { useMemo, useRef } from 'react';
import {
  CapsuleGeometry,
  CylinderGeometry,
  type Group,
  type Mesh,
  type MeshStandardMaterial,
  SphereGeometry,
  TorusGeometry,
} from 'three';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';
import type { Place } from './actor.tsx';
import { mix, surface } from './color.ts';
import { looks } from './look.ts';
import { figureOf, formatNumber, isGrouped, type Sign } from './number-format.ts';
import type { Box } from './text.tsx';
import { alongTube } from './torus-range.ts';
import { transform } from './transform.ts';
import './text.css';

/** `value` is the displayed number, `progress` (0 to 1) the closed fraction of the ring. */
export type CounterChannel = 'value' | 'progress' | 'scale' | 'opacity';

interface CounterProps {
  readonly track: Track<CounterChannel>;
  readonly box: Box;
  /** Space for the number, in per cent of the frame's height. */
  readonly fit: { readonly width: number; readonly height: number };
  readonly prefix: string;
  readonly suffix: string;
  readonly decimals: number;
  /** The displayed number that has the most digits. */
  readonly widest: number;
  readonly label: string;
  readonly color: string;
}

/** Writes each digit into a cell of the same width, because not all fonts have tabular figures. */
function writeFigure(figure: HTMLElement, signs: readonly Sign[]): void {
  while (figure.childElementCount > signs.length) figure.lastElementChild?.remove();
  signs.forEach(({ sign, look }, index) => {
    const cell = figure.children[index] ?? figure.appendChild(document.createElement('span'));
    if (cell.textContent !== sign) cell.textContent = sign;
    if (cell.className !== look) cell.className = look;
  });
}

export function Counter({ track, box, fit, prefix, suffix, decimals, widest, label, color }: CounterProps) {
  const { theme } = useFilm();
  const look = looks[theme.style];
  const block = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLDivElement>(null);
  const grouped = isGrouped(widest);
  const signs = [...`${prefix}${formatNumber(widest, decimals, grouped)}${suffix}`].length;
  const size = Math.min(fit.height * 0.5, fit.width / Math.max(2, signs * 0.6));
  const labelSize = Math.min(Math.max(3.4, size * 0.24), (fit.width * 0.92) / Math.max(6, [...label].length * 0.56));

  useMoment(() => {
    const { value = 0, scale = 1, opacity = 1 } = track.now;
    if (figure.current) {
      const number = formatNumber(value, decimals, grouped);
      writeFigure(figure.current, figureOf(number, formatNumber(widest, decimals, grouped), prefix, suffix));
    }
    if (!block.current) return;
    block.current.style.opacity = String(opacity);
    block.current.style.transform = transform({ scale });
  }, 'overlay');

  return (
    <div
      className="text-box"
      style={{
        left: `${box.x}cqw`,
        top: `${box.y}cqh`,
        width: `${box.width}cqw`,
        height: `${box.height}cqh`,
        justifyContent: 'center',
      }}
    >
      <div
        ref={block}
        className="text-block"
        style={{ color, fontFamily: look.fontFamily, textAlign: 'center', lineHeight: 1.05 }}
      >
        <div
          ref={figure}
          style={{
            fontSize: `${size}cqh`,
            fontWeight: look.titleWeight,
            letterSpacing: `${look.titleTracking}em`,
            fontVariantNumeric: 'tabular-nums lining-nums',
          }}
        />
        {label === '' ? null : (
          <div style={{ fontSize: `${labelSize}cqh`, fontWeight: look.textWeight, marginTop: '0.5em' }}>{label}</div>
        )}
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
    fade(group.current, opacity);
  });

  const body = () => <meshStandardMaterial color={surface(color)} roughness={looks[style].roughness} />;
  return (
    <group ref={group} position={[...place]}>
      <mesh geometry={rail}>
        <meshStandardMaterial color={surface(mix(palette.backgroundTop, palette.ink, 0.22))} roughness={0.7} />
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

interface CounterBarProps extends CounterRingProps {
  /** Length of the rail in world units; `radius` is half its thickness. */
  readonly length: number;
}

export function CounterBar({ track, place, radius, length, color }: CounterBarProps) {
  const { palette, style } = useFilm().theme;
  const group = useRef<Group>(null);
  const rail = useMemo(() => new CapsuleGeometry(radius, length, 10, 24).rotateZ(Math.PI / 2), [radius, length]);
  const rod = useMemo(() => new CylinderGeometry(radius, radius, 1, 24, 1, true).rotateZ(Math.PI / 2), [radius]);
  const cap = useMemo(() => new SphereGeometry(radius, 24, 16), [radius]);

  useMoment(() => {
    const { progress = 1, opacity = 1 } = track.now;
    if (!group.current) return;
    const filled = Math.max(0.001, Math.min(1, progress) * length);
    const [, left, right, fill] = group.current.children;
    left?.position.set(-length / 2, 0, radius * 0.3);
    right?.position.set(-length / 2 + filled, 0, radius * 0.3);
    fill?.position.set(-length / 2 + filled / 2, 0, radius * 0.3);
    fill?.scale.set(filled, 1, 1);
    fade(group.current, opacity);
  });

  const body = () => <meshStandardMaterial color={surface(color)} roughness={looks[style].roughness} />;
  return (
    <group ref={group} position={[...place]}>
      <mesh geometry={rail} scale={[1, 0.9, 0.6]}>
        <meshStandardMaterial color={surface(mix(palette.backgroundTop, palette.ink, 0.22))} roughness={0.7} />
      </mesh>
      <mesh geometry={cap}>{body()}</mesh>
      <mesh geometry={cap}>{body()}</mesh>
      <mesh geometry={rod}>{body()}</mesh>
    </group>
  );
}

function fade(group: Group, opacity: number): void {
  group.visible = opacity > 0.001;
  for (const object of group.children) {
    const material = (object as Mesh).material as MeshStandardMaterial;
    material.opacity = opacity;
    material.transparent = opacity < 1;
  }
}
