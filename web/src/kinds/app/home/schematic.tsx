import type { ReactNode } from 'react';
import type { ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { ThemeColours } from './catalogue.ts';

/** Shapes of each view in a frame of 200 × 100. */
const shapes: Readonly<Record<ViewType, (colours: ThemeColours) => ReactNode>> = {
  table: ({ line, muted, ink, accent }) => (
    <>
      <Bars x={10} y={10} widths={[44, 26, 30, 20]} colour={ink} />
      {[28, 42, 56, 70, 84].map((y) => (
        <g key={y}>
          <rect x={10} y={y - 5} width={180} height={1} fill={line} />
          <Bars x={10} y={y + 1} widths={[34 + ((y * 7) % 20), 26, 30]} colour={muted} />
          <rect x={146} y={y} width={26} height={6} rx={3} fill={y % 28 === 0 ? accent : line} />
        </g>
      ))}
    </>
  ),
  board: ({ line, ground, ink, muted, accent }) => (
    <>
      {[0, 1, 2, 3].map((column) => (
        <g key={column}>
          <rect x={10 + column * 46} y={8} width={42} height={86} rx={5} fill={ground} />
          <rect x={15 + column * 46} y={13} width={18} height={4} rx={2} fill={ink} />
          {Array.from({ length: 3 - (column % 3) }, (_, card) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards never move
            <g key={card}>
              <rect x={14 + column * 46} y={22 + card * 23} width={34} height={19} rx={3} fill="#fff" fillOpacity={0.9} stroke={line} />
              <rect x={18 + column * 46} y={26 + card * 23} width={24} height={3} rx={1.5} fill={muted} />
              <rect x={18 + column * 46} y={33 + card * 23} width={10} height={3} rx={1.5} fill={accent} />
            </g>
          ))}
        </g>
      ))}
    </>
  ),
  calendar: ({ line, ink, accent, soft, helper }) => (
    <>
      {[0, 1, 2, 3, 4].map((column) => (
        <g key={column}>
          <rect x={10 + column * 36} y={22} width={1} height={74} fill={line} />
          <rect x={20 + column * 36} y={10} width={14} height={4} rx={2} fill={ink} />
          <rect
            x={13 + column * 36}
            y={28 + ((column * 23) % 30)}
            width={31}
            height={22}
            rx={3}
            fill={soft}
            stroke={column % 2 === 0 ? accent : helper}
          />
        </g>
      ))}
      <rect x={10} y={20} width={180} height={1} fill={line} />
    </>
  ),
  cards: ({ line, scene, ink, muted, accent }) => (
    <>
      {[0, 1, 2].map((card) => (
        <g key={card}>
          <rect x={10 + card * 62} y={10} width={56} height={80} rx={5} fill="none" stroke={line} />
          <rect x={10 + card * 62} y={10} width={56} height={42} rx={5} fill={scene} />
          <circle cx={38 + card * 62} cy={31} r={11} fill={accent} fillOpacity={0.55} />
          <rect x={16 + card * 62} y={60} width={34} height={5} rx={2.5} fill={ink} />
          <rect x={16 + card * 62} y={72} width={24} height={4} rx={2} fill={muted} />
        </g>
      ))}
    </>
  ),
  detail: ({ line, soft, ink, muted }) => (
    <>
      <rect x={74} y={8} width={1} height={86} fill={line} />
      <rect x={10} y={28} width={60} height={18} rx={3} fill={soft} />
      {[14, 34, 54, 74].map((y) => (
        <Bars key={y} x={15} y={y} widths={[38]} colour={y === 34 ? ink : muted} />
      ))}
      <rect x={86} y={14} width={58} height={7} rx={3} fill={ink} />
      {[34, 48, 62, 76].map((y) => (
        <Bars key={y} x={86} y={y} widths={[26, 48 - (y % 20)]} colour={muted} />
      ))}
    </>
  ),
  sheet: ({ line, ink, muted, soft }) => (
    <>
      <rect x={50} y={6} width={100} height={90} rx={6} fill="none" stroke={line} />
      <rect x={58} y={14} width={84} height={22} rx={3} fill={soft} />
      <rect x={58} y={44} width={48} height={6} rx={3} fill={ink} />
      {[58, 70, 82].map((y) => (
        <Bars key={y} x={58} y={y} widths={[24, 40]} colour={muted} />
      ))}
    </>
  ),
  form: ({ line, accent, ink, muted }) => (
    <>
      <rect x={60} y={10} width={50} height={6} rx={3} fill={ink} />
      {[26, 48].map((y) => (
        <g key={y}>
          <rect x={60} y={y} width={24} height={3} rx={1.5} fill={muted} />
          <rect x={60} y={y + 6} width={80} height={11} rx={3} fill="none" stroke={line} strokeWidth={1.5} />
        </g>
      ))}
      <rect x={60} y={74} width={34} height={13} rx={3} fill={accent} />
    </>
  ),
  dashboard: ({ line, ground, ink, muted, accent, helper }) => (
    <>
      {[0, 1, 2].map((figure) => (
        <g key={figure}>
          <rect x={10 + figure * 62} y={8} width={56} height={26} rx={4} fill={ground} />
          <rect x={16 + figure * 62} y={13} width={20} height={3} rx={1.5} fill={muted} />
          <rect x={16 + figure * 62} y={21} width={28} height={7} rx={3} fill={ink} />
        </g>
      ))}
      <rect x={10} y={92} width={180} height={1} fill={line} />
      <path d="M10 82 C40 78 46 60 76 64 S118 72 140 52 172 50 190 42" fill="none" stroke={accent} strokeWidth={2} />
      <path d="M10 88 C50 86 80 78 110 80 S160 72 190 66" fill="none" stroke={helper} strokeWidth={1.5} strokeDasharray="4 3" />
    </>
  ),
  code: ({ muted, accent }) => (
    <>
      {[20, 36, 52, 68].map((y, at) => (
        <Bars key={y} x={30 + (at % 3) * 12} y={y} widths={[30, 50]} colour={at % 2 === 0 ? accent : muted} />
      ))}
    </>
  ),
};

function Bars({ x, y, widths, colour }: { x: number; y: number; widths: readonly number[]; colour: string }) {
  return widths.map((width, at) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars never move
      key={at}
      x={x + widths.slice(0, at).reduce((sum, one) => sum + Math.max(one, 36) + 10, 0)}
      y={y}
      width={width}
      height={5}
      rx={2.5}
      fill={colour}
    />
  ));
}

interface SchematicProps {
  readonly view: ViewType;
  readonly colours: ThemeColours;
  readonly className?: string;
}

/** Picture of a view in a theme's colours. It shows which view it is, not what the app looks like. */
export function Schematic({ view, colours, className }: SchematicProps) {
  return (
    <svg viewBox="0 0 200 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true" className={className} style={{ background: colours.panel }}>
      {shapes[view](colours)}
    </svg>
  );
}
