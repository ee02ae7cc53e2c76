import { useMemo, useRef } from 'react';
import {
  BufferGeometry,
  CatmullRomCurve3,
  DoubleSide,
  Float32BufferAttribute,
  type Group,
  type Mesh,
  type MeshBasicMaterial,
  type MeshStandardMaterial,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { ease, easeOutBack } from '../stage/easing.ts';
import type { Track } from '../stage/tracks.ts';
import { type BarChannel, type Chart, placeBars, swell } from './bars.tsx';
import { surface } from './color.ts';
import { looks } from './look.ts';
import { formatNumber, isGrouped } from './number-format.ts';
import { projectToFrame } from './project.ts';
import './text.css';

interface LineProps {
  readonly track: Track<BarChannel>;
  readonly chart: Chart;
}

const along = 240;
const sides = 14;

/** Returns the points of the line, in the area that bars with the same values would fill. */
function pointsOf(chart: Chart, groundY: number): Vector3[] {
  return placeBars(chart).map(({ x, height }) => new Vector3(x, groundY + height, 0));
}

function curveOf(chart: Chart, groundY: number): CatmullRomCurve3 {
  const points = pointsOf(chart, groundY);
  return new CatmullRomCurve3(points.length > 1 ? points : [...points, ...points], false, 'centripetal', 0.5);
}

/** Returns the line's progress (0 to 1) at each point. A steep segment takes longer than a flat one. */
export function turnsOf(chart: Chart): number[] {
  const steps = Math.max(1, chart.bars.length - 1);
  const lengths = curveOf(chart, 0).getLengths(steps * 40);
  const total = Math.max(1e-9, lengths.at(-1) ?? 1);
  return chart.bars.map((_, index) => (lengths[index * 40] ?? total) / total);
}

function areaBelow(curve: CatmullRomCurve3, groundY: number): BufferGeometry {
  const tops = curve.getSpacedPoints(along);
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    'position',
    new Float32BufferAttribute(
      tops.flatMap(({ x, y }) => [x, y, -0.05, x, groundY, -0.05]),
      3,
    ),
  );
  geometry.setIndex(tops.slice(1).flatMap((_, i) => [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3]));
  return geometry;
}

const reached = (grow: number, turn: number): number => Math.min(1, Math.max(0, (grow - turn * 0.92) / 0.08));

/** Draws a line from left to right through its points, then enlarges the highest one. */
export function LineChart({ track, chart }: LineProps) {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const placed = useMemo(() => placeBars(chart), [chart]);
  const turns = useMemo(() => turnsOf(chart), [chart]);
  const thickness = view.height * 0.0075;
  const { tube, area } = useMemo(() => {
    const curve = curveOf(chart, view.groundY);
    return { tube: new TubeGeometry(curve, along, thickness, sides), area: areaBelow(curve, view.groundY) };
  }, [chart, view, thickness]);
  const dot = useMemo(() => new SphereGeometry(thickness * 2.5, 28, 20), [thickness]);
  const line = useRef<Mesh>(null);
  const below = useRef<Mesh>(null);
  const dots = useRef<Group>(null);

  useMoment((seconds) => {
    const { grow = 1, opacity = 1, emphasis = 0, life = 0 } = track.now;
    const drawn = Math.round(Math.min(1, Math.max(0, grow)) * along);
    tube.setDrawRange(0, drawn * sides * 6);
    area.setDrawRange(0, drawn * 6);
    for (const mesh of [line.current, below.current]) {
      if (!mesh) continue;
      mesh.visible = drawn > 0 && opacity > 0.001;
      const material = mesh.material as MeshStandardMaterial | MeshBasicMaterial;
      material.opacity = mesh === below.current ? 0.16 * opacity : opacity;
      material.transparent = mesh === below.current || opacity < 1;
    }
    placed.forEach(({ highest }, index) => {
      const mesh = dots.current?.children[index] as Mesh | undefined;
      if (!mesh) return;
      const here = reached(grow, turns[index] ?? 1);
      mesh.visible = here > 0 && opacity > 0.001;
      const stir = 1 + 0.06 * life * Math.sin(seconds * 2 - index * 0.8);
      mesh.scale.setScalar(Math.max(0.0001, ease(easeOutBack, here) * stir * (highest ? 1 + 4 * swell(emphasis) : 1)));
      const material = mesh.material as MeshStandardMaterial;
      material.opacity = opacity;
      material.transparent = opacity < 1;
    });
  });

  return (
    <>
      <mesh ref={below} geometry={area}>
        <meshBasicMaterial color={chart.color} side={DoubleSide} transparent depthWrite={false} toneMapped={false} />
      </mesh>
      <mesh ref={line} geometry={tube}>
        <meshStandardMaterial color={surface(chart.color)} roughness={look.roughness} />
      </mesh>
      <group ref={dots}>
        {placed.map(({ x, height, highest }) => (
          <mesh key={x} geometry={dot} position={[x, view.groundY + height, thickness]}>
            <meshStandardMaterial color={surface(highest ? theme.palette.helper : chart.color)} roughness={look.roughness} />
          </mesh>
        ))}
      </group>
    </>
  );
}

