import { useId } from 'react';
import type { Point } from '../drawing/curve.ts';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import { FrameSvg } from '../themes/plain.tsx';

interface FeaturesProps {
  readonly product: string;
  readonly tagline: string | null;
  readonly features: readonly { readonly icon: string | null; readonly label: string }[];
}

interface Planet {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

interface Feature {
  /** Position on the planet's edge in degrees, clockwise from its top. */
  readonly angle: number;
  readonly size: number;
  readonly label: TextSet;
  /** Position of the label's corner relative to the disc's centre. */
  readonly labelX: number;
  readonly labelY: number;
}

interface Layout {
  readonly name: TextSet;
  readonly nameY: number;
  readonly tagline: TextSet | null;
  readonly taglineY: number;
  readonly planet: Planet;
  /** Visible part of the planet's edge, in drawing order. */
  readonly horizon: readonly Point[];
  readonly features: readonly Feature[];
}

const degrees = 180 / Math.PI;

function onPlanet({ x, y, radius }: Planet, angle: number): Point {
  return [x + radius * Math.sin(angle / degrees), y - radius * Math.cos(angle / degrees)];
}

function horizonOf(planet: Planet, from: number, until: number): Point[] {
  return Array.from({ length: 41 }, (_, index) => onPlanet(planet, from + ((until - from) * index) / 40));
}

function layOut(props: FeaturesProps, setting: LayoutSetting): Layout {
  return setting.frame.shape === 'wide' ? below(props, setting) : beside(props, setting);
}

function setHead(
  { product, tagline }: FeaturesProps,
  { frame, theme, language }: LayoutSetting,
  { size, height, taglineHeight }: { readonly size: number; readonly height: number; readonly taglineHeight: number },
): Pick<Layout, 'name' | 'tagline'> {
  return {
    name: setText({
      text: cased(theme, product, language),
      face: theme.display,
      size,
      minSize: 60,
      width: frame.safe.width,
      height,
      maxCharacters: frame.shape === 'wide' ? 24 : 14,
    }),
    tagline:
      tagline === null
        ? null
        : setText({
            text: tagline,
            face: theme.text,
            size: 52,
            minSize: 36,
            width: frame.safe.width,
            height: taglineHeight,
            maxCharacters: frame.shape === 'wide' ? 70 : 32,
            lineHeight: 1.18,
          }),
  };
}

const descent = (name: TextSet): number => 6 + name.size * 0.07;

/** Positions the planet at the bottom, right of the middle, with labels below the discs. */
function below(props: FeaturesProps, setting: LayoutSetting): Layout {
  const { frame, theme } = setting;
  const { safe } = frame;
  const count = props.features.length;
  const pitch = (safe.width + 40) / Math.max(3, count);
  const size = count > 4 ? 100 : 124;
  const labels = setTexts(
    props.features.map(({ label }) => ({
      text: label,
      face: theme.strong,
      size: count > 1 ? 46 : 56,
      width: pitch - 44,
      height: 205,
      maxCharacters: 26,
      lineHeight: 1.18,
    })),
  );
  const radius = 3300;
  const peakX = frame.width * 0.69;
  const left = safe.x + size / 2;
  const angleAt = (x: number) => Math.asin((x - peakX) / radius) * degrees;
  const drop = radius * (1 - Math.cos(angleAt(left) / degrees));
  const lowest = Math.max(...labels.map(({ height }) => height));
  const peakY = Math.min(640, safe.y + safe.height - lowest - size / 2 - 26 - drop);
  const room = peakY - size / 2 - 30 - safe.y;
  const taglineHeight = props.tagline === null ? 0 : 66;
  const { name, tagline } = setHead(props, setting, { size: 340, height: (room - taglineHeight) * 0.95, taglineHeight });
  const planet = { x: peakX, y: peakY + radius, radius };
  const features = labels.map((label, index): Feature => {
    const x = count === 1 ? peakX - size : left + index * pitch;
    return { angle: angleAt(x), size, label, labelX: -size / 2, labelY: size / 2 + 24 };
  });
  const block = name.height + (tagline === null ? 0 : tagline.height + descent(name));
  const nameY = safe.y + Math.max(0, room - block) * 0.4 - name.size * 0.06;
  return {
    name,
    nameY,
    tagline,
    taglineY: nameY + name.height + descent(name),
    planet,
    horizon: horizonOf(planet, angleAt(-40), angleAt(frame.width + 40)),
    features,
  };
}

/** Positions the planet at the start edge, with labels beside the discs along the curve. */
function beside(props: FeaturesProps, setting: LayoutSetting): Layout {
  const { frame, theme } = setting;
  const { safe } = frame;
  const count = props.features.length;
  const small = frame.shape === 'square';
  const { name, tagline } = setHead(props, setting, {
    size: small ? 230 : 320,
    height: safe.height * (small ? 0.22 : 0.25),
    taglineHeight: small ? 92 : 130,
  });
  const head = name.height + (tagline === null ? 0 : tagline.height + descent(name)) + (small ? 30 : 60);
  const pitch = Math.min(count <= 3 ? 250 : 200, (safe.height - head) / count);
  const size = Math.min(132, pitch * 0.74);
  const top = safe.y + Math.max(0, (safe.height - head - pitch * count) * 0.4);
  const middle = top + head + (pitch * count) / 2;
  // The planet's edge bends away from the text column above and below the features.
  const bulge = 172;
  const half = Math.max(pitch * count * 0.5, 300);
  const radius = (half ** 2 + bulge ** 2) / (2 * bulge);
  const planet = { x: safe.x - 10 + bulge - radius, y: middle, radius };
  const angleAt = (y: number) => 90 + Math.asin((y - middle) / radius) * degrees;
  const labelX = size / 2 + 36;
  const labels = setTexts(
    props.features.map(({ label }) => ({
      text: label,
      face: theme.strong,
      size: Math.min(count <= 3 ? 62 : 54, pitch * 0.4),
      width: safe.x + safe.width - (safe.x - 10 + bulge + labelX),
      height: pitch * 0.96,
      maxCharacters: 30,
      lineHeight: 1.14,
    })),
  );
  const features = labels.map(
    (label, index): Feature => ({
      angle: angleAt(top + head + pitch * (index + 0.5)),
      size,
      label,
      labelX,
      labelY: -label.height / 2,
    }),
  );
  const ends = Math.acos(Math.max(-1, (-20 - planet.x) / radius)) * degrees;
  return {
    name,
    nameY: top,
    tagline,
    taglineY: top + name.height + descent(name),
    planet,
    horizon: horizonOf(planet, 90 - ends, 90 + ends),
    features,
  };
}

/** A product's name in the sky, with its features on the edge of a rising planet. */
export function FeaturesFormat(props: FeaturesProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { name, tagline, planet, horizon, features } = layout;
  const { safe } = frame;
  const leave = motion.leave();
  const sink = motion.leave(0.15);
  const first = 1;
  const beat = Math.min(0.45, Math.max(0.12, (motion.duration - 3.4) / features.length));
  // The features are at their exact angles in the middle of the scene.
  const drift = (motion.drift(2) / motion.duration - 0.5) * 18;
  const fade = 1 - sink;
  return (
    <>
      <div className="box" style={{ inset: 0, opacity: fade, transform: `translateY(${sink * 170}px)` }}>
        <PlanetDisc planet={planet} shown={motion.enter(0, 1)} />
        <theme.Path points={horizon} width={theme.stroke * 1.5} progress={motion.draw(0.1, 0.9)} tone="accent" seed={5} />
        {features.map((feature, index) => {
          const at = first + index * beat;
          const icon = props.features[index]?.icon ?? null;
          const size = icon === null ? feature.size * 0.42 : feature.size;
          const rolled = (roll: number) => onPlanet(planet, feature.angle + (roll / planet.radius) * degrees);
          const roll = (1 - motion.enter(at, 0.6)) * -90;
          const [x, y] = rolled(roll);
          const [driftedX, driftedY] = rolled(roll + drift);
          const across = (driftedX - x) * (frame.rightToLeft ? -1 : 1);
          return (
            // Text at a fractional position would jump by whole pixels; a transformed box does not.
            <div key={feature.angle} className="box" style={{ inset: 0, transform: `translate(${across}px, ${driftedY - y}px)` }}>
              {motion.enter(at) > 0 ? (
                <Box
                  x={x - size / 2}
                  y={y - size / 2}
                  width={size}
                  height={size}
                  transform={`scale(${Math.min(1, motion.enter(at))})`}
                  style={{ background: colors.groundBottom, borderRadius: '50%' }}
                />
              ) : null}
              <theme.Badge
                x={x - size / 2}
                y={y - size / 2}
                size={size}
                index={index}
                progress={motion.spring(at, 0.55)}
                tone="accent"
              >
                {icon === null ? null : <Icon name={icon} size={size * 0.52} />}
              </theme.Badge>
              <Lines
                set={feature.label}
                x={x + feature.labelX}
                y={y + feature.labelY}
                color={colors.ink}
                entrance="fade"
                progress={(line) => motion.enter(at + 0.1 + line * 0.04, 0.5)}
              />
            </div>
          );
        })}
      </div>
      <Lines
        set={name}
        x={safe.x - name.size * 0.03}
        y={layout.nameY}
        color={colors.ink}
        progress={(line) => motion.enter(0.3 + line * 0.1, 0.7)}
        leave={leave}
      />
      {tagline === null ? null : (
        <Lines
          set={tagline}
          x={safe.x}
          y={layout.taglineY}
          color={colors.muted}
          entrance="fade"
          progress={(line) => motion.enter(0.7 + line * 0.08, 0.45)}
          leave={leave}
        />
      )}
    </>
  );
}

function PlanetDisc({ planet, shown }: { readonly planet: Planet; readonly shown: number }) {
  const { colors } = useScene();
  const id = useId();
  const { x, y, radius } = planet;
  const edge = mix(colors.groundBottom, colors.accent, colors.dark ? 0.3 : 0.16);
  const inner = colors.dark ? mix(colors.groundTop, '#000000', 0.3) : mix(colors.groundBottom, colors.accent, 0.05);
  const glow = Math.min(radius * 0.2, 230);
  const size = radius + glow;
  const depth = Math.max(0, 1 - 520 / radius);
  return (
    <FrameSvg opacity={shown}>
      <defs>
        <radialGradient id={`${id}-planet`} cx={x} cy={y} r={radius} gradientUnits="userSpaceOnUse">
          <stop offset={depth} stopColor={inner} />
          <stop offset={1} stopColor={edge} />
        </radialGradient>
        <radialGradient id={`${id}-glow`} cx={x} cy={y} r={size} gradientUnits="userSpaceOnUse">
          <stop offset={radius / size} stopColor={colors.accent} stopOpacity={colors.dark ? 0.34 : 0.14} />
          <stop offset={1} stopColor={colors.accent} stopOpacity={0} />
        </radialGradient>
      </defs>
      <circle cx={x} cy={y} r={size * (0.94 + 0.06 * shown)} fill={`url(#${id}-glow)`} />
      <circle cx={x} cy={y} r={radius} fill={`url(#${id}-planet)`} />
    </FrameSvg>
  );
}
