import { figure } from './figures.ts';
import { Box, type LayoutSetting, useLayout, useScene } from './format-scene.tsx';
import { faceStyle, Lines } from './lines.tsx';
import { cased, measure, setText, type TextSet } from './text.ts';

interface Figure {
  readonly value: number;
  readonly from: number | null;
  readonly decimals: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly label: string | null;
  readonly trend: string | null;
}

interface NumberProps {
  readonly title: string | null;
  readonly numbers: readonly Figure[];
  readonly gauge: 'none' | 'bar' | 'ring';
}

/** Suffixes of letters are set small, signs such as % a little smaller than the digits. */
const suffixScale = (suffix: string): number => (suffix.length <= 2 && !/\p{L}/u.test(suffix) ? 0.62 : 0.44);

interface SetFigure {
  readonly figure: Figure;
  readonly size: number;
  readonly suffixSize: number;
  /** Width of the widest value that is shown while counting, prefix and suffix included. */
  readonly width: number;
}

const smallestSuffix = 34;
const suffixGap = 0.12;

/** The largest size at which a figure fits, whatever it shows while it counts. Tabular digits are as wide as a zero. */
function fitFigure(
  item: Figure,
  { theme, language }: Pick<LayoutSetting, 'theme' | 'language'>,
  box: { width: number; height: number },
): SetFigure {
  const text = (item.prefix + figure(widest(item), item.decimals, language)).replace(/\p{Nd}/gu, '0');
  const digits = measure(theme.figures, text);
  const suffix = item.suffix === '' ? 0 : measure(theme.figures, item.suffix);
  for (let size = box.height; ; size *= 0.97) {
    const suffixSize = Math.max(smallestSuffix, size * suffixScale(item.suffix));
    const width = digits * size + (suffix === 0 ? 0 : (suffix + suffixGap) * suffixSize);
    if (width <= box.width * 0.985 || size < smallestSuffix) return { figure: item, size, suffixSize, width };
  }
}

const widest = ({ value, from }: Figure): number => (Math.abs(from ?? 0) > Math.abs(value) ? (from ?? 0) : value);

/** The value while it counts: it starts from 0, or from 92 % of a large value, so that the eye can follow the digits. */
function counted({ value, from }: Figure, progress: number): number {
  const start = from ?? (Math.abs(value) >= 10_000 ? value * 0.92 : 0);
  return start + (value - start) * Math.min(1, progress);
}

function FigureText({
  set,
  x,
  y,
  color,
  progress,
}: {
  readonly set: SetFigure;
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly progress: number;
}) {
  const { theme, language, frame } = useScene();
  const { figure: item, size, suffixSize, width } = set;
  return (
    <div
      className="line"
      style={{
        ...faceStyle(theme.figures, size),
        left: frame.left(x, width),
        top: y,
        width,
        height: size,
        lineHeight: `${size}px`,
        color,
        fontVariantNumeric: 'tabular-nums',
        textAlign: frame.rightToLeft ? 'right' : 'left',
      }}
    >
      {item.prefix}
      {figure(counted(item, progress), item.decimals, language)}
      {item.suffix === '' ? null : (
        <span style={{ fontSize: suffixSize, marginInlineStart: `${suffixGap}em` }}>{item.suffix}</span>
      )}
    </div>
  );
}

interface Card {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly set: SetFigure;
  readonly label: TextSet | null;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly lead:
    | (SetFigure & { readonly y: number; readonly label: TextSet | null; readonly labelY: number; readonly gaugeY: number })
    | null;
  readonly cards: readonly Card[];
}

