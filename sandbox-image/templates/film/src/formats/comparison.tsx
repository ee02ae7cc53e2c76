import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { TickStroke } from '../themes/plain.tsx';
import type { Rect } from '../themes/theme.ts';

interface Side {
  readonly label: string;
  readonly points: readonly string[];
}

interface ComparisonProps {
  readonly title: string | null;
  readonly left: Side;
  readonly right: Side;
  readonly winner: 'left' | 'right' | null;
  readonly verdict: string | null;
}

interface Row {
  readonly y: number;
  readonly text: TextSet;
}

interface SetSide {
  readonly x: number;
  readonly width: number;
  readonly label: TextSet;
  readonly labelY: number;
  readonly rows: readonly Row[];
  /** Start and length of the line above each point. */
  readonly ruleX: number;
  readonly ruleLength: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly sides: readonly [SetSide, SetSide];
  /** The winner's card, or the coloured half if there is no winner. */
  readonly block: Rect;
  readonly verdict: TextSet | null;
  readonly verdictY: number;
  readonly bandY: number;
  readonly markSpace: number;
}

const bleed = 70;

interface Area {
  readonly x: number;
  readonly width: number;
  readonly scale: number;
}

/**
 * Sets the texts of both sides at one size, with the height of each. Point i on one side corresponds to point i on the other.
 */
function setSides(
  { left, right, winner }: ComparisonProps,
  areas: readonly [Area, Area],
  { theme, language }: LayoutSetting,
  { size, labelScale }: Try,
) {
  const most = Math.max(left.points.length, right.points.length);
  const marks = winner !== null && most > 0 ? size * 1.45 : 0;
  const labels = [left, right].map(({ label }, index) => {
    const { width, scale } = areas[index] ?? areas[0];
    return {
      text: cased(theme, label, language),
      face: theme.display,
      size: Math.max(36, size * labelScale * scale),
      minSize: 40,
      width,
      height: Math.max(86, size * Math.max(labelScale, 2.2) * 2.05 * scale),
      maxCharacters: 18,
    };
  });
  const [one, other] = winner === null ? setTexts(labels) : labels.map(setText);
  const points = [left, right].map((side, index) => {
    const { width, scale } = areas[index] ?? areas[0];
    return side.points.map((text) =>
      setText({
        text,
        face: winner !== null && scale >= 1 ? theme.strong : theme.text,
        size: size > 16 ? Math.max(34, size * scale) : size * 2,
        width: width - marks,
        height: size * 8,
        maxCharacters: 48,
        lineHeight: 1.15,
      }),
    );
  });
  return { labels: [one as TextSet, other as TextSet] as const, points, marks, gap: size * 0.72 };
}

function layOut(props: ComparisonProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const isPlain = props.winner === null;
  const title =
    props.title === null
      ? null
      : setText({
          text: cased(theme, props.title, language),
          face: theme.display,
          size: 66,
          minSize: 44,
          width: safe.width,
          height: 100,
          maxCharacters: 44,
        });
  const verdict =
    props.verdict === null
      ? null
      : setText({
          text: props.verdict,
          face: theme.display,
          size: isPlain ? 60 : 84,
          minSize: 40,
          width: safe.width,
          height: isPlain || frame.shape === 'square' ? 106 : 150,
          maxCharacters: 46,
        });
  const head = title === null ? 0 : title.height + (isPlain ? 48 : 34);
  const foot = verdict === null ? 0 : verdict.height + (isPlain ? 96 : 62);
  const room = { y: safe.y + head, height: safe.height - head - foot };
  const placed = frame.shape === 'tall' ? stacked(props, room, setting) : abreast(props, room, setting);
  const verdictY = safe.y + safe.height - (verdict?.height ?? 0);
  return { ...placed, title, titleY: safe.y, verdict, verdictY, bandY: verdictY - 46 };
}

type Placed = Pick<Layout, 'sides' | 'block' | 'markSpace'>;

/** Parameters for an attempt to set both sides. */
interface Try {
  readonly size: number;
  /** Ratio of the label size to the size of the points. */
  readonly labelScale: number;
  /** Whether every point must fit on one line. */
  readonly single: boolean;
}

