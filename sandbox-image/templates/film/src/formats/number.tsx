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
} from '../drawing/counting.tsx';
import { DotGauge } from '../drawing/dot-gauge.tsx';
import { figure } from '../drawing/figures.ts';
import type { Frame } from '../drawing/frame.ts';
import { KeyFigures } from '../drawing/key-figures.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, leftToRight, measure, setText, type TextSet } from '../drawing/text.ts';
import { readable } from '../kit/color.ts';
import type { Rect } from '../themes/theme.ts';

interface NumberProps {
  readonly title: string | null;
  readonly numbers: readonly Figure[];
  readonly gauge: 'none' | 'bar' | 'ring' | 'dots';
  readonly of: number | null;
  readonly layout?: 'first' | 'cards' | null;
}

type LedProps = Omit<NumberProps, 'gauge' | 'layout'> & { readonly gauge: Card['gauge'] };

interface Card extends Rect {
  readonly set: SetFigure;
  readonly label: TextSet | null;
  readonly pad: { readonly x: number; readonly y: number };
  readonly gauge: 'none' | 'bar' | 'ring';
  readonly trend: 'below' | 'beside';
}

interface Placed {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
}

interface Lead {
  readonly set: SetFigure;
  readonly x: number;
  readonly y: number;
  readonly label: Placed | null;
  readonly trend: Placed | null;
  readonly whole: Placed | null;
  readonly bar: Rect | null;
  readonly ring: Ring | null;
  readonly centred: boolean;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly lead: Lead | null;
  readonly cards: readonly Card[];
}

const gap = 44;

const placeFoot = ({ label, trend, shift }: ReturnType<typeof setFoot>, x: number, y: number): Pick<Lead, 'label' | 'trend'> => ({
  label: label && { set: label, x: x + shift, y },
  trend: trend && { set: trend, x, y },
});

/** Sets the change and the label after it at one size. */
function setFoot(
  { label, trend }: Figure,
  { theme, frame }: LayoutSetting,
  { size, width, height }: { readonly size: number; readonly width: number; readonly height: number },
): { readonly label: TextSet | null; readonly trend: TextSet | null; readonly shift: number; readonly height: number } {
  const request = { size, height, maxCharacters: frame.shape === 'wide' && width > 1000 ? 46 : 28 };
  const change =
    trend === null ? null : setText({ ...request, text: leftToRight(trend), face: theme.strong, width: width * 0.6 });
  const shift = change === null ? 0 : change.width + 28;
  const words = label === null ? null : setText({ ...request, text: label, face: theme.text, width: width - shift });
  return { label: words, trend: change, shift, height: Math.max(words?.height ?? 0, change?.height ?? 0) };
}

/** Returns the columns of the cards below the first number, and their height each and in total. */
function cardSizes(rest: readonly Figure[], { shape }: Frame) {
  const wide = shape === 'wide';
  const longLabels = rest.some(({ label }) => (label?.length ?? 0) > 24);
  const height = { wide: longLabels ? 270 : 210, square: 200, tall: longLabels ? 214 : 176 }[shape];
  const rows = wide ? Math.min(1, rest.length) : rest.length;
  const total = rows === 0 ? 0 : rows * height + (rows - 1) * 24 + 52;
  return { height, total, columns: wide ? Math.max(1, rest.length) : 1 };
}

function titleSizeFor(count: number, isLed: boolean): number {
  if (count === 1) return 64;
  return isLed ? 56 : 76;
}

function figureHeight(room: number, isAlone: boolean, { shape }: Frame): number {
  if (isAlone) return Math.min(room, 700);
  return Math.min(room, shape === 'wide' ? 440 : 500);
}

