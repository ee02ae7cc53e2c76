import { mix, readable } from '../kit/color.ts';
import type { Colors } from '../themes/colors.ts';
import type { Rect } from '../themes/theme.ts';
import { Lines } from './lines.tsx';
import { Box, useScene } from './setting.tsx';
import { setText } from './text.ts';

export type DeviceKind = 'browser' | 'phone' | 'laptop';

export interface Device {
  readonly kind: DeviceKind;
  readonly body: Rect;
  readonly screen: Rect;
  readonly bar: Rect | null;
  readonly deck: Rect | null;
  readonly radius: number;
}

interface ScreenColors {
  readonly ground: string;
  readonly panel: string;
  readonly line: string;
  readonly muted: string;
  readonly bezel: string;
}

export function screenColors(colors: Colors): ScreenColors {
  const ground = colors.dark ? mix(colors.groundTop, colors.ink, 0.05) : mix(colors.surface, '#ffffff', 0.5);
  return {
    ground,
    panel: mix(ground, colors.ink, colors.dark ? 0.05 : 0.045),
    line: mix(ground, colors.ink, 0.13),
    muted: readable(mix(colors.ink, ground, 0.32), mix(ground, colors.ink, 0.06)),
    bezel: colors.dark ? mix(colors.groundTop, '#000000', 0.6) : mix(colors.ink, '#000000', 0.2),
  };
}

/** Draws the device using plain boxes: a window, a phone, or a laptop's lid and base. */
export function DeviceBody({ device }: { readonly device: Device }) {
  const { colors } = useScene();
  const { kind, body, screen, bar, deck, radius } = device;
  const paint = screenColors(colors);
  const top = bar ?? screen;
  const edge = colors.dark ? mix(paint.bezel, colors.accent, 0.5) : paint.line;
  const shadow = colors.dark
    ? '0 40px 90px -30px rgb(0 0 0 / 0.6)'
    : `0 40px 90px -24px ${mix(colors.ink, colors.accent, 0.3)}50`;
  const inset = top.x - body.x;
  return (
    <>
      <Box
        {...body}
        style={{
          background: kind === 'browser' ? paint.ground : paint.bezel,
          borderRadius: radius,
          boxShadow: `0 0 0 2px ${edge}, ${shadow}`,
        }}
      />
      <Box
        x={top.x}
        y={top.y}
        width={top.width}
        height={body.y + body.height - inset - top.y}
        style={{ background: paint.ground, borderRadius: Math.max(0, radius - inset) }}
      />
      {deck === null ? null : (
        <Box
          {...deck}
          style={{
            background: mix(paint.bezel, colors.dark ? colors.ink : '#ffffff', 0.22),
            borderRadius: `4px 4px ${deck.height}px ${deck.height}px`,
            boxShadow: `inset 0 3px 0 ${mix(paint.bezel, '#ffffff', 0.4)}, ${shadow}`,
          }}
        />
      )}
    </>
  );
}

export function Island({ device: { kind, screen } }: { readonly device: Device }) {
  const { colors } = useScene();
  if (kind !== 'phone') return null;
  const width = screen.width * 0.27;
  return (
    <Box
      x={screen.x + (screen.width - width) / 2}
      y={screen.y + width * 0.14}
      width={width}
      height={width * 0.27}
      style={{ background: screenColors(colors).bezel, borderRadius: width }}
    />
  );
}

