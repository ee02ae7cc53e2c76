import { readable } from '../kit/color.ts';
import type { Rect } from '../themes/theme.ts';
import {
  BarGauge,
  type Figure,
  FigureText,
  fitFigure,
  inkShare,
  type Ring,
  RingGauge,
  ringIn,
  type SetFigure,
} from './counting.tsx';
import type { Frame } from './frame.ts';
import { Heading, setHeading } from './heading.tsx';
import { Lines } from './lines.tsx';
import { type LayoutSetting, useLayout, useScene } from './setting.tsx';
import { leftToRight, setTexts, type TextSet } from './text.ts';

/** Key figures as equal cards in a grid. */

interface KeyFiguresProps {
  readonly title: string | null;
  readonly numbers: readonly Figure[];
  readonly gauge: 'none' | 'bar' | 'ring';
  /** Share of the gauge that is full. */
  readonly full: number;
}

/** A card with its contents, which are relative to its corner. */
interface Card extends Rect {
  readonly key: string;
  readonly pad: number;
  readonly set: SetFigure;
  readonly figureY: number;
  readonly label: TextSet | null;
  readonly trend: TextSet | null;
  readonly trendAt: { readonly x: number; readonly y: number };
  readonly bar: Rect | null;
  readonly ring: Ring | null;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly cards: readonly Card[];
}

const gap = 28;
const barHeight = 20;

/** Returns the number of cards in each row. A shorter row has wider cards, so that the grid has no hole. */
function rowsOf(count: number, { shape, story }: Frame): number[] {
  if (shape === 'wide') return count <= 3 ? [count] : [Math.ceil(count / 2), Math.floor(count / 2)];
  if (count <= 3 || (story && count === 4)) return Array.from({ length: count }, () => 1);
  return Array.from({ length: Math.ceil(count / 2) }, (_, row) => Math.min(2, count - 2 * row));
}

/** Lays out cards that fill the frame, with all labels, figures and changes at equal sizes. */
function layOut({ title, numbers, gauge }: KeyFiguresProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const titleSet = setHeading(
    title,
    { size: wide ? 80 : 88, width: safe.width, height: safe.height * 0.15, maxCharacters: wide ? 48 : 26 },
    setting,
  );
  const head = titleSet === null ? 0 : titleSet.height + 48;
  const rows = rowsOf(numbers.length, frame);
  const height = Math.min(520, (safe.height - head - gap * (rows.length - 1)) / rows.length);
  const top = safe.y + (safe.height - head - rows.length * height - gap * (rows.length - 1)) * 0.45;
  const boxes = rows.flatMap((columns, row) => {
    const width = (safe.width - gap * (columns - 1)) / columns;
    const y = top + head + row * (height + gap);
    return Array.from({ length: columns }, (_, column) => ({ x: safe.x + column * (width + gap), y, width, height }));
  });
  const narrowest = Math.min(...boxes.map(({ width }) => width));
  const roomy = fill({ numbers, gauge }, boxes, 'below', setting);
  // In low cards, the change is beside the number.
  const isTight = roomy.free < tightFigure;
  const { pad, labels, trends, free, labelSpace, under, ringSize } = isTight
    ? fill({ numbers, gauge }, boxes, 'beside', setting)
    : roomy;
  const innerOf = (index: number) => (boxes[index]?.width ?? narrowest) - 2 * pad;
  const ink = inkShare(setting);
  const besideOf = (index: number) => (isTight ? trendWidth(trends[index]) : 0);
  const fitted = numbers.map((item, index) =>
    fitFigure(item, setting, { width: innerOf(index) - besideOf(index), height: Math.min(free, 230) / ink.height }),
  );
  const figureSize = Math.min(...fitted.map((one) => one.size));
  const digits = figureSize * ink.height;
  return {
    title: titleSet,
    titleY: top,
    cards: numbers.map((item, index): Card => {
      const box = boxes[index] ?? { x: safe.x, y: top, width: narrowest, height };
      const set = fitFigure(item, setting, { width: innerOf(index), height: figureSize });
      const trend = trends[index] ?? null;
      const middle = pad + labelSpace + (height - 2 * pad - labelSpace - under) / 2 + 6;
      const isFirst = index === 0;
      const barY = isTight ? height - 22 : height - pad - under + 14;
      return {
        ...box,
        ...{ key: `${index}`, pad, set, label: labels[index] ?? null, trend },
        trendAt: isTight ? besideFigure(trend, box.width - pad, middle) : { x: pad, y: height - pad - (trend?.height ?? 0) },
        figureY: middle - digits / 2 - ink.top * set.size,
        bar: isFirst && gauge === 'bar' ? { x: pad, y: barY, width: innerOf(0), height: isTight ? 12 : barHeight } : null,
        ring: isFirst && gauge === 'ring' ? ringIn(box.width - pad - ringSize, pad, ringSize) : null,
      };
    }),
  };
}