/** Returns the attempts, best first: large labels, then points on one line each, then large points. */
function tries({ left, right, winner }: ComparisonProps): Try[] {
  const most = Math.max(left.points.length, right.points.length);
  const largest = most <= 1 ? 92 : 58;
  const sizesTo = (smallest: number) =>
    Array.from({ length: 40 }, (_, index) => largest * 0.96 ** index).filter((size) => size >= smallest);
  const labelScales = winner === null ? [5.2, 4.2, 3.2, 2.4, 1.6] : [2, 1.5];
  return [
    ...labelScales.flatMap((labelScale) => [
      ...sizesTo(44).map((size) => ({ size, labelScale, single: true })),
      ...sizesTo(48).map((size) => ({ size, labelScale, single: false })),
    ]),
    ...sizesTo(12).map((size) => ({ size, labelScale: 1.5, single: false })),
  ];
}

/** Lays out both sides beside each other, with their points in common rows. */
function abreast(props: ComparisonProps, room: { y: number; height: number }, setting: LayoutSetting): Placed {
  const { frame } = setting;
  const { safe } = frame;
  const isPlain = props.winner === null;
  const blockTop = props.title === null ? -bleed : room.y - 20;
  const [pad, gutter] = frame.shape === 'wide' ? [64, 56] : [40, 28];
  const half = frame.width / 2;
  const cardWidth = safe.width * 0.555;
  const weakWidth = safe.width - cardWidth - gutter;
  const winsLeft = props.winner === 'left';
  const right = safe.x + safe.width;
  const [cardX, weakX] = winsLeft ? [safe.x, right - weakWidth] : [right - cardWidth, safe.x];
  const card = { x: cardX, width: cardWidth };
  const strong: Area = { x: cardX + pad, width: cardWidth - 2 * pad, scale: 1 };
  const weak: Area = { x: weakX, width: weakWidth, scale: 0.85 };
  const halves: readonly [Area, Area] = [
    { x: safe.x, width: half - safe.x - 60, scale: 1 },
    { x: half + 60, width: half - safe.x - 60, scale: 1 },
  ];
  const unequal: readonly [Area, Area] = winsLeft ? [strong, weak] : [weak, strong];
  const areas = isPlain ? halves : unequal;
  const all = tries(props);
  for (const [index, one] of all.entries()) {
    const { labels, points, marks, gap } = setSides(props, areas, setting, one);
    const isLastTry = index === all.length - 1;
    const isBroken = one.single && points.flat().some(({ lines }) => lines.length > 1);
    const labelHeight = Math.max(labels[0].height, labels[1].height);
    const rowCount = Math.max(props.left.points.length, props.right.points.length);
    const rowHeights = Array.from(
      { length: rowCount },
      (_, index) => Math.max(...points.map((texts) => texts[index]?.height ?? 0)) + gap * 1.5,
    );
    const inset = isPlain ? 0 : pad * 0.8;
    const used = labelHeight + gap + rowHeights.reduce((sum, height) => sum + height, 0) + 2 * inset;
    if ((isBroken || used > room.height) && !isLastTry) continue;
    const extra = Math.min(gap * 1.4, Math.max(0, room.height - used) / Math.max(1, rowCount));
    const height = used + extra * rowCount;
    const top = room.y + (isPlain && props.title !== null ? 20 : 0) + Math.max(0, room.height - height) * (isPlain ? 0.3 : 0.4);
    const side = (index: 0 | 1): SetSide => {
      const area = areas[index];
      const label = labels[index];
      let y = top + inset + labelHeight + gap;
      const rows = rowHeights.map((rowHeight, row): Row | null => {
        const rowY = y;
        y += rowHeight + extra;
        const text = points[index]?.[row];
        return text === undefined ? null : { y: rowY, text };
      });
      // The weaker side's lines continue below the card.
      const overlap = !isPlain && area.scale < 1 ? 80 : 0;
      return {
        x: area.x,
        width: area.width,
        label,
        labelY: top + inset + (labelHeight - label.height) / (isPlain ? 1 : 2),
        rows: rows.filter((row) => row !== null),
        ruleX: area.x - (winsLeft ? overlap : 0),
        ruleLength: area.width + overlap,
      };
    };
    return {
      sides: [side(0), side(1)],
      block: isPlain
        ? { x: -bleed, y: blockTop, width: half + bleed, height: frame.height + bleed - blockTop }
        : { ...card, y: top, height },
      markSpace: marks,
    };
  }
  throw new Error('The two sides do not fit at any text size.');
}

