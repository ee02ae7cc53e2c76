import { Lines } from '../drawing/lines.tsx';
import { Box, Inset, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { setText, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import { transparent } from '../stage/mode.ts';
import type { Face, Rect } from '../themes/theme.ts';

interface LowerThirdProps {
  readonly name: string;
  readonly role: string | null;
}

interface Plate extends Rect {
  readonly set: TextSet;
}

interface Layout {
  readonly name: Plate;
  readonly role: Plate | null;
  readonly mast: Rect;
  /** y at which the wire meets the mast. */
  readonly wireY: number;
}

const mastWidth = 18;
const wireHeight = 10;
const inset = 36;

/** Sets one line if it is large enough, otherwise two. */
function fit(
  text: string,
  face: Face,
  width: number,
  { size, least }: { readonly size: number; readonly least: number },
): TextSet {
  const request = { text, face: { ...face, lineHeight: Math.max(1.12, face.lineHeight) }, size, width, maxCharacters: 80 };
  const line = setText({ ...request, height: size * 1.4, minSize: least });
  return line.lines.length === 1 && line.size >= least
    ? line
    : setText({ ...request, size: least * 1.12, height: least * 3.6, minSize: 34 });
}

/** Fits the plates to their text, at the bottom of the frame. */
function layOut({ name, role }: LowerThirdProps, { frame, theme }: LayoutSetting): Layout {
  const { safe, shape } = frame;
  const foot = frame.story ? frame.height * 0.78 : frame.height * (shape === 'wide' ? 0.9 : 0.88);
  const x = safe.x + mastWidth;
  const width = safe.width - mastWidth - 2 * inset - 16;
  const nameSet = fit(name, theme.display, width, shape === 'wide' ? { size: 84, least: 60 } : { size: 84, least: 56 });
  const roleSet = role === null ? null : fit(role, theme.text, width, { size: 48, least: 39 });
  const nameHeight = nameSet.height + nameSet.size * 0.44;
  const roleHeight = roleSet === null ? 0 : roleSet.height + roleSet.size * 0.66;
  const top = foot - nameHeight - roleHeight;
  const plate = (set: TextSet, y: number, height: number): Plate => ({ set, x, y, height, width: set.width + 2 * inset + 16 });
  return {
    name: plate(nameSet, top, nameHeight),
    role: roleSet === null ? null : plate(roleSet, top + nameHeight, roleHeight),
    mast: { x: safe.x, y: top, width: mastWidth, height: nameHeight + roleHeight },
    wireY: roleSet === null ? top + (nameHeight - wireHeight) / 2 : top + nameHeight,
  };
}

/** Draws a line from the frame's edge, then a vertical bar at its end, from which the name and role plates slide out. */
export function LowerThirdFormat(props: LowerThirdProps) {
  const { theme, colors, motion, style } = useScene();
  const layout = useLayout(layOut, props);
  const { name, role, mast, wireY } = layout;
  const wire = motion.draw(0, 0.25) * (1 - motion.leave());
  const raised = motion.enter(0.18, 0.3) * (1 - motion.leave(0.08));
  const top = wireY - (wireY - mast.y) * raised;
  const bottom = wireY + (mast.y + mast.height - wireY) * raised;
  if (style === 'cinematic') return <Hairline layout={layout} />;
  return (
    <>
      <Footage />
      <OpenPlate plate={name} at={0.32} early={0.18} fill={colors.surface} ink={colors.ink} last={role === null} />
      {role === null ? null : (
        <OpenPlate plate={role} at={0.42} early={0.25} fill={colors.helperFill} ink={colors.onHelper} last />
      )}
      {wire <= 0 ? null : (
        <theme.Bar x={0} y={wireY} width={mast.x * wire} height={wireHeight} tone="accent" vertical={false} index={0} />
      )}
      {wire < 1 ? null : <Spark y={wireY} length={mast.x} />}
      {raised <= 0 ? null : (
        <theme.Bar x={mast.x} y={top} width={mast.width} height={bottom - top} tone="accent" vertical index={1} />
      )}
    </>
  );
}

function OpenPlate({
  plate,
  at,
  early,
  fill,
  ink,
  last,
}: {
  readonly plate: Plate;
  readonly at: number;
  readonly early: number;
  readonly fill: string;
  readonly ink: string;
  readonly last: boolean;
}) {
  const { theme, motion, style, rightToLeft } = useScene();
  const { set, x, y, width, height } = plate;
  const left = 1 - motion.leave(early);
  const entered = motion.enter(at, 0.45) * left;
  // The plate may overshoot its text, but the text must not move.
  const open = style === 'playful' ? Math.max(0, 1 + (motion.spring(at, 0.6) - 1) * 0.35) * Math.min(1, entered * 1.4) : entered;
  const round = Math.min(20, theme.radius * 0.5);
  const foot = last ? round : 0;
  const corners = rightToLeft ? `${round}px 0 0 ${foot}px` : `0 ${round}px ${foot}px 0`;
  if (open <= 0) return null;
  return (
    <Box x={x} y={y} width={width * open} height={height} style={{ overflow: 'hidden', background: fill, borderRadius: corners }}>
      <Inset width={width * open} height={height}>
        <Lines
          set={set}
          x={inset + (1 - entered) * -24}
          y={(height - set.height) / 2}
          color={ink}
          entrance="none"
          progress={() => 1}
        />
      </Inset>
    </Box>
  );
}

/** Draws a short light that runs along the wire once in the smooth style, and every four seconds in the others. */
function Spark({ y, length }: { readonly y: number; readonly length: number }) {
  const { colors, motion, style } = useScene();
  const run = (style === 'smooth' ? motion.seconds : motion.seconds % 4) / 0.7 - 2;
  if (run < 0 || run > 1) return null;
  const from = Math.max(0, run * (length + 40) - 40);
  const until = Math.min(length, run * (length + 40));
  return (
    <Box x={from} y={y} width={until - from} height={wireHeight} style={{ background: mix(colors.accent, '#ffffff', 0.6) }} />
  );
}

/** Draws a substitute for footage in an opaque film, so that the plates are visible. */
function Footage() {
  const { frame, colors } = useScene();
  if (transparent) return null;
  const deep = mix(colors.dark ? '#2c2e33' : '#77797d', colors.accent, 0.1);
  const light = mix(colors.dark ? '#4b4e55' : '#a2a4a8', colors.groundTop, 0.22);
  return (
    <Box
      x={0}
      y={0}
      width={frame.width}
      height={frame.height}
      style={{ background: `radial-gradient(circle at 62% 34%, ${light}, ${deep} 75%)` }}
    />
  );
}

/** Draws the version without plates: a hairline, and the text on a shadow at the bottom of the frame. */
function Hairline({ layout }: { readonly layout: Layout }) {
  const { frame, theme, motion } = useScene();
  const { name, role, mast } = layout;
  const leave = motion.leave();
  const top = mast.y - 220;
  return (
    <>
      <Footage />
      <Box
        x={0}
        y={top}
        width={frame.width}
        height={frame.height - top}
        opacity={motion.enter(0, 0.8) * (1 - leave)}
        style={{ background: 'linear-gradient(transparent, rgb(4 5 8 / 0.86) 200px, rgb(4 5 8 / 0.94))' }}
      />
      <theme.Rule
        x={mast.x}
        y={name.y + name.height}
        length={Math.max(name.set.width, role?.set.width ?? 0) * (1 - leave)}
        progress={motion.draw(0.2, 0.8)}
        tone="accent"
      />
      {[name, role].map((plate, index) =>
        plate === null ? null : (
          <Lines
            key={plate.y}
            set={plate.set}
            x={mast.x}
            y={plate.y + (plate.height - plate.set.height) / 2}
            color={index === 0 ? '#ffffff' : '#d6d8de'}
            entrance="fade"
            progress={() => motion.enter(0.2 + index * 0.15, 0.8)}
            leave={leave}
          />
        ),
      )}
    </>
  );
}