/** Lays out one number that fills the width. The others become cards below it, or a grid of equals if there is no title. */
function layOut(props: LedProps, setting: LayoutSetting): Layout {
  const { numbers, gauge } = props;
  const { frame } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const [first, ...rest] = numbers;
  if (first === undefined) return { title: null, titleY: safe.y, lead: null, cards: [] };
  if (gauge === 'ring' && rest.length === 0) return ringed(props, first, setting);
  const isLed = hasLead(numbers.length, frame);
  const titleSet = setTitle(props, setting, {
    size: titleSizeFor(numbers.length, isLed),
    width: safe.width,
    height: safe.height * (numbers.length > 4 && !wide ? 0.13 : 0.2),
  });
  const headHeight = titleSet === null ? 0 : titleSet.height + 40;
  if (!isLed) return grid(props, { titleSet, headHeight }, setting);

  const { height: cardHeight, total: cardsHeight, columns } = cardSizes(rest, frame);
  const small = rest.length === 0 ? 60 : 44;
  const wholeSet = gauge === 'bar' ? setWhole(props.of, first, small, setting) : null;
  const foot = setFoot(first, setting, {
    size: small,
    width: safe.width - (wholeSet === null ? 0 : wholeSet.width + 60),
    height: rest.length === 0 ? 220 : 110,
  });
  const footHeight = Math.max(foot.height, wholeSet?.height ?? 0);
  const barSpace = gauge === 'bar' ? 60 : 0;
  const footSpace = footHeight === 0 ? 0 : footHeight + 24;
  const room = safe.height - headHeight - cardsHeight - footSpace - barSpace;
  const ink = inkShare(setting);
  const height = figureHeight(room, rest.length === 0, frame);
  const ringSpace = gauge === 'ring' ? height + 48 : 0;
  const set = fitFigure(first, setting, { width: safe.width - ringSpace, height: height / ink.height });
  const digits = gauge === 'ring' ? height : set.size * ink.height;
  const top = safe.y + Math.max(0, (room - digits) * 0.42);
  const figureY = top + headHeight;
  const barY = figureY + digits + 28;
  const footY = figureY + digits + barSpace + 20;
  const cardsY = figureY + digits + barSpace + footSpace + 52;
  const cardWidth = (safe.width - 24 * (columns - 1)) / columns;
  return {
    title: titleSet,
    titleY: top,
    lead: {
      set,
      x: safe.x - set.size * 0.03,
      y: figureY - ink.top * set.size + (digits - set.size * ink.height) / 2,
      ...placeFoot(foot, safe.x, footY),
      whole: wholeSet && { set: wholeSet, x: safe.x + safe.width - wholeSet.width, y: footY },
      bar: gauge === 'bar' ? { x: safe.x, y: barY, width: safe.width, height: 28 } : null,
      ring: gauge === 'ring' ? ringIn(safe.x + safe.width - height, figureY, height) : null,
      centred: false,
    },
    cards: evenLabels(
      rest.map((item, index) => {
        const x = safe.x + (index % columns) * (cardWidth + 24);
        const y = cardsY + Math.floor(index / columns) * (cardHeight + 24);
        return card(item, { x, y, width: cardWidth, height: cardHeight }, { gauge: 'none', trend: 'beside' }, setting);
      }),
    ),
  };
}

function setWhole(value: number | null, first: Figure, size: number, { frame, theme, language }: LayoutSetting): TextSet | null {
  if (value === null) return null;
  const text = first.prefix + figure(value, Number.isInteger(value) ? 0 : first.decimals, language) + first.suffix;
  return setText({ text, face: theme.text, size, width: frame.safe.width * 0.4, height: 90, maxCharacters: 40 });
}

function setTitle(
  { title, numbers }: LedProps,
  { frame, theme, language }: LayoutSetting,
  { size, width, height }: { readonly size: number; readonly width: number; readonly height: number },
): TextSet | null {
  if (title === null) return null;
  return setText({
    text: numbers.length === 1 ? title : cased(theme, title, language),
    face: numbers.length > 1 && numbers.length < 5 ? theme.text : theme.display,
    size,
    minSize: 44,
    width,
    height,
    maxCharacters: frame.shape === 'wide' && width > 1000 ? 48 : 26,
  });
}

/** Lays out one number inside its ring, with the text beside it, or above and below. */
function ringed(props: LedProps, first: Figure, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { safe } = frame;
  const beside = frame.shape === 'wide' && (props.title !== null || first.label !== null || first.trend !== null);
  const width = beside ? safe.width - safe.height - 110 : safe.width;
  const title = setTitle(props, setting, { size: 96, width, height: safe.height * (beside ? 0.5 : 0.2) });
  const foot = setFoot(first, setting, { size: 54, width, height: safe.height * (beside ? 0.36 : 0.18) });
  const titleSpace = title === null ? 0 : title.height + gap;
  const words = titleSpace + foot.height;
  const around = beside ? 0 : titleSpace + (foot.height === 0 ? 0 : foot.height + gap);
  const diameter = Math.min(safe.width, safe.height - around);
  const ringX = beside ? safe.x + safe.width - diameter : safe.x + (safe.width - diameter) / 2;
  const top = safe.y + (safe.height - (beside ? words : diameter + around)) * 0.45;
  const ringY = beside ? safe.y : top + titleSpace;
  const ink = inkShare(setting);
  const set = fitFigure(first, setting, { width: diameter * 0.7, height: (diameter * 0.4) / ink.height });
  return {
    title,
    titleY: top,
    lead: {
      set,
      x: ringX + (diameter - set.width) / 2,
      y: ringY + diameter / 2 - (ink.top + (ink.height - 0.13) / 2) * set.size,
      ...placeFoot(foot, safe.x, beside ? top + titleSpace : ringY + diameter + gap),
      whole: null,
      bar: null,
      ring: ringIn(ringX, ringY, diameter),
      centred: true,
    },
    cards: [],
  };
}

