import { useId, useMemo, useRef } from 'react';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Style } from '../stage/film-definition.ts';
import type { Track } from '../stage/tracks.ts';
import { beads, fitRings, lineWave, type Piece, piecePose, pieces, ringAngle } from './flourish-motion.ts';
import type { Box } from './text.tsx';

/** `grow` (0 to 1) is the entrance; `beat` (0 to 1) is a second one in the middle of the scene. */
export type FlourishChannel = 'grow' | 'beat' | 'opacity';

export interface FlourishProps {
  readonly track: Track<FlourishChannel>;
  /** Area of the text, which stays free. */
  readonly box: Box;
  readonly align?: 'left' | 'center';
  readonly color: string;
  readonly helper: string;
  /** Whether to draw only the line below the text, because the rest of the frame is busy. */
  readonly quiet?: boolean;
}

/** One unit is one per cent of the frame's height, in both directions. */
interface Sheet {
  readonly width: number;
  readonly box: Box;
}

interface PartProps extends Omit<FlourishProps, 'box'> {
  readonly sheet: Sheet;
}

const parts: Readonly<Record<Style, (props: PartProps) => React.ReactNode>> = {
  playful: Pieces,
  smooth: Rings,
  cinematic: Beads,
};

/** Draws decoration around text that has the frame to itself: a line below it, and the style's ornament. */
export function Flourish({ box, ...props }: FlourishProps) {
  const { theme, view } = useFilm();
  const root = useRef<SVGSVGElement>(null);
  const width = 100 * (view.width / view.height);
  const sheet: Sheet = { width, box: { ...box, x: (box.x * width) / 100, width: (box.width * width) / 100 } };
  useMoment(() => {
    if (root.current) root.current.style.opacity = String(props.track.now.opacity ?? 1);
  }, 'overlay');
  const Ornament = parts[theme.style];
  return (
    <svg
      ref={root}
      aria-hidden
      viewBox={`0 0 ${width} 100`}
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%' }}
    >
      {props.quiet === true ? null : <Ornament sheet={sheet} {...props} />}
      <Line sheet={sheet} {...props} />
    </svg>
  );
}

function Line({ sheet: { box }, track, align = 'center', color }: PartProps) {
  const { style } = useFilm().theme;
  const id = useId();
  const line = useRef<SVGPathElement>(null);
  const light = useRef<SVGEllipseElement>(null);
  const long = style === 'cinematic' ? box.width * 0.9 : Math.min(style === 'smooth' ? 13 : 24, box.width * 0.6);
  const left = align === 'left' ? box.x : box.x + (box.width - long) / 2;
  // Above the text if there is no space below it.
  const below = box.y + box.height + 3.4;
  const y = below > 93 || (align === 'left' && below > 84) ? box.y - 2.4 : below;
  useMoment((seconds) => {
    const { grow = 1, beat = 0 } = track.now;
    if (!line.current) return;
    // A pen draws from the left end; other lines grow from the middle.
    const from = style === 'playful' || align === 'left' ? 0 : (1 - grow) / 2;
    line.current.style.strokeDasharray = `${grow} 2`;
    line.current.style.strokeDashoffset = String(-from);
    line.current.style.opacity = grow > 0.001 ? '1' : '0';
    if (style === 'smooth') {
      const stretch = 1 + 0.35 * Math.sin(Math.PI * beat) + 0.05 * Math.sin(seconds * 1.5);
      const middle = align === 'left' ? left : left + long / 2;
      line.current.setAttribute('transform', `translate(${middle} 0) scale(${stretch} 1) translate(${-middle} 0)`);
    }
    if (style === 'playful') line.current.setAttribute('d', lineWave(left, y, long, seconds));
    if (light.current) {
      const way = (seconds / 3.2 + 0.1) % 1;
      light.current.setAttribute('cx', String(left + long * way));
      light.current.style.opacity = String(grow * Math.sin(Math.PI * way));
    }
  }, 'overlay');
  const thickness = { cinematic: 0.28, smooth: 0.8, playful: 1.1 }[style];
  return (
    <>
      <defs>
        <radialGradient id={`${id}light`}>
          <stop offset="0" stopColor="#ffffff" />
          <stop offset="0.3" stopColor={color} stopOpacity="0.7" />
          <stop offset="1" stopColor={color} stopOpacity="0" />
        </radialGradient>
      </defs>
      <path
        ref={line}
        d={`M${left} ${y}H${left + long}`}
        pathLength={1}
        fill="none"
        stroke={color}
        strokeWidth={thickness}
        strokeLinecap={style === 'cinematic' ? 'butt' : 'round'}
      />
      {style === 'cinematic' ? <ellipse ref={light} cy={y} rx={9} ry={0.9} fill={`url(#${id}light)`} /> : null}
    </>
  );
}