/** One number fills the measure; more become cards below it, or a grid of equals when there is no title. */
function layOut({ title, numbers, gauge }: NumberProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const titleSet =
    title === null
      ? null
      : setText({
          text: numbers.length === 1 ? title : cased(theme, title, language),
          face: numbers.length > 1 && numbers.length < 5 ? theme.text : theme.display,
          size: numbers.length === 1 ? 64 : 76,
          minSize: 44,
          width: safe.width,
          height: safe.height * 0.2,
          maxCharacters: frame.shape === 'wide' ? 48 : 26,
        });
  const [first, ...rest] = numbers;
  if (first === undefined) return { title: titleSet, titleY: safe.y, lead: null, cards: [] };
  const headHeight = titleSet === null ? 0 : titleSet.height + 24;
  if (!hasLead(numbers.length, frame)) return grid(numbers, { titleSet, headHeight }, setting);

  const rows = rest.length === 0 ? 0 : frame.shape === 'wide' ? 1 : rest.length;
  const longLabels = rest.some(({ label }) => (label?.length ?? 0) > 24);
  const cardHeight = frame.shape === 'wide' && longLabels ? 290 : 220;
  const cardsHeight = rows === 0 ? 0 : rows * cardHeight + (rows - 1) * 24 + 48;
  const label =
    first.label === null && first.trend === null
      ? null
      : setText({
          text: [first.label, first.trend].filter(Boolean).join('   '),
          face: theme.text,
          size: rest.length === 0 ? 60 : 44,
          width: safe.width,
          height: rest.length === 0 ? 220 : 110,
          maxCharacters: frame.shape === 'wide' ? 46 : 30,
        });
  const gaugeSpace = gauge === 'bar' ? 72 : 0;
  const room = safe.height - headHeight - cardsHeight - (label?.height ?? 0) - gaugeSpace - 40;
  const set = fitFigure(first, setting, { width: safe.width, height: Math.min(room, frame.shape === 'wide' ? 460 : 520) });
  const block = headHeight + set.size + gaugeSpace + (label === null ? 0 : label.height + 28) + cardsHeight;
  const top = safe.y + Math.max(0, (safe.height - block) * 0.45);
  const figureY = top + headHeight;
  const gaugeY = figureY + set.size + 32;
  const labelY = figureY + set.size + gaugeSpace + 24;
  const cardsY = labelY + (label?.height ?? 0) + 48;
  const columns = frame.shape === 'wide' ? Math.max(1, rest.length) : 1;
  const cardWidth = (safe.width - 24 * (columns - 1)) / columns;
  const cards = rest.map((item, index) =>
    card(
      item,
      {
        x: safe.x + (index % columns) * (cardWidth + 24),
        y: cardsY + Math.floor(index / columns) * (cardHeight + 24),
        width: cardWidth,
        height: cardHeight,
      },
      setting,
    ),
  );
  return { title: titleSet, titleY: top, lead: { ...set, y: figureY, label, labelY, gaugeY }, cards };
}

/** Whether the first number is set large above the others; otherwise all are equals in a grid. */
function hasLead(count: number, frame: LayoutSetting['frame']): boolean {
  if (frame.shape === 'wide') return count !== 3 && count < 5;
  return count <= (frame.story ? 4 : 2);
}

function grid(
  numbers: readonly Figure[],
  head: { titleSet: TextSet | null; headHeight: number },
  setting: LayoutSetting,
): Layout {
  const { safe, shape } = setting.frame;
  const columns = shape === 'wide' ? Math.min(3, numbers.length) : 2;
  const rows = Math.ceil(numbers.length / columns);
  const width = (safe.width - 24 * (columns - 1)) / columns;
  const headHeight = head.titleSet === null ? 0 : head.headHeight + 24;
  const height = Math.min(380, (safe.height - headHeight - 24 * (rows - 1)) / rows);
  const block = headHeight + rows * height + 24 * (rows - 1);
  const top = safe.y + (safe.height - block) * 0.45;
  const cards = numbers.map((item, index) =>
    card(
      item,
      {
        x: safe.x + (index % columns) * (width + 24),
        y: top + headHeight + Math.floor(index / columns) * (height + 24),
        width,
        height,
      },
      setting,
    ),
  );
  const size = Math.min(...cards.map(({ set }) => set.size));
  return {
    title: head.titleSet,
    titleY: top,
    lead: null,
    cards: cards.map((one) => ({ ...one, set: fitFigure(one.set.figure, setting, { width: one.width - 84, height: size }) })),
  };
}

