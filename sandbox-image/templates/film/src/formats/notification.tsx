import { Icon } from '../drawing/icon.tsx';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, Inset, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setText, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import type { Face } from '../themes/theme.ts';

interface Notice {
  readonly title: string;
  readonly body: string | null;
  readonly time: string | null;
}

interface NotificationProps {
  readonly app: string;
  readonly icon: string | null;
  readonly cards: readonly Notice[];
  readonly badge: number | null;
}

interface PlacedText {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
  readonly quiet: boolean;
}

/** A card's layout relative to its corner. */
interface Form {
  readonly width: number;
  readonly height: number;
  readonly icon: { readonly x: number; readonly y: number; readonly size: number };
  readonly texts: readonly PlacedText[];
}

interface Layout {
  readonly height: number;
  readonly leads: readonly Form[];
  readonly smalls: readonly Form[];
  readonly leadX: number;
  readonly leadY: number;
  /** Positions of older cards, from the first step up. */
  readonly steps: readonly { readonly x: number; readonly y: number }[];
  /** When each card arrives, as a fraction of the reading time. */
  readonly arrivals: readonly number[];
}

type Arrangement = 'beside' | 'above' | 'over' | 'small';

interface Proportions {
  readonly padding: number;
  readonly icon: number;
  readonly meta: number;
  readonly title: number;
  readonly body: number;
}

/** Returns the sizes for an icon position, and for a single card in the frame. */
function proportionsFor(arrangement: Arrangement, alone: boolean, hasBody: boolean, story: boolean): Proportions {
  if (arrangement === 'small') return { padding: 36, icon: 124, meta: 34, title: 52, body: 0 };
  if (arrangement === 'over') return { padding: 68, icon: story ? 380 : 300, meta: 44, title: hasBody ? 164 : 190, body: 56 };
  if (arrangement === 'above') return { padding: 52, icon: 148, meta: 38, title: 96, body: 46 };
  return alone
    ? { padding: 76, icon: 320, meta: 42, title: hasBody ? 140 : 172, body: 52 }
    : { padding: 52, icon: 172, meta: 36, title: 88, body: 42 };
}

interface CardRequest {
  readonly app: string;
  readonly card: Notice;
  readonly arrangement: Arrangement;
  readonly alone: boolean;
  readonly width: number;
  readonly scale: number;
}

const smallest = 36;

/** Sets the texts of a card, and returns them with the distances that position them. */
function setCard({ app, card, arrangement, alone, width, scale }: CardRequest, { frame, theme, language }: LayoutSetting) {
  const sizes = proportionsFor(arrangement, alone, card.body !== null, frame.story);
  const padding = sizes.padding * Math.min(1, scale);
  const icon = sizes.icon * scale;
  const meta = Math.max(34, sizes.meta * scale);
  const beside = arrangement === 'beside' || arrangement === 'small';
  const textX = beside ? padding + icon + padding * 0.75 : padding;
  const inner = width - textX - padding;
  const fit = (text: string, face: Face, size: number, box: { width: number; height: number; maxCharacters: number }) =>
    setText({ text, face, size: Math.max(34, size), minSize: Math.min(smallest, size), ...box });
  const metaX = beside ? textX : padding + icon + 40;
  const metaWidth = width - metaX - padding;
  const timeBox = { width: beside ? metaWidth * 0.5 : metaWidth, height: meta * 1.6, maxCharacters: 12 };
  const time = card.time === null ? null : fit(card.time, theme.text, meta, timeBox);
  const besideTime = beside && time !== null ? time.width + 32 : 0;
  const name = fit(app, theme.strong, meta, { width: metaWidth - besideTime, height: meta * 2.8, maxCharacters: 24 });
  const titleSize = sizes.title * scale;
  const title = fit(cased(theme, card.title, language), theme.display, titleSize, {
    width: inner,
    height: Math.max(titleSize, 44) * theme.display.lineHeight * 2.3,
    maxCharacters: 24,
  });
  const bodyBox = { width: inner, height: 420, maxCharacters: frame.shape === 'wide' ? 52 : 34 };
  const hasBody = card.body !== null && arrangement !== 'small';
  const body = hasBody ? fit(card.body, theme.text, sizes.body * scale, bodyBox) : null;
  const gaps = { title: beside ? meta * 0.3 : 32 * scale, body: sizes.body * scale * 0.42 };
  return { padding, icon, beside, textX, metaX, time, name, title, body, gaps };
}

