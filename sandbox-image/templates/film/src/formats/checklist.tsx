import type { Point } from '../drawing/curve.ts';
import { figure } from '../drawing/figures.ts';
import type { Frame } from '../drawing/frame.ts';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setOptional, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { hash } from '../kit/random.ts';
import type { Rect } from '../themes/theme.ts';

interface Item {
  readonly text: string;
  readonly icon: string | null;
  readonly done: boolean;
}

interface ChecklistProps {
  readonly title: string | null;
  readonly items: readonly Item[];
}

interface Row {
  readonly text: TextSet;
  readonly textX: number;
  readonly textY: number;
  /** Position of the checkbox; an icon has the same size. */
  readonly box: { readonly x: number; readonly y: number; readonly size: number };
  readonly iconX: number;
  /** Strip behind the row, in themes that draw one. */
  readonly plate: Rect;
}

interface Score {
  /** One tally stroke per completed item; every fifth crosses the previous four. */
  readonly strokes: readonly (readonly Point[])[];
  readonly strokeWidth: number;
  readonly count: TextSet;
  readonly countX: number;
  readonly countY: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly rows: readonly Row[];
  readonly score: Score | null;
}

function sizeFor(count: number, frame: Frame): number {
  const growth = [2.5, 1.6, 1.25, 1.05, 1, 0.92, 0.88][count - 1] ?? 0.84;
  return (frame.shape === 'wide' ? 66 : 68) * growth;
}

const stripHeight = 120;

/** Long items use the space for the score. */
function layOut(props: ChecklistProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { items } = props;
  const scored = items.length > 1 && items.some(({ done }) => done) && (frame.shape === 'wide' || frame.story);
  const layout = arrange(props, scored, setting);
  return scored && layout.rows.some(({ text }) => text.size < 36) ? arrange(props, false, setting) : layout;
}

function arrange({ title, items }: ChecklistProps, scored: boolean, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const alone = items.length === 1;
  const many = items.length > 6;
  const column = scored && wide ? safe.width * 0.62 : safe.width;
  const heading = setOptional(title && cased(theme, title, language), {
    face: theme.display,
    size: wide ? 118 : 112,
    minSize: 56,
    width: column,
    height: safe.height * (many ? 0.16 : 0.26),
    maxCharacters: wide || many ? 30 : 22,
  });
  const strip = scored && frame.story ? stripHeight + 64 : 0;
  const head = (heading === null ? 0 : heading.height + 52) + strip;
  const pitch = Math.min((safe.height - head) / items.length, items.length <= 2 ? 320 : 180);
  const { drawn: plated } = theme.plate;
  const plateShare = many ? 0.82 : 0.64;
  const textShare = plated ? plateShare : 0.92;
  const padding = plated ? theme.plate.padding : 0;
  const wanted = Math.min(sizeFor(items.length, frame), pitch * 0.56);
  const hasIcons = items.some(({ icon }) => icon !== null);
  const widthAt = (size: number) => column - size * 1.8 - padding * 1.6 - (hasIcons ? size * 1.75 : 0);
  const texts = setTexts(
    items.map(({ text }) => ({
      text,
      face: plated || alone ? theme.display : theme.text,
      size: wanted,
      width: widthAt(wanted),
      height: pitch * textShare,
      maxCharacters: 70,
      lineHeight: 1.12,
    })),
  );
  const size = texts[0]?.size ?? wanted;
  const boxSize = Math.min(size * 1.25, pitch * 0.86);
  const top = safe.y + Math.max(0, safe.height - head - pitch * items.length) * (frame.story ? 0.3 : 0.42);
  const rows = texts.map((text, index): Row => {
    const y = top + head + index * pitch;
    const textX = safe.x + boxSize + size * 0.55 + padding * 0.7;
    const plateHeight = Math.min(pitch * 0.88, Math.max(text.height + size * 0.7, boxSize * 0.92));
    const plateX = safe.x + boxSize * 0.4;
    // Rounded ends would cut into the corners of multi-line text.
    const plateEnd = textX + text.width + padding * (text.lines.length > 1 ? 1.5 : 1);
    return {
      text,
      textX,
      textY: y + (pitch - text.height) / 2,
      box: { x: safe.x + padding * 0.4, y: y + (pitch - boxSize) / 2, size: boxSize },
      iconX: (plated ? plateEnd : textX + text.width) + size * 0.45,
      plate: { x: plateX, y: y + (pitch - plateHeight) / 2, width: plateEnd - plateX, height: plateHeight },
    };
  });
  const area = wide
    ? { x: safe.x + safe.width * 0.7, y: safe.y + 20, width: safe.width * 0.3, height: safe.height * 0.66 }
    : { x: safe.x, y: top + head - strip, width: safe.width * 0.6, height: stripHeight };
  return { title: heading, titleY: top, rows, score: scored ? scoreOf(items, area, setting) : null };
}