/** Returns whether the first number is set large above the others. Otherwise, all have equal cells in a grid. */
function hasLead(count: number, frame: LayoutSetting['frame']): boolean {
  if (frame.shape === 'wide') return count !== 3 && count < 5;
  return count <= (frame.story ? 4 : 2);
}

function grid(
  { numbers, gauge }: LedProps,
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
  // In narrow cards, the trend is below the number if all of them have space for it.
  const attempts = (width < 460 ? (['below', 'beside'] as const) : (['beside'] as const)).map((trend) =>
    numbers.map((item, index) => {
      const x = safe.x + (index % columns) * (width + 24);
      const y = top + headHeight + Math.floor(index / columns) * (height + 24);
      return card(item, { x, y, width, height }, { gauge: index === 0 ? gauge : 'none', trend }, setting);
    }),
  );
  const cards = attempts.find((all) => all.every(({ isRoomy }) => isRoomy)) ?? attempts.at(-1) ?? [];
  const size = Math.min(...cards.map(({ set }) => set.size));
  return {
    title: head.titleSet,
    titleY: top,
    lead: null,
    cards: evenLabels(cards).map((one) => ({
      ...one,
      set: fitFigure(one.set.figure, setting, { width: one.width, height: size }),
    })),
  };
}

/** Gives all labels the size of the smallest one. */
function evenLabels(cards: readonly Card[]): Card[] {
  const size = Math.min(...cards.flatMap(({ label }) => (label === null ? [] : [label.size])));
  return cards.map((one) => {
    const { label, set, width, height, pad } = one;
    if (label === null || label.size === size) return one;
    const request = { text: set.figure.label ?? '', face: label.face, size, width: width - 2 * pad.x, height };
    return { ...one, label: setText({ ...request, maxCharacters: 34, lineHeight: cardLeading }) };
  });
}

const trendSize = 38;
const cardLeading = 1.15;
const cardRing = 72;

function card(
  item: Figure,
  box: Rect,
  { gauge, trend }: Pick<Card, 'gauge' | 'trend'>,
  setting: LayoutSetting,
): Card & { readonly isRoomy: boolean } {
  const pad = { x: box.width < 460 ? 30 : 42, y: box.height < 260 ? 22 : 34 };
  const inner = box.width - 2 * pad.x;
  const free = box.height - 2 * pad.y - (gauge === 'bar' ? 28 : 0);
  const label =
    item.label === null
      ? null
      : setText({
          text: item.label,
          face: setting.theme.text,
          size: 44,
          width: inner,
          height: Math.max(44, Math.min(free * 0.76, free - 54)),
          maxCharacters: 34,
          lineHeight: cardLeading,
        });
  const room = Math.max(46, free - (label?.height ?? 0) - 8);
  const under = item.trend !== null && trend === 'below' ? trendSize * 1.3 : 0;
  const trendSpace = item.trend === null || under > 0 ? 0 : measure(setting.theme.strong, item.trend) * trendSize + 28;
  const ringSpace = gauge === 'ring' ? cardRing + 24 : 0;
  const height = Math.min(box.height * 0.5, Math.max(46, room - under));
  const set = fitFigure(item, setting, { width: inner - trendSpace - ringSpace, height });
  return { ...box, set, label, pad, gauge, trend, isRoomy: room - under >= 60 };
}

/** Shows one number with its gauge, or several: the first one large, or all on equal cards. */
export function NumberFormat({ layout, ...props }: NumberProps) {
  const { title, numbers, of } = props;
  const [first, ...rest] = numbers;
  if (first !== undefined && rest.length === 0 && props.gauge === 'dots')
    return <DotGauge title={title} number={first} of={of} />;
  // Several figures leave no room for dots.
  const gauge = props.gauge === 'dots' ? 'bar' : props.gauge;
  return layout === 'cards' && rest.length > 0 ? (
    <KeyFigures title={title} numbers={numbers} gauge={gauge} full={fullness(props)} />
  ) : (
    <LedFigures title={title} numbers={numbers} gauge={gauge} of={of} />
  );
}

