import { useMemo, useRef } from 'react';
import { DoubleSide, type Group, LatheGeometry, type Mesh, type MeshStandardMaterial, Vector2 } from 'three';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';
import { type BarChannel, type Chart, swell } from './bars.tsx';
import { mix, surface } from './color.ts';
import { looks } from './look.ts';
import { formatNumber } from './number-format.ts';
import { projectToFrame } from './project.ts';
import './text.css';

interface PieProps {
  readonly track: Track<BarChannel>;
  readonly chart: Chart;
}

export interface Sector {
  readonly label: string;
  readonly value: number;
  /** Radians, clockwise from the top. */
  readonly from: number;
  readonly angle: number;
  readonly largest: boolean;
}

/** Returns a pie's sectors in order, from the top. The unlabelled one is the remainder. */
export function sectorsOf({ bars }: Pick<Chart, 'bars'>): Sector[] {
  const total = Math.max(
    Number.MIN_VALUE,
    bars.reduce((sum, { value }) => sum + Math.abs(value), 0),
  );
  const most = Math.max(...bars.map(({ label, value }) => (label === '' ? 0 : Math.abs(value))));
  let from = 0;
  return bars.map(({ label, value }) => {
    const angle = (Math.abs(value) / total) * Math.PI * 2;
    const sector = { label, value, from, angle, largest: label !== '' && Math.abs(value) === most };
    from += angle;
    return sector;
  });
}

const around = 160;

function placeOf(chart: Chart, groundY: number): { x: number; y: number; radius: number } {
  return { x: chart.x, y: groundY + chart.height * 0.6, radius: Math.min(chart.height * 0.6, chart.width * 0.27) };
}

/** Draws a ring of sectors clockwise from the top, then moves the largest forward. */
export function Pie({ track, chart }: PieProps) {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const { backgroundBottom, helper, ink } = theme.palette;
  const group = useRef<Group>(null);
  const sectors = useMemo(() => sectorsOf(chart), [chart]);
  const { x, y, radius } = placeOf(chart, view.groundY);
  const geometries = useMemo(() => {
    const [inner, outer, deep] = [radius * 0.56, radius, radius * 0.1];
    const round = radius * 0.045;
    const profile = [
      [inner, -deep],
      [inner, deep - round],
      [inner + round, deep],
      [outer - round, deep],
      [outer, deep - round],
      [outer, -deep],
    ].map(([across = 0, along = 0]) => new Vector2(across, -along));
    return sectors.map(({ from, angle }) => new LatheGeometry(profile, around, from, angle).rotateX(-Math.PI / 2));
  }, [sectors, radius]);
  const tones = useMemo(() => {
    const shades = [
      helper,
      mix(chart.color, ink, 0.45),
      mix(helper, backgroundBottom, 0.45),
      mix(chart.color, backgroundBottom, 0.5),
    ];
    let next = 0;
    return sectors.map(({ label, largest }) => {
      if (label === '') return mix(backgroundBottom, ink, 0.16);
      return largest ? chart.color : (shades[next++ % shades.length] ?? helper);
    });
  }, [sectors, chart.color, helper, ink, backgroundBottom]);

  useMoment((seconds) => {
    const { grow = 1, opacity = 1, emphasis = 0, life = 0 } = track.now;
    if (!group.current) return;
    group.current.rotation.x = -0.16 + 0.02 * life * Math.sin(seconds * 0.9);
    group.current.rotation.y = 0.16 * Math.sin(seconds * 0.6) * life;
    sectors.forEach(({ from, angle, largest }, index) => {
      const mesh = group.current?.children[index] as Mesh | undefined;
      if (!mesh) return;
      const drawn = Math.min(1, Math.max(0, (grow * Math.PI * 2 - from) / Math.max(1e-6, angle)));
      mesh.visible = drawn > 0 && opacity > 0.001;
      mesh.geometry.setDrawRange(0, Math.round(drawn * around) * 5 * 6);
      const forward = largest ? swell(emphasis) : 0;
      const middle = from + angle / 2;
      mesh.position.set(Math.sin(middle) * radius * forward * 0.5, Math.cos(middle) * radius * forward * 0.5, radius * forward);
      const material = mesh.material as MeshStandardMaterial;
      material.opacity = opacity;
      material.transparent = opacity < 1;
    });
  });

  return (
    <group ref={group} position={[x, y, 0]}>
      {sectors.map((sector, index) => (
        <mesh key={sector.from} geometry={geometries[index]}>
          <meshStandardMaterial color={surface(tones[index] ?? chart.color)} roughness={look.roughness} side={DoubleSide} />
        </mesh>
      ))}
    </group>
  );
}

export function PieLabels({ track, chart }: PieProps) {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const sectors = useMemo(() => sectorsOf(chart).filter(({ label, value }) => label !== '' && value !== 0), [chart]);
  const { x, y, radius } = placeOf(chart, view.groundY);
  const root = useRef<HTMLDivElement>(null);
  const decimals = Math.max(0, ...chart.bars.map(({ value }) => (String(value).split('.')[1] ?? '').length));
  const alone = sectors.length === 1;
  const radiusPercent = (radius / view.height) * 100;
  const longest = Math.max(4, ...sectors.map(({ label }) => [...label].length));
  // The labels have the width between the ring and the frame's edge.
  const room = (view.width / 2 - Math.abs(x) - radius * 1.2) * (100 / view.height);
  const size = alone ? radiusPercent * 0.3 : Math.max(3.4, Math.min(7, radiusPercent * 0.24));
  const nameSize = Math.max(3, Math.min(size * 0.72, (alone ? radiusPercent : room) / (longest * 0.56)));

  useMoment(() => {
    const { grow = 1, opacity = 1 } = track.now;
    sectors.forEach(({ from, angle, value }, index) => {
      const label = root.current?.children[index] as HTMLElement | undefined;
      const figure = label?.firstElementChild;
      if (!label || !figure) return;
      const middle = from + angle / 2;
      const seen = Math.min(1, Math.max(0, (grow * Math.PI * 2 - from) / Math.max(1e-6, angle)));
      const away = alone ? 0 : radius * 1.16;
      const spot = projectToFrame(x + Math.sin(middle) * away, y + Math.cos(middle) * away, 0);
      // Labels are outside the ring: left-aligned on its right side, right-aligned on its left.
      const across = alone ? -50 : -50 + 50 * Math.sin(middle);
      const down = alone ? -50 : -50 - 50 * Math.cos(middle);
      label.style.left = `${spot.x}%`;
      label.style.top = `${spot.y}%`;
      label.style.transform = `translate(${across}%, ${down}%) scale(1.0001)`;
      label.style.opacity = String(opacity * Math.min(1, seen * 3));
      figure.textContent = `${formatNumber(value * seen, decimals, false)}${chart.unit}`;
    });
  }, 'overlay');

  return (
    <div ref={root} className="text-block">
      {sectors.map((sector) => (
        <div
          key={sector.from}
          style={{ position: 'absolute', color: chart.ink, fontFamily: look.fontFamily, textAlign: 'center', lineHeight: 1.15 }}
        >
          <div style={{ fontSize: `${size}cqh`, fontWeight: look.titleWeight, fontVariantNumeric: 'tabular-nums lining-nums' }} />
          <div style={{ fontSize: `${nameSize}cqh`, fontWeight: look.textWeight }}>{sector.label}</div>
        </div>
      ))}
    </div>
  );
}
