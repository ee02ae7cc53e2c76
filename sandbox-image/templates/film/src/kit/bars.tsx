import { useMemo, useRef } from 'react';
import { Color, type Group, type Mesh, type MeshStandardMaterial } from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';
import { luminance, mix, surface } from './color.ts';
import { useShadowMaterial } from './contact-shadow.tsx';
import { Ground, type GroundShade } from './ground.tsx';
import { looks } from './look.ts';
import { formatNumber, isGrouped } from './number-format.ts';
import { projectToFrame } from './project.ts';
import './text.css';

export interface Chart {
  readonly bars: readonly { readonly label: string; readonly value: number }[];
  readonly unit: string;
  /** Centre and width of the chart, and height of its tallest bar, in world units. */
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly staggerSeconds: number;
  readonly color: string;
  readonly ink: string;
}

/**
 * `grow` (0 to 1) raises the bars. `emphasis` (0 to 1) gives the highest bar the full colour and moves it forward; without
 * it, the bar has the full colour from the start. `life` (default 0, at most 1) is their motion at rest, like a breeze.
 */
export type BarChannel = 'grow' | 'emphasis' | 'life' | 'opacity';

interface ChartProps {
  readonly track: Track<BarChannel>;
  readonly chart: Chart;
}

interface PlacedBar {
  readonly x: number;
  readonly height: number;
  readonly thickness: number;
  readonly label: string;
  readonly value: number;
  readonly highest: boolean;
}

/** Positions bars of equal width with gaps of half a bar. Heights are proportional to the values. */
export function placeBars({ bars, x, width, height }: Chart): PlacedBar[] {
  const most = Math.max(...bars.map((bar) => Math.abs(bar.value)), Number.MIN_VALUE);
  const slot = width / Math.max(1, bars.length);
  const thickness = Math.min(slot * 0.64, height * 0.42);
  return bars.map((bar, index) => ({
    x: x + (index - (bars.length - 1) / 2) * slot,
    height: Math.max(height * (Math.abs(bar.value) / most), height * 0.012),
    thickness,
    label: bar.label,
    value: bar.value,
    highest: Math.abs(bar.value) === most,
  }));
}

/** Returns a bar's height factor in the breeze, a low wave along the row. */
function stirring(index: number, seconds: number, life: number): number {
  return 1 + 0.012 * life * Math.sin(seconds * 2.1 - index * 0.9);
}

/** Returns the scale of the highest bar while it moves forward. It ends slightly above 1. */
export function swell(emphasis: number): number {
  return 0.05 * Math.min(1, emphasis) + 0.09 * Math.sin(Math.PI * Math.min(1, Math.max(0, emphasis)));
}

export function Bars({ track, chart }: ChartProps) {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const placed = useMemo(() => placeBars(chart), [chart]);
  const group = useRef<Group>(null);
  const shades = useRef<Group>(null);
  const ground = useRef<GroundShade>(null);
  const shade = useShadowMaterial();
  const tracks = placed.map((_, index) => track.delayed(index * chart.staggerSeconds));
  const dark = luminance(theme.palette.backgroundBottom) < 0.2;
  const quiet = mix(chart.color, dark ? theme.palette.backgroundBottom : '#ffffff', 0.45);
  const tones = useMemo(
    () => ({ quiet: new Color(surface(quiet)), full: new Color(surface(chart.color)) }),
    [quiet, chart.color],
  );
  const thickness = placed[0]?.thickness ?? 1;
  // Built one unit high with a small rounding at both ends, then scaled to its height.
  const geometry = useMemo(
    () =>
      new RoundedBoxGeometry(thickness, 1, thickness, 4, Math.min(thickness * look.edgeRadius * 0.8, 0.12)).translate(0, 0.5, 0),
    [thickness, look],
  );

  useMoment((seconds) => {
    const { opacity = 1, emphasis = 1, life = 0 } = track.now;
    const forward = track.now.emphasis === undefined ? 1 : 1 + swell(emphasis);
    ground.current?.setPresence(opacity);
    shade.uniforms['opacity'] = { value: look.contactShadow * opacity };
    placed.forEach((bar, index) => {
      const mesh = group.current?.children[index] as Mesh | undefined;
      const shadow = shades.current?.children[index];
      if (!mesh || !shadow) return;
      const grow = Math.max(0, tracks[index]?.now.grow ?? 1);
      mesh.visible = grow > 0.001 && opacity > 0.001;
      const width = bar.highest ? forward : 1;
      mesh.scale.set(width, Math.max(0.0001, bar.height * grow * stirring(index, seconds, life)), width);
      const material = mesh.material as MeshStandardMaterial;
      if (bar.highest) material.color.lerpColors(tones.quiet, tones.full, Math.min(1, Math.max(0, emphasis)));
      material.opacity = opacity;
      material.transparent = opacity < 1;
      shadow.visible = mesh.visible;
    });
  });

  return (
    <>
      <Ground ref={ground} />
      <group ref={group}>
        {placed.map((bar) => (
          <mesh key={bar.x} geometry={geometry} position={[bar.x, view.groundY, 0]} castShadow receiveShadow>
            <meshStandardMaterial color={surface(bar.highest ? chart.color : quiet)} roughness={look.roughness} />
          </mesh>
        ))}
      </group>
      <group ref={shades}>
        {placed.map((bar) => (
          <mesh
            key={bar.x}
            material={shade}
            position={[bar.x, view.groundY + 0.01, 0]}
            rotation={[-Math.PI / 2, 0, 0]}
            scale={bar.thickness * 1.9}
            renderOrder={-5}
          >
            <planeGeometry args={[1, 1]} />
          </mesh>
        ))}
      </group>
    </>
  );
}

