import type { ComponentType, ReactNode } from 'react';
import { sharesOf, smoothPath } from '../drawing/curve.ts';
import { faceStyle } from '../drawing/lines.tsx';
import { Box, Inset, useScene } from '../drawing/setting.tsx';
import type { Colors } from './colors.ts';
import type {
  ArrowProps,
  BadgeProps,
  BarProps,
  CardProps,
  MarkProps,
  PathProps,
  PlateProps,
  RuleProps,
  ThemeDesign,
  TickProps,
  Tone,
} from './theme.ts';

export function fillOf(colors: Colors, tone: Tone): string {
  return { plain: colors.surface, accent: colors.accentFill, helper: colors.helperFill, ink: colors.ink }[tone];
}

/** Returns the text colour for a tone's fill. */
export function inkOn(colors: Colors, tone: Tone): string {
  return { plain: colors.ink, accent: colors.onAccent, helper: colors.onHelper, ink: colors.onInk }[tone];
}

/** Every theme's ground: opaque, over the whole frame. The stage draws no 3D under it, which its class tells. */
export function Gradient({ children }: { readonly children?: ReactNode }) {
  const { colors, frame } = useScene();
  return (
    <Box
      x={0}
      y={0}
      width={frame.width}
      height={frame.height}
      className="ground"
      style={{ background: `linear-gradient(${colors.groundTop}, ${colors.groundBottom})` }}
    >
      {children}
    </Box>
  );
}

function Ground() {
  return <Gradient />;
}

function Rule({ x, y, length, vertical = false, progress, tone }: RuleProps) {
  const { colors, theme } = useScene();
  const drawn = length * Math.min(1, progress);
  const color = tone === undefined || tone === 'plain' ? colors.faint : fillOf(colors, tone);
  return (
    <Box
      x={x}
      y={y}
      width={vertical ? theme.stroke : drawn}
      height={vertical ? drawn : theme.stroke}
      style={{ background: color }}
    />
  );
}

export function FrameSvg({ opacity, children }: { readonly opacity?: number | undefined; readonly children: ReactNode }) {
  const { frame } = useScene();
  return (
    <svg aria-hidden width={frame.width} height={frame.height} opacity={opacity}>
      <g transform={frame.rightToLeft ? `translate(${frame.width} 0) scale(-1 1)` : undefined}>{children}</g>
    </svg>
  );
}

/** Draws a line with round ends, or in pieces if it tapers. */
export function Path({
  points,
  width,
  endWidth = width,
  progress,
  tone = 'ink',
  color,
  opacity,
}: PathProps & { readonly opacity?: number }) {
  const { colors } = useScene();
  if (progress <= 0) return null;
  const stroke = color ?? (tone === 'plain' ? colors.faint : fillOf(colors, tone));
  const shares = endWidth === width ? [] : sharesOf(points);
  return (
    <FrameSvg opacity={opacity}>
      <g fill="none" stroke={stroke} strokeLinecap="round" strokeLinejoin="round">
        {endWidth === width ? (
          <path d={smoothPath(points)} strokeWidth={width} pathLength={1} strokeDasharray={`${Math.min(1, progress)} 2`} />
        ) : (
          points.slice(1).map(([x, y], index) => {
            const [fromX, fromY] = points[index] ?? [x, y];
            const from = shares[index] ?? 0;
            const until = shares[index + 1] ?? 1;
            const part = Math.min(1, (progress - from) / Math.max(1e-6, until - from));
            return part <= 0 ? null : (
              <path
                key={until}
                d={`M${fromX} ${fromY}L${fromX + (x - fromX) * part} ${fromY + (y - fromY) * part}`}
                strokeWidth={width + (endWidth - width) * until}
              />
            );
          })
        )}
      </g>
    </FrameSvg>
  );
}

export function GlowingPath({ tone = 'accent', ...line }: PathProps) {
  const wire = { ...line, tone: tone === 'ink' ? ('accent' as const) : tone };
  const { width, endWidth = width } = line;
  const glow = (own: number) => Math.min(own * 4, own + 56);
  return (
    <>
      <Path {...wire} width={glow(width)} endWidth={glow(endWidth)} opacity={0.16} />
      <Path {...wire} />
    </>
  );
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, children }: CardProps) {
  const { colors, theme } = useScene();
  const shadow = colors.dark ? 'none' : '0 28px 48px -28px rgb(20 28 60 / 0.28)';
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      opacity={Math.min(1, progress * 1.6)}
      transform={`translateY(${(1 - progress) * 40}px)`}
      style={{
        background: fillOf(colors, tone),
        color: inkOn(colors, tone),
        borderRadius: theme.radius,
        boxShadow: tone === 'plain' ? shadow : 'none',
        border: colors.dark && tone === 'plain' ? `1.5px solid ${colors.faint}` : undefined,
      }}
    >
      {children}
    </Box>
  );
}

function Plate(_: PlateProps) {
  return null;
}