/** Returns the height of app name, time and icon above the title. Some of the icon may extend beyond the card. */
function headHeightOf({ padding, icon, beside, name, time }: ReturnType<typeof setCard>, over: boolean): number {
  if (beside) return name.height;
  return Math.max(name.height + (time?.height ?? 0), over ? icon * 0.42 - padding + 30 : icon);
}

function layOutCard(request: CardRequest, setting: LayoutSetting): Form {
  const { arrangement, alone, width } = request;
  const set = setCard(request, setting);
  const { padding, icon, beside, textX, metaX, time, name, title, body, gaps } = set;
  const over = arrangement === 'over';
  const headHeight = headHeightOf(set, over);
  const block = headHeight + gaps.title + title.height + (body === null ? 0 : gaps.body + body.height);
  const height = Math.max(block, beside ? icon : 0) + 2 * padding;
  const top = (height - block) / 2;
  const titleY = top + headHeight + gaps.title;
  // A single card in a wide frame is as wide as its text.
  const text = Math.max(title.width, body?.width ?? 0, name.width + (time === null ? 0 : time.width + 60));
  const fitted = alone && arrangement === 'beside' ? Math.min(width, textX + text + padding) : width;
  const end = ({ width: own }: TextSet) => fitted - padding - own;
  const besideIcon = beside ? 0 : (icon - (name.height + (time?.height ?? 0))) / 2;
  const metaY = over ? padding * 0.8 : top + besideIcon;
  const texts: PlacedText[] = [{ set: name, x: over ? end(name) : metaX, y: metaY, quiet: false }];
  if (time !== null) {
    const timeX = over || beside ? end(time) : metaX;
    texts.push({ set: time, x: timeX, y: beside ? metaY : metaY + name.height, quiet: true });
  }
  texts.push({ set: title, x: textX, y: titleY, quiet: false });
  if (body !== null) texts.push({ set: body, x: textX, y: titleY + title.height + gaps.body, quiet: true });
  return { width: fitted, height, icon: { x: padding, y: over ? icon * -0.58 : padding, size: icon }, texts };
}

const gap = 26;
/** Visible height of the sheet below a single card. */
const sheetEdge = 30;

function arrangementFor(alone: boolean, wide: boolean): Arrangement {
  if (wide) return 'beside';
  return alone ? 'over' : 'above';
}

/** Returns the largest scale at which the whole staircase fits. */
function layOut(props: NotificationProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const arrangement = arrangementFor(props.cards.length === 1, frame.shape === 'wide');
  const scales = arrangement === 'over' ? [1, 0.9, 0.8, 0.7] : [1.25, 1.12, 1, 0.9, 0.8, 0.7, 0.6, 0.5];
  const layouts = scales.map((scale) => layOutAt(scale, arrangement, props, setting));
  return layouts.find(({ height }) => height <= frame.safe.height) ?? (layouts.at(-1) as Layout);
}