/** Beside the list, the number is below the strokes; in a strip, it is at the end. */
function scoreOf(items: readonly Item[], area: Rect, { frame, theme, language }: LayoutSetting): Score {
  const { safe, shape } = frame;
  const done = items.filter((item) => item.done).length;
  const groups = Math.ceil(done / 5);
  const groupGap = groups > 1 ? area.width * 0.1 : 0;
  const groupWidth = Math.min((area.width - groupGap * (groups - 1)) / groups, area.height * 1.1);
  const step = groupWidth / 4.4;
  const strokes = Array.from({ length: done }, (_, stroke) => {
    const group = Math.floor(stroke / 5);
    const place = stroke % 5;
    const x = area.x + group * (groupWidth + groupGap);
    const shake = (salt: number) => hash(stroke, 3, salt) - 0.5;
    const crossing = place === 4;
    const upright = x + (place + 0.7) * step;
    const from: Point = crossing
      ? [x, area.y + area.height * 0.76]
      : [upright + shake(1) * step * 0.16, area.y + (shake(2) + 0.5) * area.height * 0.08];
    const to: Point = crossing
      ? [x + groupWidth, area.y + area.height * 0.2]
      : [upright + shake(3) * step * 0.16, area.y + area.height * (1 - (shake(4) + 0.5) * 0.06)];
    return Array.from({ length: 7 }, (__, part): Point => {
      const share = part / 6;
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    });
  });
  const wide = shape === 'wide';
  const count = setText({
    text: scoreText(done, items.length, language),
    face: theme.figures,
    size: wide ? 150 : 112,
    width: safe.width * 0.28,
    height: wide ? safe.height * 0.26 : stripHeight,
    lineHeight: 1.05,
  });
  return {
    strokes,
    strokeWidth: Math.min(theme.stroke * (wide ? 3.4 : 2.2) + 5, step * 0.4),
    count,
    countX: wide ? area.x : safe.x + safe.width - count.width,
    countY: wide ? safe.y + safe.height - count.height : area.y + (area.height - count.height) / 2,
  };
}

const scoreText = (done: number, all: number, language: string): string =>
  `${figure(done, 0, language)}/${figure(all, 0, language)}`;

/** A list of short items, each ticked off once it has been read. Each tick adds a tally stroke. */
export function ChecklistFormat({ title, items }: ChecklistProps) {
  const { frame, theme, colors, motion, style } = useScene();
  const layout = useLayout(layOut, { title, items });
  const leave = motion.leave();
  const first = title === null ? 0.2 : 0.5;
  // Spreads the ticks over the remaining reading time.
  const beat = Math.max(0.35, (motion.duration - first - 2.4) / items.length);
  const tickAt = (index: number) => first + 0.7 + index * beat;
  const { plate } = theme;
  return (
    <>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={leave}
        />
      )}
      {layout.score === null ? null : <ScoreView score={layout.score} items={items} tickAt={tickAt} />}
      {layout.rows.map((row, index) => {
        const { icon = null, done = false } = items[index] ?? {};
        const at = first + index * motion.stagger(items.length) * 1.6;
        const entered = motion.enter(at, 0.5);
        const checked = done ? motion.draw(tickAt(index), 0.4) : 0;
        const pressed = style === 'playful' ? Math.sin(checked * Math.PI) * 0.03 : 0;
        const plainInk = checked > 0.9 ? colors.muted : colors.ink;
        const plateInk = done ? plate.ink(colors, 'accent') : colors.accent;
        const waiting = done ? 1 : 1 + 0.04 * Math.sin(motion.drift(4) * 3);
        return (
          <div
            key={row.textY}
            className="box"
            style={{
              inset: 0,
              opacity: 1 - leave,
              transform: pressed === 0 ? undefined : `scale(${1 - pressed})`,
              transformOrigin: `50% ${row.box.y + row.box.size / 2}px`,
            }}
          >
            {plate.drawn ? <PlateOf row={row} index={index} done={done} progress={motion.spring(at, 0.5)} /> : null}
            <theme.Tick {...row.box} progress={motion.spring(at, 0.45) * waiting} checked={checked} seed={index} />
            <Lines
              set={row.text}
              x={row.textX}
              y={row.textY}
              color={plate.drawn ? plateInk : plainInk}
              entrance="fade"
              progress={() => entered}
            />
            {icon === null ? null : (
              <Box x={row.iconX} y={row.box.y} width={row.box.size} height={row.box.size} opacity={entered}>
                <Icon name={icon} size={row.box.size} color={colors.accent} />
              </Box>
            )}
          </div>
        );
      })}
    </>
  );
}

/** Draws the strip behind a completed item, or its outline before that. */
function PlateOf({
  row: { plate },
  index,
  done,
  progress,
}: {
  readonly row: Row;
  readonly index: number;
  readonly done: boolean;
  readonly progress: number;
}) {
  const { theme, colors } = useScene();
  if (done) return <theme.Plate {...plate} index={index} progress={progress} tone="accent" />;
  return (
    <Box
      {...plate}
      opacity={Math.min(1, Math.max(0, progress))}
      style={{ border: `5px dotted ${colors.accent}`, borderRadius: plate.height / 2, boxSizing: 'border-box' }}
    />
  );
}

function ScoreView({
  score,
  items,
  tickAt,
}: {
  readonly score: Score;
  readonly items: readonly Item[];
  readonly tickAt: (index: number) => number;
}) {
  const { theme, colors, motion, language } = useScene();
  const ticks = items.flatMap(({ done }, index) => (done ? [tickAt(index) + 0.1] : []));
  const counted = ticks.filter((at) => motion.draw(at, 0.1) > 0).length;
  const leave = motion.leave();
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
      {score.strokes.map((points, stroke) => (
        <theme.Path
          key={points.join()}
          points={points}
          width={score.strokeWidth}
          progress={motion.draw(ticks[stroke] ?? 0, 0.3)}
          tone="accent"
          seed={stroke + 3}
        />
      ))}
      <Lines
        set={{ ...score.count, lines: [scoreText(counted, items.length, language)] }}
        x={score.countX}
        y={score.countY}
        color={colors.muted}
        emphasis={[figure(counted, 0, language)]}
        emphasisColor={colors.accent}
        entrance="fade"
        progress={() => motion.enter(0.3, 0.5)}
      />
    </div>
  );
}