function Tick({ x, y, size, progress, checked }: TickProps) {
  const { colors, theme } = useScene();
  const stroke = size * 0.075;
  return (
    <Box
      x={x}
      y={y}
      width={size}
      height={size}
      opacity={Math.min(1, progress * 1.5)}
      transform={`scale(${0.7 + 0.3 * progress})`}
    >
      <svg aria-hidden width={size} height={size} viewBox="0 0 100 100">
        <rect
          x={6}
          y={6}
          width={88}
          height={88}
          rx={Math.min(44, theme.radius * 0.9)}
          fill={checked > 0 ? colors.accent : 'none'}
          fillOpacity={Math.min(1, checked * 2)}
          stroke={checked > 0.5 ? colors.accent : colors.muted}
          strokeWidth={stroke * (100 / size)}
        />
        <TickStroke checked={checked} color={colors.onAccent} width={11} />
      </svg>
    </Box>
  );
}

/** Draws a tick's stroke from its short side, in a box of 100. */
export function TickStroke({
  checked,
  color,
  width,
}: {
  readonly checked: number;
  readonly color: string;
  readonly width: number;
}) {
  const length = 82;
  return checked <= 0 ? null : (
    <path
      d="M26 53L44 70L75 33"
      fill="none"
      stroke={color}
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeDasharray={length}
      strokeDashoffset={length * (1 - Math.min(1, checked))}
    />
  );
}

function Badge({ x, y, size, progress, tone = 'accent', children }: BadgeProps) {
  const { colors, theme } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={size}
      height={size}
      opacity={Math.min(1, progress * 2)}
      transform={`scale(${progress})`}
      style={{
        ...faceStyle(theme.display, size * 0.5, 0),
        display: 'grid',
        placeItems: 'center',
        borderRadius: '50%',
        background: fillOf(colors, tone),
        color: inkOn(colors, tone),
        lineHeight: 1,
      }}
    >
      {children}
    </Box>
  );
}

function Marker({ x, y, width, height, progress }: MarkProps) {
  const { colors } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={width * Math.min(1, progress)}
      height={height}
      style={{ background: colors.tint, borderRadius: height * 0.12 }}
    />
  );
}

function Underline({ x, y, width, height, progress }: MarkProps) {
  const { colors } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={width * Math.min(1, progress)}
      height={height}
      style={{ background: colors.accentFill, borderRadius: height / 2 }}
    />
  );
}

function Arrow({ x, y, length, progress, color, stroke = 6 }: ArrowProps) {
  const { rightToLeft } = useScene();
  const shaft = Math.min(1, progress / 0.75);
  const head = Math.max(0, (progress - 0.75) / 0.25);
  const size = stroke * 4.5;
  if (progress <= 0) return null;
  return (
    <Box x={x} y={y - size} width={length} height={size * 2} transform={rightToLeft ? 'scaleX(-1)' : 'none'}>
      <svg
        aria-hidden
        width={length}
        height={size * 2}
        fill="none"
        stroke={color}
        strokeWidth={stroke}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={`M${stroke} ${size}H${stroke + (length - 2 * stroke) * shaft}`} />
        {head > 0 ? (
          <path
            d={`M${length - stroke - size * head} ${size - size * head}L${length - stroke} ${size}L${length - stroke - size * head} ${size + size * head}`}
          />
        ) : null}
      </svg>
    </Box>
  );
}

function Bar({ x, y, width, height, tone, vertical }: BarProps) {
  const { colors, theme } = useScene();
  const radius = Math.min(theme.radius * 0.4, (vertical ? width : height) / 2);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background: tone === 'plain' ? colors.tint : fillOf(colors, tone),
        borderRadius: vertical ? `${radius}px ${radius}px 0 0` : radius,
      }}
    />
  );
}

/** Returns a card whose children are positioned relative to its corner. */
function insetCard(Drawn: ComponentType<CardProps>): ComponentType<CardProps> {
  return function InsetCard({ children, ...card }) {
    return (
      <Drawn {...card}>
        <Inset width={card.width} height={card.height}>
          {children}
        </Inset>
      </Drawn>
    );
  };
}

type Given = Pick<ThemeDesign, 'display' | 'text'> & Partial<ThemeDesign>;

/** Creates a theme from its typefaces and the primitives that it overrides. All others are plain. */
export function createTheme(given: Given): ThemeDesign {
  const { display, text, Card: OwnCard = Card } = given;
  return {
    emphasis: display,
    strong: { ...text, weight: Math.min(800, text.weight + 180) },
    figures: { ...display, lineHeight: 1 },
    mono: given.mono ?? text,
    capitals: false,
    radius: 24,
    stroke: 3,
    solidBars: true,
    barInk: inkOn,
    plate: { drawn: false, padding: 0, ink: (colors) => colors.ink },
    material: 'flat',
    Ground,
    Rule,
    Path,
    Plate,
    Tick,
    Badge,
    Marker,
    Underline,
    Arrow,
    Bar,
    ...given,
    Card: insetCard(OwnCard),
  };
}