/** Shows a number that fills the width and counts up, with the other figures on cards. */
function LedFigures(props: LedProps) {
  const { frame, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const leave = motion.leave();
  const full = fullness(props);
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - leave, transform: `translateY(${leave * -30}px)` }}>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={frame.safe.x}
          y={layout.titleY}
          color={layout.lead === null || layout.lead.centred ? colors.ink : colors.muted}
          progress={(line) => motion.enter(line * 0.08)}
        />
      )}
      {layout.lead === null ? null : <LeadFigure lead={layout.lead} full={full} alone={props.numbers.length === 1} />}
      {layout.cards.map((item, index) => (
        <FigureCard key={item.x + item.y * 10_000} item={item} index={index} full={full} at={layout.lead === null ? 0.3 : 1} />
      ))}
    </div>
  );
}

function fullness({ numbers, of }: Pick<NumberProps, 'numbers' | 'of'>): number {
  const whole = of ?? 100;
  return whole === 0 ? 1 : Math.min(1, Math.max(0, (numbers[0]?.value ?? 0) / whole));
}

function LeadFigure({ lead, full, alone }: { readonly lead: Lead; readonly full: number; readonly alone: boolean }) {
  const { colors, motion } = useScene();
  const { set, label, trend, whole, bar, ring, centred } = lead;
  const counting = motion.draw(0.2, 1.5);
  const shown = motion.enter(0.1, 0.7);
  return (
    <>
      {ring === null ? null : <RingGauge ring={ring} full={full * counting} shown={motion.draw(0, 0.7)} />}
      {bar === null ? null : <BarGauge bar={bar} full={full * counting} shown={motion.enter(0.1, 0.7)} />}
      <div className="box" style={{ inset: 0, opacity: motion.enter(0.1, 0.4), transform: `translateY(${(1 - shown) * 20}px)` }}>
        <FigureText
          set={set}
          x={lead.x}
          y={lead.y}
          color={alone && !centred ? colors.accent : colors.ink}
          progress={counting}
          centred={centred}
        />
      </div>
      {label === null ? null : (
        <Lines {...label} color={centred ? colors.muted : colors.ink} entrance="fade" progress={() => motion.enter(0.8, 0.5)} />
      )}
      {trend === null ? null : (
        <Lines
          {...trend}
          color={readable(colors.helper, colors.dark ? colors.groundTop : colors.groundBottom)}
          entrance="fade"
          progress={() => motion.enter(0.7, 0.5)}
        />
      )}
      {whole === null ? null : <Lines {...whole} color={colors.muted} entrance="fade" progress={() => motion.enter(0.8, 0.5)} />}
    </>
  );
}

function FigureCard({
  item,
  index,
  full,
  at,
}: {
  readonly item: Card;
  readonly index: number;
  readonly full: number;
  readonly at: number;
}) {
  const { theme, colors, motion } = useScene();
  const start = at + index * motion.stagger(6) * 1.6;
  const { set, label, pad, gauge, x, y, width, height } = item;
  const below = item.trend === 'below';
  const trend = set.figure.trend;
  const trendSet =
    trend === null
      ? null
      : setText({
          text: leftToRight(trend),
          face: theme.strong,
          size: trendSize,
          width: width * 0.5,
          height: 80,
          maxCharacters: 20,
        });
  // On the dark blocks of a theme with capitals, text has the colour of the card.
  const onBlock = theme.capitals ? colors.onInk : null;
  const counting = motion.draw(start + 0.1, 1);
  const labelHeight = label?.height ?? 0;
  const trendEnd = width - pad.x - (gauge === 'ring' ? cardRing + 24 : 0);
  return (
    <theme.Card x={x} y={y} width={width} height={height} progress={motion.enter(start)} seed={index}>
      <FigureText set={set} x={pad.x} y={pad.y} color={onBlock ?? colors.ink} progress={counting} />
      {gauge === 'ring' ? (
        <RingGauge ring={ringIn(width - pad.x - cardRing, pad.y, cardRing)} full={full * counting} shown={1} />
      ) : null}
      {gauge === 'bar' ? (
        <BarGauge
          bar={{ x: pad.x, y: height - pad.y - labelHeight - 26, width: width - 2 * pad.x, height: 16 }}
          full={full * counting}
          shown={1}
        />
      ) : null}
      {trendSet === null ? null : (
        <Lines
          set={trendSet}
          x={below ? pad.x : trendEnd - trendSet.width}
          y={below ? pad.y + set.size : pad.y + 4}
          color={onBlock ?? readable(colors.helper, colors.surface)}
          entrance="none"
          progress={() => 1}
        />
      )}
      {label === null ? null : (
        <Lines
          set={label}
          x={pad.x}
          y={height - pad.y - labelHeight}
          color={onBlock ?? colors.muted}
          entrance="none"
          progress={() => 1}
        />
      )}
    </theme.Card>
  );
}