/** Draws an arrow, a lock and the address as it is typed. Then a line runs along the bottom of the bar. */
export function AddressBar({ bar, url, x }: { readonly bar: Rect; readonly url: string | null; readonly x: number }) {
  const { theme, colors, motion, frame, rightToLeft } = useScene();
  const paint = screenColors(colors);
  const height = bar.height * 0.62;
  const icon = height * 0.62;
  const from = x + icon + 30;
  const to = bar.x + bar.width - (x - bar.x);
  const radius = Math.min(height / 2, theme.radius * 1.4);
  const typed = url === null ? 0 : url.length * motion.linear(0.3, url.length / 30);
  const set =
    url === null
      ? null
      : setText({
          text: url,
          face: theme.text,
          size: 36,
          minSize: 32.5,
          width: to - from - height * 1.1,
          height: 60,
          maxCharacters: 60,
        });
  const loaded = motion.draw(0.4 + (url?.length ?? 0) / 30, 0.35);
  const y = bar.y + (bar.height - height) / 2;
  const arrow = rightToLeft ? 'm12 5 7 7-7 7M5 12h14' : 'm12 19-7-7 7-7M19 12H5';
  return (
    <>
      <Box x={x} y={y + (height - icon) / 2} width={icon} height={icon}>
        <svg
          aria-hidden
          width={icon}
          height={icon}
          viewBox="0 0 24 24"
          fill="none"
          stroke={paint.muted}
          strokeWidth={2.2}
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={arrow} />
        </svg>
      </Box>
      <Box x={from} y={y} width={to - from} height={height} style={{ background: paint.panel, borderRadius: radius }}>
        <svg
          aria-hidden
          width={height * 0.4}
          height={height * 0.4}
          viewBox="0 0 24 24"
          fill="none"
          stroke={paint.muted}
          strokeWidth={2.6}
          style={{
            left: rightToLeft ? undefined : height * 0.42,
            right: rightToLeft ? height * 0.42 : undefined,
            top: height * 0.29,
          }}
        >
          <rect x={4} y={11} width={16} height={10} rx={2} />
          <path d="M7.5 11V7a4.5 4.5 0 0 1 9 0v4" />
        </svg>
      </Box>
      {set === null ? null : (
        <Lines
          set={{ ...set, lines: set.lines.map((line) => line.slice(0, Math.floor(typed))) }}
          x={from + height * 0.92}
          y={y + (height - set.height) / 2}
          color={colors.ink}
          entrance="none"
          progress={() => 1}
        />
      )}
      <Box x={bar.x} y={bar.y + bar.height - 2} width={bar.width} height={2} style={{ background: paint.line }} />
      {loaded > 0 && loaded < 1 ? (
        <Box
          x={bar.x}
          y={bar.y + bar.height - 5}
          width={Math.min(frame.width, bar.width) * loaded}
          height={5}
          style={{ background: colors.accentFill }}
        />
      ) : null}
    </>
  );
}

interface PointerProps {
  readonly touch: boolean;
  /** Position of the press, from the start edge. */
  readonly x: number;
  readonly y: number;
  readonly progress: number;
  readonly pressed: number;
}

/** Draws a mouse pointer or a fingertip that approaches on a slight curve. */
export function Pointer({ touch, x, y, progress, pressed }: PointerProps) {
  const { colors, frame, rightToLeft } = useScene();
  if (progress <= 0) return null;
  const away = 1 - progress;
  const direction = rightToLeft ? -1 : 1;
  const left = frame.left(x, 0) + direction * away * 420;
  const top = y + away * 360 + Math.sin(away * Math.PI) * 60;
  const size = touch ? 150 : 118;
  return (
    <div
      className="box"
      style={{
        left: touch ? left - size / 2 : left,
        top: touch ? top - size / 2 : top,
        width: size,
        height: size,
        opacity: Math.min(1, progress * 4),
        transform: `scale(${1 - 0.12 * pressed})`,
        transformOrigin: touch ? 'center' : '0 0',
      }}
    >
      {touch ? (
        <div
          style={{
            width: size,
            height: size,
            borderRadius: '50%',
            background: `${colors.onAccent}48`,
            boxShadow: `0 0 0 5px ${colors.onAccent}, 0 0 0 30px ${colors.accent}2c`,
          }}
        />
      ) : (
        <svg aria-hidden width={size} height={size} viewBox="0 0 32 32">
          <path
            d="M1 1L1 24.5L7.2 18.8L11.2 28.2L15.6 26.3L11.7 17.1L20 16.6Z"
            fill={colors.dark ? '#ffffff' : '#0b0b0d'}
            stroke={colors.dark ? '#0b0b0d' : '#ffffff'}
            strokeWidth={1.6}
            strokeLinejoin="round"
          />
        </svg>
      )}
    </div>
  );
}