function card(item: Figure, box: { x: number; y: number; width: number; height: number }, setting: LayoutSetting): Card {
  const inner = box.width - 84;
  const label =
    item.label === null
      ? null
      : setText({
          text: item.label,
          face: setting.theme.text,
          size: 44,
          width: inner,
          height: box.height * 0.52,
          maxCharacters: 34,
          lineHeight: 1.15,
        });
  const trendSpace = item.trend === null ? 0 : measure(setting.theme.strong, item.trend) * 48 + 32;
  const room = box.height - (label?.height ?? 0) - 84;
  const set = fitFigure(item, setting, { width: inner - trendSpace, height: Math.min(150, room) });
  return { ...box, set, label };
}

/** A number that fills the measure and counts up, with the other figures on cards. */
export function NumberFormat(props: NumberProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { safe } = frame;
  const leave = motion.leave();
  const counting = motion.draw(0.2, 1.5);
  const first = props.numbers[0];
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - leave, transform: `translateY(${leave * -30}px)` }}>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={safe.x}
          y={layout.titleY}
          color={layout.lead === null ? colors.ink : colors.muted}
          progress={(line) => motion.enter(line * 0.08)}
        />
      )}
      {layout.lead === null ? null : (
        <div
          className="box"
          style={{ inset: 0, opacity: motion.enter(0.1, 0.4), transform: `translateY(${(1 - motion.enter(0.1, 0.7)) * 60}px)` }}
        >
          <FigureText
            set={layout.lead}
            x={safe.x}
            y={layout.lead.y}
            color={props.numbers.length === 1 ? colors.accent : colors.ink}
            progress={counting}
          />
        </div>
      )}
      {layout.lead === null || props.gauge !== 'bar' || first === undefined ? null : (
        <>
          <Box
            x={safe.x}
            y={layout.lead.gaugeY}
            width={safe.width}
            height={28}
            style={{ background: colors.tint, borderRadius: 14 }}
          />
          <theme.Bar
            x={safe.x}
            y={layout.lead.gaugeY}
            width={safe.width * share(first) * counting}
            height={28}
            tone="accent"
            vertical={false}
            index={0}
          />
        </>
      )}
      {layout.lead?.label ? (
        <Lines
          set={layout.lead.label}
          x={safe.x + 6}
          y={layout.lead.labelY}
          color={colors.ink}
          entrance="fade"
          progress={() => motion.enter(0.7, 0.5)}
          emphasis={first?.trend ? [first.trend] : []}
          emphasisColor={colors.helper}
        />
      ) : null}
      {layout.cards.map((item, index) => (
        <FigureCard key={item.x + item.y * 10_000} item={item} index={index} at={layout.lead === null ? 0.3 : 1} />
      ))}
    </div>
  );
}

/** How full the gauge is: a percentage, or the share that was there before if a start is given. */
function share({ value, from, suffix }: Figure): number {
  if (suffix.trim().startsWith('%')) return Math.min(1, Math.max(0, value / 100));
  return from !== null && from > 0 && from > value ? value / from : 1;
}

function FigureCard({ item, index, at }: { readonly item: Card; readonly index: number; readonly at: number }) {
  const { theme, colors, motion } = useScene();
  const start = at + index * motion.stagger(6) * 1.6;
  const { set, label, x, y, width, height } = item;
  const trend = set.figure.trend;
  const trendSet =
    trend === null
      ? null
      : setText({ text: trend, face: theme.strong, size: 48, width: width * 0.5, height: 80, maxCharacters: 20 });
  // On the dark blocks of a theme in capitals, text takes the colour of the card.
  const onBlock = theme.capitals ? colors.onInk : null;
  return (
    <theme.Card x={x} y={y} width={width} height={height} progress={motion.enter(start)} seed={index}>
      <FigureText set={set} x={42} y={36} color={onBlock ?? colors.ink} progress={motion.draw(start + 0.1, 1)} />
      {trendSet === null ? null : (
        <Lines
          set={trendSet}
          x={width - 42 - trendSet.width}
          y={44}
          color={onBlock ?? colors.helper}
          entrance="none"
          progress={() => 1}
        />
      )}
      {label === null ? null : (
        <Lines
          set={label}
          x={42}
          y={height - 34 - label.height}
          color={onBlock ?? colors.muted}
          entrance="none"
          progress={() => 1}
        />
      )}
    </theme.Card>
  );
}