export function LineLabels({ track, chart }: LineProps) {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const placed = useMemo(() => placeBars(chart), [chart]);
  const turns = useMemo(() => turnsOf(chart), [chart]);
  const root = useRef<HTMLDivElement>(null);
  const decimals = Math.max(0, ...chart.bars.map(({ value }) => (String(value).split('.')[1] ?? '').length));
  const grouped = isGrouped(Math.max(0, ...chart.bars.map(({ value }) => Math.abs(value))));
  const texts = placed.map(({ value }) => `${formatNumber(value, decimals, grouped)}${chart.unit}`);
  const slot = ((chart.width / Math.max(1, placed.length)) * 100) / view.height;
  const longest = (all: readonly string[]) => Math.max(3, ...all.map((text) => [...text].length));
  const valueSize = Math.min(5.2, (slot * 0.96) / (longest(texts) * 0.6));
  const nameSize = Math.min(4.2, Math.max(2.4, (slot * 0.9) / (longest(placed.map(({ label }) => label)) * 0.56)));

  useMoment(() => {
    const { grow = 1, opacity = 1 } = track.now;
    placed.forEach(({ x, height }, index) => {
      const here = reached(grow, turns[index] ?? 1);
      const [value, name] = [root.current?.children[2 * index], root.current?.children[2 * index + 1]] as (
        | HTMLElement
        | undefined
      )[];
      const top = projectToFrame(x, view.groundY + height, 0);
      const foot = projectToFrame(x, view.groundY, 0);
      if (value) {
        Object.assign(value.style, { left: `${top.x}%`, top: `${top.y}%`, opacity: String(opacity * here) });
        value.style.transform = `translate(-50%, ${-165 + 20 * (1 - here)}%) scale(1.0001)`;
      }
      if (name)
        Object.assign(name.style, { left: `${foot.x}%`, top: `${foot.y}%`, opacity: String(opacity * Math.min(1, grow * 3)) });
    });
  }, 'overlay');

  const type = {
    position: 'absolute',
    color: chart.ink,
    fontFamily: look.fontFamily,
    whiteSpace: 'pre',
    lineHeight: 1.15,
  } as const;
  return (
    <div ref={root} className="text-block">
      {placed.flatMap(({ x, label }, index) => [
        <div key={`value ${x}`} style={{ ...type, fontWeight: look.titleWeight, fontSize: `${valueSize}cqh` }}>
          {texts[index]}
        </div>,
        <div
          key={`name ${x}`}
          style={{ ...type, fontWeight: look.textWeight, fontSize: `${nameSize}cqh`, transform: 'translate(-50%, 60%)' }}
        >
          {label}
        </div>,
      ])}
    </div>
  );
}