function layOutAt(scale: number, arrangement: Arrangement, { app, cards }: NotificationProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const alone = cards.length === 1;
  const step = wide ? 96 : 34;
  const shift = step * (cards.length - 1);
  const width = safe.width - shift;
  const smalls = cards.map((card) =>
    layOutCard(
      { app, card, arrangement: 'small', alone, width: width * (wide ? 0.78 : 0.94), scale: Math.min(1, scale) },
      setting,
    ),
  );
  const leads = cards.map((card) => layOutCard({ app, card, arrangement, alone, width, scale }, setting));
  const smallHeight = Math.max(...smalls.map(({ height }) => height));
  const above = (smallHeight + gap) * (cards.length - 1);
  const overhang = Math.max(0, ...leads.map(({ icon }) => -icon.y));
  const height = above + overhang + Math.max(...leads.map((lead) => lead.height)) + (alone ? sheetEdge : 0);
  const top = safe.y + Math.max(0, safe.height - height) * (frame.story ? 0.45 : 0.48);
  const weights = cards.map(({ title, body }) => Math.max(1.2, 0.5 + 0.055 * (title.length + (body?.length ?? 0))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    height,
    leads,
    smalls: smalls.map((small) => ({ ...small, height: smallHeight })),
    leadX: alone ? safe.x + (safe.width - (leads[0]?.width ?? 0)) / 2 : safe.x + shift,
    leadY: top + above + overhang,
    steps: cards.slice(1).map((_, index) => ({ x: safe.x + index * step, y: top + index * (smallHeight + gap) })),
    arrivals: weights.map((_, index) => weights.slice(0, index).reduce((sum, weight) => sum + weight, 0) / total),
  };
}

const mixed = (from: number, to: number, share: number) => from + (to - from) * share;

/** Notifications that drop in below a large icon. Each new one pushes the older ones up a staircase, smaller and fainter. */
export function NotificationFormat(props: NotificationProps) {
  const { motion } = useScene();
  const layout = useLayout(layOut, props);
  const starts = layout.arrivals.map((arrival) => motion.when(arrival * Math.max(1, motion.duration - 1.6)));
  return props.cards.map((_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a card is its place.
    <NoticeCard key={index} index={index} props={props} layout={layout} starts={starts} />
  ));
}

interface NoticeCardProps {
  readonly index: number;
  readonly props: NotificationProps;
  readonly layout: Layout;
  readonly starts: readonly number[];
}

function NoticeCard({ index, props, layout, starts }: NoticeCardProps) {
  const { theme, colors, motion, style } = useScene();
  const lead = layout.leads[index] as Form;
  const small = layout.smalls[index] as Form;
  const at = starts[index] ?? 0;
  const later = starts.slice(index + 1);
  const last = later.length === 0;
  const dropped = motion.spring(at, 0.65);
  const shown = motion.enter(at, 0.3);
  if (shown <= 0) return null;
  // Every later card moves this one a step further up.
  const shrunk = motion.draw(later[0] ?? Number.POSITIVE_INFINITY, 0.5);
  const place = later.reduce(
    (from, start, order) => {
      const step = layout.steps[layout.steps.length - 1 - order] ?? from;
      const moved = motion.draw(start, 0.5);
      return { x: mixed(from.x, step.x, moved), y: mixed(from.y, step.y, moved) };
    },
    { x: layout.leadX, y: layout.leadY },
  );
  const width = mixed(lead.width, small.width, shrunk);
  const height = mixed(lead.height, small.height, shrunk);
  const icon = {
    x: mixed(lead.icon.x, small.icon.x, shrunk),
    y: mixed(lead.icon.y, small.icon.y, shrunk),
    size: mixed(lead.icon.size, small.icon.size, shrunk),
  };
  const leave = motion.leave((starts.length - 1 - index) * 0.05);
  const turn = style === 'playful' ? -1.6 * (1 - shrunk) - 6 * (1 - dropped) - leave * 12 : 0;
  // Later cards rise, so that they do not cover the ones above.
  const fall = index === 0 ? 540 : -160;
  const box = { x: 0, y: 0, width, height };
  return (
    <div
      className="box"
      style={{ inset: 0, opacity: shown * (1 - leave), transform: `translateY(${(dropped - 1) * fall - leave * 70}px)` }}
    >
      <Box {...place} width={width} height={height} transform={`rotate(${turn}deg)`}>
        <Inset width={width} height={height}>
          {starts.length === 1 ? <Sheet width={width} height={height} progress={motion.enter(at + 0.3, 0.5)} /> : null}
          {shrunk > 0 ? (
            <theme.Card {...box} seed={index}>
              <Texts form={small} at={0} opacity={Math.max(0, shrunk * 2 - 1)} />
            </theme.Card>
          ) : null}
          {shrunk < 1 ? (
            <div className="box" style={{ inset: 0, opacity: 1 - shrunk }}>
              <theme.Card {...box} tone={colors.dark ? 'ink' : 'plain'} seed={index}>
                <Texts form={lead} at={at + 0.35} opacity={1} />
              </theme.Card>
            </div>
          ) : null}
          <AppIcon {...icon} name={props.icon} letter={[...props.app][0] ?? ''} at={at + 0.25} />
          {last && props.badge !== null ? <Count count={props.badge} icon={lead.icon} at={at + 0.6} /> : null}
        </Inset>
      </Box>
    </div>
  );
}

function Sheet({ width, height, progress }: { readonly width: number; readonly height: number; readonly progress: number }) {
  const { theme, colors } = useScene();
  const radius = theme.radius;
  return (
    <Box
      x={44}
      y={height - radius - 2 - (1 - progress) * 30}
      width={width - 88}
      height={radius + sheetEdge}
      style={{ background: colors.accentFill, borderRadius: `0 0 ${radius}px ${radius}px` }}
    />
  );
}

function Texts({ form, at, opacity }: { readonly form: Form; readonly at: number; readonly opacity: number }) {
  const { motion } = useScene();
  return form.texts.map(({ set, x, y, quiet }, index) => (
    <Lines
      key={`${x} ${y}`}
      set={set}
      x={x}
      y={y}
      color={quiet ? 'color-mix(in srgb, currentColor 80%, transparent)' : 'inherit'}
      entrance="fade"
      progress={() => motion.enter(at + index * 0.07, 0.4) * opacity}
    />
  ));
}

interface AppIconProps {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly name: string | null;
  readonly letter: string;
  readonly at: number;
}

function AppIcon({ x, y, size, name, letter, at }: AppIconProps) {
  const { theme, colors, motion, style } = useScene();
  const shown = motion.spring(at, 0.5);
  const turn = style === 'playful' ? -5 - 20 * (1 - shown) : 0;
  const outlined = theme.stroke >= 6 && theme.radius > 0;
  // Emoji have their own colours, often similar to the accent.
  const plain = colors.dark ? mix(colors.groundBottom, colors.accent, 0.16) : colors.helper;
  const emoji = name?.startsWith('fluent:') ?? false;
  return (
    <Box
      x={x}
      y={y}
      width={size}
      height={size}
      opacity={Math.min(1, shown * 2)}
      transform={`scale(${shown}) rotate(${turn}deg)`}
      style={{
        ...faceStyle(theme.display, size * 0.58, 0),
        display: 'grid',
        placeItems: 'center',
        lineHeight: 1,
        background: emoji ? plain : colors.accentFill,
        color: colors.onAccent,
        borderRadius: Math.min(size * 0.28, theme.radius * 3),
        boxShadow: outlined ? `0 0 0 ${Math.min(6, size * 0.02)}px ${colors.dark ? colors.groundTop : colors.ink}` : undefined,
      }}
    >
      {name === null ? letter : <Icon name={name} size={size * 0.68} stroke={1.8} />}
    </Box>
  );
}

function Count({ count, icon, at }: { readonly count: number; readonly icon: Form['icon']; readonly at: number }) {
  const { theme, colors, motion } = useScene();
  const size = Math.max(72, icon.size * 0.3);
  const steps = Math.min(count, 6);
  const passed = Math.min(steps, 1 + Math.floor(motion.linear(at + 0.2, 0.12 * steps) * steps));
  const [x, y] = [icon.x + icon.size - size * 0.78, icon.y - size * 0.32];
  const shown = motion.spring(at, 0.35);
  return (
    <>
      <Box
        x={x + 2}
        y={y + 2}
        width={size - 4}
        height={size - 4}
        transform={`scale(${shown})`}
        style={{ background: colors.groundTop, borderRadius: '50%' }}
      />
      <theme.Badge x={x} y={y} size={size} progress={shown} index={1} tone="helper">
        {count - steps + passed}
      </theme.Badge>
    </>
  );
}
