import { useId } from 'react';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import {
  Body,
  BodyGradients,
  type BodyLook,
  ContactShadow,
  Floor,
  footOf,
  Ghost,
  thirdColor,
} from '../drawing/shape-drawing.tsx';
import {
  beatAt,
  bounceAt,
  type Field,
  flightOf,
  movers,
  orbitRing,
  type Pose,
  type ShapeMotion,
  type Slot,
} from '../drawing/shape-motion.ts';
import type { ShapeName } from '../drawing/shape-outlines.ts';
import { cased, setText, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';

interface ShapesProps {
  readonly caption: string | null;
  readonly bodies: readonly { readonly shape: ShapeName; readonly count: number; readonly color: string | null }[];
  readonly motion: ShapeMotion;
  readonly times: number | null;
}

interface Layout {
  readonly caption: TextSet | null;
  readonly slots: readonly Slot[];
  readonly floor: number;
  readonly top: number;
}

/** Positions the bodies in a row on the floor, or in several rows that become smaller towards the back. */
function layOut({ caption, bodies, motion }: ShapesProps, { frame, theme, language }: LayoutSetting): Layout {
  const { safe, shape } = frame;
  const set =
    caption === null
      ? null
      : setText({
          text: cased(theme, caption, language),
          face: theme.display,
          size: 96,
          minSize: 54,
          width: safe.width,
          height: 220,
          maxCharacters: shape === 'wide' ? 40 : 22,
        });
  const floor = frame.story ? safe.y + safe.height * 0.93 : frame.height * 0.835;
  const top = set === null ? frame.height * (frame.story ? 0.14 : 0.055) : safe.y + set.height + 30;
  const room = floor - top;
  const count = bodies.reduce((sum, body) => sum + body.count, 0);
  const flies = motion === 'bounce' && count === 1;
  const longest = { wide: 8, square: 6, tall: 4 }[shape];
  const rows = Math.ceil(count / longest);
  const inRow = Math.ceil(count / rows);
  const decay = rows > 4 ? 0.93 : 0.84;
  const pitch = (frame.width * 0.84) / inRow;
  const largest = count === 1 ? room * 0.25 : room * (motion === 'bounce' || motion === 'drop' ? 0.19 : 0.22);
  const size = flies ? Math.min(frame.width, frame.height) * 0.1 : Math.min(pitch * 0.37, largest / (1 + (rows - 1) * 0.3));
  const slots = Array.from({ length: count }, (_, index): Slot => {
    const row = Math.floor(index / inRow);
    const place = index % inRow;
    const members = Math.min(inRow, count - row * inRow);
    const smaller = decay ** row;
    const depth = Math.min(size * 2, (room * 0.55) / rows);
    return {
      x: frame.width / 2 + (place - (members - 1) / 2 + (row % 2) * 0.35) * pitch * smaller,
      floor: floor - (depth * (1 - smaller)) / (1 - decay),
      size: size * smaller,
    };
  });
  return { caption: set, slots, floor, top };
}

interface Drawn {
  readonly index: number;
  readonly pose: Pose;
  readonly look: BodyLook;
  readonly x: number;
}

const patternedIn: readonly ShapeMotion[] = ['roll', 'spin', 'orbit', 'collide'];

/** Solid bodies on a floor, lit from the upper left, which move according to their weight. */
export function ShapesFormat(props: ShapesProps) {
  const { frame, colors, motion, seed, style, rightToLeft } = useScene();
  const layout = useLayout(layOut, props);
  const id = useId().replace(/\W/g, '');
  const given = [colors.accent, colors.helper, thirdColor(colors.accent, colors.helper)];
  const members = props.bodies.flatMap(({ shape, count, color }, group) =>
    Array.from({ length: count }, () => ({ shape, color: color ?? given[group] ?? colors.accent })),
  );
  const from = 0.3;
  const field: Field = {
    slots: layout.slots,
    shapes: members.map(({ shape }) => shape),
    width: frame.width,
    top: layout.top,
    times: props.times,
    style,
    seed,
    from,
    length: Math.max(1, motion.duration - from - 0.8),
  };
  const leave = motion.leave();
  const drawAt = (seconds: number, index: number): Drawn => {
    const pose = movers[props.motion](field, seconds, index);
    const side = rightToLeft ? -1 : 1;
    const { shape, color } = members[index] as (typeof members)[number];
    const look: BodyLook = {
      shape,
      color,
      size: pose.size,
      turn: pose.turn * side,
      yaw: pose.yaw * side,
      patterned: patternedIn.includes(props.motion),
      ...(pose.outline === null ? {} : { outline: pose.outline }),
    };
    const x = pose.x + leave * frame.width * 1.1;
    return { index, pose, look, x: rightToLeft ? frame.width - x : x };
  };
  const drawn = members
    .map((_, index) => drawAt(motion.seconds, index))
    .toSorted((one, other) => one.pose.floor - other.pose.floor);
  const flies = props.motion === 'bounce' && members.length === 1;
  const ground = mix(colors.groundTop, colors.groundBottom, 0.6);
  const shown = Math.min(1, motion.seconds / 0.3);
  const shadow = colors.dark ? '#000000' : mix(colors.ink, members[0]?.color ?? colors.ink, 0.2);
  return (
    <>
      <Box x={0} y={0} width={frame.width} height={frame.height} opacity={shown * (1 - leave)}>
        <Floor width={frame.width} height={frame.height} y={layout.floor} ground={ground} ink={colors.ink} dark={colors.dark} />
      </Box>
      {layout.caption === null ? null : (
        <Lines
          set={layout.caption}
          x={frame.safe.x}
          y={frame.safe.y}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={leave}
        />
      )}
      <svg aria-hidden width={frame.width} height={frame.height} opacity={shown}>
        <BodyGradients
          id={id}
          colors={[...new Set(members.map(({ color }) => color))]}
          floor={mix(colors.groundBottom, '#ffffff', colors.dark ? 0.25 : 0.4)}
          shadow={shadow}
        />
        {props.motion === 'orbit' ? <OrbitLine field={field} color={colors.ink} /> : null}
        {drawn.map(({ index, pose, x }) => (
          <ContactShadow key={index} id={id} x={x} y={pose.floor} size={pose.size * pose.wide} height={pose.height} />
        ))}
        {flies ? <Trail field={field} drawAt={drawAt} ground={ground} leave={leave} /> : null}
        {props.motion === 'pulse'
          ? drawn.map(({ index, pose, x }) => (
              <circle
                key={index}
                cx={x}
                cy={pose.floor - pose.size}
                r={pose.size * (1.1 + 0.9 * echoAt(field, motion.seconds))}
                fill="none"
                stroke={members[index]?.color}
                strokeWidth={pose.size * 0.05}
                opacity={0.5 * (1 - echoAt(field, motion.seconds))}
              />
            ))
          : null}
        {drawn.map((body) => (
          <g key={body.index} transform={placing(body)}>
            <Body id={id} look={body.look} />
          </g>
        ))}
      </svg>
    </>
  );
}

/** Squashes and stretches relative to the point of contact. */
function placing({ x, pose, look }: Drawn): string {
  return `translate(${x.toFixed(2)} ${(pose.floor - pose.height).toFixed(2)}) scale(${pose.wide.toFixed(4)} ${pose.tall.toFixed(4)}) translate(0 ${(-footOf(look)).toFixed(2)})`;
}

function echoAt(field: Field, seconds: number): number {
  const beats = field.times ?? 4;
  const at = ((seconds - field.from) / field.length) * beats;
  if (at < 0.16 || at >= beats) return 1;
  return beatAt(field, seconds) > 0.9 ? 0 : Math.min(1, ((at % 1) - 0.16 + 1) % 1);
}

function OrbitLine({ field, color }: { readonly field: Field; readonly color: string }) {
  const { x, y, width, height } = orbitRing(field);
  return (
    <ellipse
      cx={x}
      cy={y}
      rx={width}
      ry={height}
      fill="none"
      stroke={color}
      strokeOpacity={0.3}
      strokeWidth={5}
      strokeDasharray="0 18"
      strokeLinecap="round"
    />
  );
}

/** Draws a flying body's past and future positions at equal time steps. Their spacing shows gravity. */
function Trail({
  field,
  drawAt,
  ground,
  leave,
}: {
  readonly field: Field;
  readonly drawAt: (seconds: number, index: number) => Drawn;
  readonly ground: string;
  readonly leave: number;
}) {
  const { motion, rightToLeft, frame } = useScene();
  const { plan, xAt } = flightOf(field);
  const since = motion.seconds - field.from;
  const step = plan.fall / 5;
  const passed = Math.max(0, Math.min(Math.floor(since / step), Math.floor(plan.seconds / step)) + 1);
  const first = Math.max(0, passed - 22);
  const ghosts = Array.from({ length: passed - first }, (_, index) => first + index).filter(
    (ghost) => since - ghost * step > step * 0.6,
  );
  const dots = Array.from({ length: 40 }, (_, index) => (Math.floor(since / 0.045) + index + 4) * 0.045).filter(
    (at) => at > 0 && at - since < 1.1 && at < plan.seconds,
  );
  const size = field.slots[0]?.size ?? 0;
  const floor = field.slots[0]?.floor ?? 0;
  return (
    <>
      {ghosts.map((ghost) => {
        const body = drawAt(field.from + ghost * step, 0);
        const share = (ghost + 1) / Math.max(1, passed);
        return (
          <g key={ghost} transform={placing(body)} opacity={1 - Math.min(1, leave * 2)}>
            <Ghost look={body.look} tint={mix(ground, body.look.color, 0.05 + 0.25 * share * share)} edge={ground} />
          </g>
        );
      })}
      {dots.map((at) => (
        <circle
          key={at.toFixed(3)}
          cx={rightToLeft ? frame.width - xAt(at) : xAt(at)}
          cy={floor - size - bounceAt(plan, at).height}
          r={5.5}
          fill={drawAt(motion.seconds, 0).look.color}
          opacity={0.55 * (1 - (at - since) / 1.1) * (1 - leave)}
        />
      ))}
    </>
  );
}