export function BarLabels({ track, chart }: ChartProps) {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const placed = useMemo(() => placeBars(chart), [chart]);
  const values = useRef<HTMLDivElement>(null);
  const names = useRef<HTMLDivElement>(null);
  const tracks = placed.map((_, index) => track.delayed(index * chart.staggerSeconds));
  const decimals = Math.max(0, ...chart.bars.map(({ value }) => (String(value).split('.')[1] ?? '').length));
  const grouped = isGrouped(Math.max(0, ...chart.bars.map(({ value }) => Math.abs(value))));
  const slot = chart.width / Math.max(1, placed.length);
  // In per cent of the frame's height: the largest size at which the longest text fits its slot.
  const longest = Math.max(
    3,
    ...chart.bars.map(({ value }) => formatNumber(value, decimals, grouped).length + chart.unit.length),
  );
  const longestName = Math.max(5, ...chart.bars.map(({ label }) => label.length));
  const slotPercent = (slot / view.height) * 100;
  const valueSize = Math.min(6, (slotPercent * 0.98) / (longest * 0.6));
  const nameSize = Math.min(4.2, Math.max(2.4, (slotPercent * 0.9) / (longestName * 0.56)));

  useMoment((seconds) => {
    const { opacity = 1, life = 0 } = track.now;
    const larger = track.now.emphasis === undefined ? 1 : 1 + 3.2 * swell(track.now.emphasis);
    placed.forEach((bar, index) => {
      const value = values.current?.children[index] as HTMLElement | undefined;
      const name = names.current?.children[index] as HTMLElement | undefined;
      if (!value || !name) return;
      const grow = Math.max(0, tracks[index]?.now.grow ?? 1);
      // Above the far edge of the bar's top, which appears higher on screen than the near one.
      const top = projectToFrame(bar.x, view.groundY + bar.height * grow * stirring(index, seconds, life), -bar.thickness / 2);
      const foot = projectToFrame(bar.x, view.groundY, bar.thickness / 2);
      value.textContent = `${formatNumber(bar.value * Math.min(1, grow), decimals, grouped)}${chart.unit}`;
      value.style.transform = `translate(-50%, -118%) scale(${(bar.highest ? larger : 1) * 1.0001})`;
      value.style.left = `${top.x}%`;
      value.style.top = `${top.y}%`;
      value.style.opacity = String(opacity * Math.min(1, grow * 4));
      name.style.left = `${foot.x}%`;
      name.style.top = `${foot.y}%`;
      name.style.opacity = String(opacity * Math.min(1, grow * 3));
    });
  }, 'overlay');

  const type = {
    fontFamily: look.fontFamily,
    color: chart.ink,
    whiteSpace: 'pre',
    position: 'absolute',
    lineHeight: 1.15,
    textAlign: 'center',
  } as const;
  return (
    <div className="text-block">
      <div ref={values}>
        {placed.map((bar) => (
          <div
            key={bar.x}
            style={{
              ...type,
              fontWeight: look.titleWeight,
              fontSize: `${valueSize}cqh`,
              transformOrigin: '50% 100%',
              fontVariantNumeric: 'tabular-nums lining-nums',
            }}
          />
        ))}
      </div>
      <div ref={names}>
        {placed.map((bar) => (
          <div
            key={bar.x}
            style={{ ...type, fontWeight: look.textWeight, fontSize: `${nameSize}cqh`, transform: 'translate(-50%, 45%)' }}
          >
            {bar.label}
          </div>
        ))}
      </div>
    </div>
  );
}