/** Draws small hovering cut-outs in the margins, which flip one by one on the beat. */
function Pieces({ sheet, track, color, helper }: PartProps) {
  const { seed } = useFilm().theme;
  const group = useRef<SVGGElement>(null);
  const placed = useMemo(() => pieces(sheet.width, sheet.box, seed), [sheet.width, sheet.box, seed]);
  useMoment((seconds) => {
    const { grow = 1, beat = 0 } = track.now;
    placed.forEach((piece, index) => {
      const { y, turn, scale } = piecePose(piece, { grow, beat, seconds, turn: index / Math.max(1, placed.length - 1) });
      group.current?.children[index]?.setAttribute('transform', `translate(${piece.x} ${y}) rotate(${turn}) scale(${scale})`);
    });
  }, 'overlay');
  return (
    <g ref={group}>
      {placed.map(({ kind, x, y, paint }) => (
        <Cutout key={`${x} ${y}`} kind={kind} tone={paint === 'color' ? color : helper} />
      ))}
    </g>
  );
}

function Cutout({ kind, tone }: { kind: Piece['kind']; tone: string }) {
  const drawn = { fill: tone, stroke: 'none' };
  const outlined = { fill: 'none', stroke: tone, strokeWidth: 0.42, strokeLinecap: 'round' as const };
  switch (kind) {
    case 'disc':
      return <circle r={0.8} {...drawn} />;
    case 'ring':
      return <circle r={0.85} {...outlined} />;
    case 'triangle':
      return <path d="M0-1L.95.7H-.95Z" strokeLinejoin="round" {...drawn} />;
    case 'plus':
      return <path d="M-.9 0H.9M0-.9V.9" {...outlined} />;
    case 'wave':
      return <path d="M-1.5 0Q-1.1-.9-.75 0T0 0T.75 0T1.5 0" {...outlined} />;
    case 'half':
      return <path d="M-1 0A1 1 0 0 1 1 0Z" {...drawn} />;
  }
}

/** Draws two quarter circles in opposite corners, with an accent arc along each. */
function Rings({ sheet, track, color, helper }: PartProps) {
  const group = useRef<SVGGElement>(null);
  const corners = fitRings(sheet.width, sheet.box, [
    { x: sheet.width, y: 0, radius: 38, from: 119 },
    { x: sheet.width, y: 0, radius: 28, from: 115 },
    { x: 0, y: 100, radius: 33, from: -62 },
  ]);
  useMoment((seconds) => {
    const { grow = 1, beat = 0 } = track.now;
    corners.forEach(({ x, y, from }, index) => {
      const ring = group.current?.children[index] as SVGGElement | undefined;
      const [rail, arc, dot] = ring?.children ?? [];
      if (!(rail instanceof SVGElement) || !(arc instanceof SVGElement) || !(dot instanceof SVGElement)) return;
      rail.style.strokeDasharray = `${grow} 2`;
      arc.style.strokeDasharray = `${0.1 * grow} 2`;
      const turn = ringAngle(from, { index, seconds, grow, beat });
      arc.setAttribute('transform', `rotate(${turn} ${x} ${y})`);
      dot.setAttribute('transform', `rotate(${turn + 36 * grow} ${x} ${y})`);
      dot.style.opacity = String(grow);
    });
  }, 'overlay');
  return (
    <g ref={group} fill="none" strokeLinecap="round">
      {corners.map(({ x, y, radius }) => (
        <g key={radius}>
          <circle cx={x} cy={y} r={radius} pathLength={1} stroke={helper} strokeOpacity={0.55} strokeWidth={0.25} />
          <circle cx={x} cy={y} r={radius} pathLength={1} stroke={color} strokeWidth={0.6} />
          <circle cx={x + radius} cy={y} r={0.95} fill={color} />
        </g>
      ))}
    </g>
  );
}

function Beads({ sheet, track, color, helper }: PartProps) {
  const { seed } = useFilm().theme;
  const id = useId();
  const group = useRef<SVGGElement>(null);
  const placed = useMemo(() => beads(sheet.width, seed), [sheet.width, seed]);
  useMoment((seconds) => {
    const { grow = 1, beat = 0 } = track.now;
    placed.forEach((bead, index) => {
      const one = group.current?.children[index] as SVGElement | undefined;
      if (!one) return;
      one.setAttribute('cx', String(bead.x + bead.drift * seconds));
      one.setAttribute('cy', String(bead.y + 1.6 * Math.sin(seconds * 0.5 + bead.phase)));
      const glimmer = 0.7 + 0.3 * Math.sin(seconds * 0.9 + bead.phase * 2) + 0.5 * Math.sin(Math.PI * beat);
      one.style.opacity = String(Math.min(1, bead.strength * grow * glimmer));
    });
  }, 'overlay');
  return (
    <>
      <defs>
        {[color, helper].map((tone, index) => (
          <radialGradient key={tone} id={`${id}${index}`}>
            <stop offset="0" stopColor={tone} stopOpacity="0.55" />
            <stop offset="0.72" stopColor={tone} stopOpacity="0.34" />
            <stop offset="1" stopColor={tone} stopOpacity="0" />
          </radialGradient>
        ))}
      </defs>
      <g ref={group}>
        {placed.map(({ x, y, radius }, index) => (
          <circle key={`${x} ${y}`} r={radius} fill={`url(#${id}${index % 2})`} />
        ))}
      </g>
    </>
  );
}