/** Lays out one side above the other. The winner's card is below and overlaps the end of the other. */
function stacked(props: ComparisonProps, room: { y: number; height: number }, setting: LayoutSetting): Placed {
  const { frame } = setting;
  const { safe } = frame;
  const isPlain = props.winner === null;
  const blockTop = props.title === null ? -bleed : room.y - 20;
  const pad = 48;
  const full = (scale: number, inset: number): Area => ({ x: safe.x + inset, width: safe.width - 2 * inset, scale });
  const winsLeft = props.winner === 'left';
  const unequal: readonly [Area, Area] = winsLeft ? [full(1, pad), full(0.85, 0)] : [full(0.85, 0), full(1, pad)];
  const areas = isPlain ? ([full(1, 0), full(1, 0)] as const) : unequal;
  const all = tries(props);
  for (const [index, one] of all.entries()) {
    const { labels, points, marks, gap } = setSides(props, areas, setting, one);
    const isLastTry = index === all.length - 1;
    const isBroken = one.single && points.flat().some(({ lines }) => lines.length > 1);
    const insetOf = (index: 0 | 1) => (!isPlain && areas[index].scale >= 1 ? pad * 0.8 : 0);
    const heightOf = (index: 0 | 1) =>
      labels[index].height +
      gap +
      (points[index] ?? []).reduce((sum, text) => sum + text.height + gap * 1.3, 0) +
      insetOf(index) * 2;
    const heights = [heightOf(0), heightOf(1)] as const;
    const between = isPlain ? 84 : 30;
    const used = heights[0] + heights[1] + between;
    if ((isBroken || used > room.height) && !isLastTry) continue;
    const spare = Math.max(0, room.height - used);
    const top = room.y + spare * 0.3;
    const starts = [top, top + heights[0] + between + (isPlain ? spare * 0.3 : 0)] as const;
    const side = (index: 0 | 1): SetSide => {
      const area = areas[index];
      const labelY = starts[index] + insetOf(index);
      let y = labelY + labels[index].height + gap;
      const rows = (points[index] ?? []).map((text): Row => {
        const rowY = y;
        y += text.height + gap * 1.3;
        return { y: rowY, text };
      });
      return { x: area.x, width: area.width, label: labels[index], labelY, rows, ruleX: area.x, ruleLength: area.width };
    };
    const strong = winsLeft ? 0 : 1;
    return {
      sides: [side(0), side(1)],
      block: isPlain
        ? { x: -bleed, y: blockTop, width: frame.width + 2 * bleed, height: starts[1] - between / 2 - blockTop }
        : { x: safe.x, y: starts[strong], width: safe.width, height: heights[strong] },
      markSpace: marks,
    };
  }
  throw new Error('The two sides do not fit at any text size.');
}