/** Height below which a figure looks small beside its label. */
const tightFigure = 92;
const besideFigure = (trend: TextSet | null, end: number, middle: number): Card['trendAt'] => ({
  x: end - (trend?.width ?? 0),
  y: middle - (trend?.height ?? 0) / 2,
});
const trendWidth = (trend: TextSet | null | undefined): number => (trend == null ? 0 : trend.width + 24);

/** Sets the texts of all cards, and returns the height that they leave for the figures. */
function fill(
  { numbers, gauge }: Pick<KeyFiguresProps, 'numbers' | 'gauge'>,
  boxes: readonly Rect[],
  place: 'below' | 'beside',
  { theme }: LayoutSetting,
) {
  const isTight = place === 'beside';
  const narrowest = Math.min(...boxes.map(({ width }) => width));
  const height = boxes[0]?.height ?? 0;
  const pad = Math.min(narrowest < 460 ? 32 : 52, height * (isTight ? 0.1 : 0.16));
  const room = height - 2 * pad;
  const ringSize = gauge === 'ring' ? Math.min(150, height * 0.3) : 0;
  const size = Math.min(narrowest < 460 ? 46 : 56, Math.max(40, height * 0.15));
  const sets = (textOf: (item: Figure) => string | null, face: TextSet['face'], share: number) => {
    const found = numbers.flatMap((item, index) => {
      const text = textOf(item);
      return text === null ? [] : [{ index, text }];
    });
    const made = setTexts(
      found.map(({ index, text }) => ({
        ...{ text, face, size, height: Math.max(size * 1.4, room * share), maxCharacters: 34 },
        width: (boxes[index]?.width ?? narrowest) - 2 * pad - (index === 0 && ringSize > 0 ? ringSize + 20 : 0),
      })),
    );
    return numbers.map((_, index) => made[found.findIndex((one) => one.index === index)] ?? null);
  };
  const labels = sets(({ label }) => label, theme.text, isTight ? 0.68 : 0.46);
  const trends = sets(({ trend }) => (trend === null ? null : leftToRight(trend)), theme.strong, 0.2);
  const heightOf = (all: readonly (TextSet | null)[]) => Math.max(0, ...all.map((one) => one?.height ?? 0));
  const labelSpace = heightOf(labels);
  const under = isTight ? 0 : heightOf(trends) + (gauge === 'bar' ? barHeight + 26 : 0);
  return { pad, labels, trends, ringSize, labelSpace, under, free: Math.max(48, room - labelSpace - under - 24) };
}

/** Shows numbers that count up on equal cards, each with its label above and its change below. */
export function KeyFigures(props: KeyFiguresProps) {
  const { motion } = useScene();
  const { title, titleY, cards } = useLayout(layOut, props);
  const leave = motion.leave();
  return (
    <>
      <Heading set={title} y={titleY} />
      <div className="box" style={{ inset: 0, opacity: 1 - leave, transform: `translateY(${leave * -30}px)` }}>
        {cards.map((card, index) => (
          <KeyFigureCard
            key={card.key}
            card={card}
            index={index}
            full={props.full}
            at={(title === null ? 0.1 : 0.3) + index * motion.stagger(cards.length) * 1.6}
          />
        ))}
      </div>
    </>
  );
}

function KeyFigureCard({
  card,
  index,
  full,
  at,
}: {
  readonly card: Card;
  readonly index: number;
  readonly full: number;
  readonly at: number;
}) {
  const { theme, colors, motion } = useScene();
  const { x, y, width, height, pad, set, label, trend, trendAt, bar, ring } = card;
  // On the dark blocks of a theme with capitals, text has the colour of the card.
  const onBlock = theme.capitals ? colors.onInk : null;
  const counting = motion.draw(at + 0.15, 1.2);
  const still = { entrance: 'none', progress: () => 1 } as const;
  return (
    <theme.Card x={x} y={y} width={width} height={height} progress={motion.enter(at)} seed={index}>
      {label === null ? null : <Lines set={label} x={pad} y={pad} color={onBlock ?? colors.muted} {...still} />}
      <FigureText set={set} x={pad} y={card.figureY} color={onBlock ?? colors.ink} progress={counting} />
      {ring === null ? null : <RingGauge ring={ring} full={full * counting} shown={1} />}
      {bar === null ? null : <BarGauge bar={bar} full={full * counting} shown={1} />}
      {trend === null ? null : (
        <Lines set={trend} {...trendAt} color={onBlock ?? readable(colors.helper, colors.surface)} {...still} />
      )}
    </theme.Card>
  );
}