/** Two sides with corresponding points: a card for the winner, or two equal halves. */
export function ComparisonFormat(props: ComparisonProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { title, verdict, sides, block, markSpace } = layout;
  const isPlain = props.winner === null;
  const [blockSide, other] = isPlain || props.winner === 'left' ? [sides[0], sides[1]] : [sides[1], sides[0]];
  const landed = motion.enter(isPlain ? 0 : 1.1, 0.75);
  const leave = motion.leave();
  const rows = Math.max(...sides.map((side) => side.rows.length));
  const beat = Math.min(0.5, Math.max(0.15, (motion.duration - 4.2) / Math.max(1, rows)));
  const from = (frame.rightToLeft ? -1 : 1) * (props.winner === 'right' ? 1 : -1);
  const drift = -6 * (motion.drift(1) / motion.duration);
  const slide = isPlain
    ? `translateX(${from * (1 - landed + leave) * (block.width + bleed)}px)`
    : `translate(${from * (1 - landed) * 180}px, ${(1 - landed) * 40 + drift}px)`;
  return (
    <>
      <SideTexts
        side={other}
        kind={isPlain ? 'even' : 'weak'}
        // The weaker side turns grey when the card lands on it.
        ink={isPlain || landed < 0.5 ? colors.ink : colors.muted}
        markSpace={markSpace}
        at={isPlain ? 0.35 : 0.1}
        beat={isPlain ? beat : 0.12}
        leave={isPlain ? leave : motion.leave(0.1)}
      />
      <div className="box" style={{ inset: 0, opacity: isPlain ? 1 : Math.min(1, landed * 1.6) * (1 - leave), transform: slide }}>
        <theme.Card {...block} tone={isPlain ? 'helper' : 'accent'} seed={4} progress={1}>
          <SideTexts
            side={blockSide}
            kind={isPlain ? 'even' : 'strong'}
            ink="inherit"
            markSpace={markSpace}
            offset={block}
            at={isPlain ? 0.3 : 1.3}
            beat={beat}
            leave={0}
          />
        </theme.Card>
      </div>
      {title === null ? null : (
        <Lines
          set={title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={leave}
        />
      )}
      {verdict === null ? null : <Verdict set={verdict} layout={layout} at={1.3 + rows * beat + 0.35} isPlain={isPlain} />}
    </>
  );
}

function SideTexts({
  side,
  kind,
  ink,
  markSpace,
  offset = { x: 0, y: 0 },
  at,
  beat,
  leave,
}: {
  readonly side: SetSide;
  readonly kind: 'even' | 'weak' | 'strong';
  readonly ink: string;
  readonly markSpace: number;
  /** Corner of the card that contains the texts. */
  readonly offset?: { readonly x: number; readonly y: number };
  readonly at: number;
  readonly beat: number;
  readonly leave: number;
}) {
  const { theme, colors, motion } = useScene();
  const x = side.x - offset.x;
  const onCard = ink === 'inherit';
  return (
    <>
      <Lines
        set={side.label}
        x={x}
        y={side.labelY - offset.y}
        color={kind === 'even' && !onCard ? colors.helper : ink}
        progress={(line) => motion.enter(Math.max(0, at - 0.1) + line * 0.08, 0.6)}
        leave={leave}
      />
      {side.rows.map(({ y, text }, index) => {
        const start = at + 0.15 + index * beat;
        const rowY = y - offset.y;
        const textY = rowY + text.size * 0.5;
        const drawn = motion.draw(start - 0.1, 0.5) * (1 - leave);
        return (
          <div key={y} className="box" style={{ inset: 0 }}>
            {onCard ? (
              <Box
                x={side.ruleX - offset.x}
                y={rowY}
                width={side.ruleLength * drawn}
                height={2.5}
                style={{ background: 'currentColor', opacity: 0.34 }}
              />
            ) : (
              <theme.Rule x={side.ruleX} y={rowY} length={side.ruleLength} progress={drawn} tone="plain" seed={index + 3} />
            )}
            {kind === 'weak' ? (
              <Box
                x={x}
                y={textY + text.lineStep / 2 - 3}
                width={text.size * 0.7 * motion.draw(start, 0.3)}
                height={5}
                opacity={1 - leave}
                style={{ background: colors.muted, borderRadius: 3 }}
              />
            ) : null}
            {kind === 'strong' ? (
              <Box x={x} y={textY + (text.lineStep - text.size) / 2} width={text.size} height={text.size}>
                <svg aria-hidden width={text.size} height={text.size} viewBox="14 14 72 72">
                  <TickStroke checked={motion.draw(start + 0.05, 0.3)} color="currentColor" width={11} />
                </svg>
              </Box>
            ) : null}
            <Lines
              set={text}
              x={x + markSpace}
              y={textY}
              color={ink}
              entrance="fade"
              progress={() => motion.enter(start + 0.05, 0.45)}
              leave={leave}
            />
          </div>
        );
      })}
    </>
  );
}

/** The first sentence has the winner's colour. If the halves are equal, the verdict is on a band. */
function Verdict({
  set,
  layout,
  at,
  isPlain,
}: {
  readonly set: TextSet;
  readonly layout: Layout;
  readonly at: number;
  readonly isPlain: boolean;
}) {
  const { frame, theme, colors, motion } = useScene();
  const { safe } = frame;
  const leave = motion.leave();
  if (!isPlain) {
    const first = set.lines.join(' ').match(/^.+?[.!?。！？](?=\s|$)/u)?.[0];
    return (
      <Lines
        set={set}
        x={safe.x}
        y={layout.verdictY}
        color={first === undefined ? colors.ink : colors.muted}
        emphasis={first === undefined ? [] : [first]}
        emphasisColor={colors.accent}
        progress={(line) => motion.enter(at + line * 0.12, 0.6)}
        leave={leave}
      />
    );
  }
  const height = frame.height - layout.bandY + bleed;
  const hidden = 1 - motion.enter(at, 0.5) + leave;
  return (
    <div className="box" style={{ inset: 0, transform: `translateY(${hidden * height}px)` }}>
      <theme.Card x={-bleed} y={layout.bandY} width={frame.width + 2 * bleed} height={height} tone="accent" seed={9} progress={1}>
        <Lines
          set={set}
          x={safe.x + bleed}
          y={layout.verdictY - layout.bandY}
          color="inherit"
          entrance="fade"
          progress={() => motion.enter(at + 0.15, 0.4)}
        />
      </theme.Card>
    </div>
  );
}
