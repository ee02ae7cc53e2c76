import { Lines } from '../drawing/lines.tsx';
import type { Motion } from '../drawing/motion.ts';
import { Box, Inset, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, measure, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import type { Colors } from '../themes/colors.ts';
import type { ThemeDesign } from '../themes/theme.ts';

type Side = 'left' | 'right';

interface ChatProps {
  readonly title: string | null;
  readonly messages: readonly { readonly who: string | null; readonly side: Side; readonly text: string }[];
}

interface Message {
  readonly side: Side;
  readonly text: TextSet;
  /** `null` if the same person sent the previous message, or if one name is enough. */
  readonly name: TextSet | null;
  readonly nameAbove: boolean;
  readonly width: number;
  readonly height: number;
  /** Space above the bubble, including the name if there is one. */
  readonly gap: number;
  /** Whether this is the last message, which becomes the title. */
  readonly punchline: boolean;
  /** Fraction of the total reading time before the message is sent, 0 to 1. */
  readonly after: number;
  /** Whether another person is writing, so that typing dots appear first. */
  readonly dots: boolean;
  /** Number of messages after which this one has moved out at the top. */
  readonly goneAt: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly avatar: string | null;
  readonly messages: readonly Message[];
  readonly bubbleX: number;
  readonly right: number;
  readonly bottom: number;
  readonly dotsHeight: number;
}

const padding = { x: 38, y: 24 };
const dotsWidth = 146;
const avatarSize = 100;
/** Maximum characters of a last message that becomes the title. A longer one stays in its bubble. */
const longestPunchline = 40;
const dotsSeconds = 0.6;
const nameHeight = 50;

/** Uses a slightly smaller size if the whole conversation then fits. Otherwise, its first messages move out at the top. */
function layOut(props: ChatProps, setting: LayoutSetting): Layout {
  const layouts = [1, 0.92, 0.84].map((density) => layOutAt(density, props, setting));
  return layouts.find(({ messages }) => messages.every(({ goneAt }) => !Number.isFinite(goneAt))) ?? (layouts[0] as Layout);
}

function layOutAt(density: number, { title, messages }: ChatProps, { frame, theme, language }: LayoutSetting): Layout {
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const people = new Set(messages.filter(({ side }) => side === 'left').map(({ who }) => who));
  const named = wide || people.size > 1 || !people.has(title);
  // In a wide frame, names have a separate column, as in a play script. The title is omitted if it equals a name.
  const names = setTexts(
    messages.map(({ who }) => ({
      text: who ?? '',
      face: theme.strong,
      size: 36,
      width: wide ? 290 : safe.width * 0.7,
      height: wide ? 84 : nameHeight,
      lineHeight: 1.15,
    })),
  );
  const column = wide ? Math.max(...names.map(({ width }) => width)) : 0;
  const bubbleX = safe.x + (column > 0 ? column + 44 : 0);
  const room = safe.x + safe.width - bubbleX;
  const heading = title === null || (wide && people.has(title)) ? null : title;
  const titleSet =
    heading === null
      ? null
      : setText({
          text: cased(theme, heading, language),
          face: theme.display,
          size: 58,
          width: safe.width - avatarSize - 30,
          height: 130,
          maxCharacters: 40,
        });
  const headHeight = titleSet === null ? 0 : Math.max(avatarSize, titleSet.height) + 56;

  const size = (wide ? 46 : 48) * density;
  const bubbles = setTexts(
    messages.map(({ text }) => ({
      text,
      face: theme.text,
      size,
      minSize: 36,
      width: Math.min(wide ? 1240 : 780, room * 0.9) - 2 * padding.x,
      height: 420,
      maxCharacters: wide ? 64 : 30,
      lineHeight: Math.max(1.24, theme.text.lineHeight * 0.98),
    })),
  );
  const shared = bubbles[0]?.size ?? size;
  const titleSize = messages.length === 1 ? 210 : 126 * density;
  const weights = messages.map(({ text }) => Math.max(0.9, 0.5 + 0.1 * measure(theme.text, text)));
  const total = weights.reduce((sum, weight) => sum + weight, 0) + 1.6;
  const voiceGap = (wide ? 26 : 40) * density ** 2;
  let passed = 0;
  const placed = messages.map(({ side, text, who }, index): Message => {
    const before = messages[index - 1];
    const sameVoice = before !== undefined && before.side === side && before.who === who;
    const last = index === messages.length - 1;
    const punchline = last && [...text].length <= longestPunchline;
    const set = last
      ? setLast(text, punchline, { theme, language, room, wide, titleSize, bubbleSize: shared * 1.25, height: safe.height * 0.5 })
      : (bubbles[index] as TextSet);
    const name = !named || sameVoice || who === null ? null : (names[index] ?? null);
    const nameAbove = !wide && name !== null;
    const after = passed / total;
    passed += weights[index] ?? 0;
    const gap = sameVoice && !punchline ? 12 : voiceGap;
    const margin = punchline ? { x: 0, y: 4 } : padding;
    return {
      side,
      text: set,
      name,
      nameAbove,
      width: set.width + 2 * margin.x,
      height: set.height + 2 * margin.y,
      gap: (index === 0 ? 0 : gap) + (nameAbove ? nameHeight : 0),
      punchline,
      after,
      dots: !sameVoice && index > 0,
      goneAt: Number.POSITIVE_INFINITY,
    };
  });

  const areaHeight = safe.height - headHeight;
  const stack = placed.reduce((sum, { gap, height }) => sum + gap + height, 0);
  const free = Math.max(0, areaHeight - stack);
  const below = frame.story ? 0 : free * 0.5;
  return {
    title: titleSet,
    titleY: safe.y + free - below,
    avatar: heading === null ? null : ([...heading][0] ?? null),
    messages: placed.map((message, index) => ({ ...message, goneAt: goneAfter(index, placed, areaHeight) })),
    bubbleX,
    right: safe.x + safe.width,
    bottom: safe.y + safe.height - below,
    dotsHeight: shared * 1.25 + 2 * padding.y,
  };
}

/** Sets the last message as a title, or as a bubble with larger text. */
function setLast(
  text: string,
  punchline: boolean,
  {
    theme,
    language,
    room,
    wide,
    titleSize,
    bubbleSize,
    height,
  }: Pick<LayoutSetting, 'theme' | 'language'> & {
    readonly room: number;
    readonly wide: boolean;
    readonly titleSize: number;
    readonly bubbleSize: number;
    readonly height: number;
  },
): TextSet {
  return punchline
    ? setText({
        text: cased(theme, text, language),
        face: theme.display,
        size: titleSize,
        minSize: 60,
        width: room,
        height,
        maxCharacters: 22,
      })
    : setText({ text, face: theme.text, size: bubbleSize, width: room - 2 * padding.x, height, maxCharacters: wide ? 50 : 26 });
}

/** Returns the first message that leaves no space for the one at `index`. */
function goneAfter(index: number, messages: readonly Message[], room: number): number {
  let height = 0;
  for (let later = index; later < messages.length; later += 1) {
    const message = messages[later] as Message;
    height += message.height + (later === index && !message.nameAbove ? 0 : message.gap);
    if (height > room && later > index) return later;
  }
  return Number.POSITIVE_INFINITY;
}

function fillsOf(side: Side, theme: ThemeDesign, colors: Colors) {
  const outlined = theme.stroke >= 6 && theme.radius > 0;
  const quiet = colors.dark ? mix(colors.surface, colors.ink, 0.06) : mix(colors.groundBottom, colors.ink, 0.09);
  const outline = colors.dark ? colors.muted : colors.ink;
  const plain = outlined ? colors.surface : quiet;
  return {
    fill: side === 'right' ? colors.accentFill : plain,
    ink: side === 'right' ? colors.onAccent : colors.ink,
    shadow: outlined ? `inset 0 0 0 ${theme.stroke * 0.7}px ${outline}` : undefined,
  };
}

interface Progress {
  readonly at: number;
  /** Transition from dots to text, 0 to 1. */
  readonly grown: number;
  readonly bottom: number;
  readonly opacity: number;
}

const mixed = (from: number, to: number, share: number) => from + (to - from) * share;

/** Each message pushes up the earlier ones, first with its dots and then with its text. */
function progressOf({ messages, bottom, dotsHeight }: Layout, motion: Motion): Progress[] {
  const starts = messages.map(({ after }) => motion.when(0.3 + after * (motion.duration - 0.3)));
  const startOf = (index: number) => starts[index] ?? Number.POSITIVE_INFINITY;
  let below = 0;
  return messages
    .map((message, index): Progress => {
      const at = startOf(index);
      const grown = message.dots ? motion.draw(at + dotsSeconds, 0.35) : 1;
      const away = motion.leave(message.punchline ? 0 : (messages.length - index) * 0.03);
      const gone = motion.enter(startOf(message.goneAt) - 0.04, 0.35);
      return { at, grown, bottom: -60 * away, opacity: (1 - gone) * (1 - away) };
    })
    .toReversed()
    .map((progress, index): Progress => {
      const message = messages[messages.length - 1 - index] as Message;
      const placed = { ...progress, bottom: progress.bottom + bottom - below };
      below += motion.enter(progress.at - 0.04, 0.4) * (message.gap + mixed(dotsHeight, message.height, progress.grown));
      return placed;
    })
    .toReversed();
}

/** A conversation that grows from the bottom of the frame. Its last message leaves the bubble and becomes the title. */
export function ChatFormat(props: ChatProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { messages, title } = layout;
  const progress = progressOf(layout, motion);
  const leave = motion.leave();
  return (
    <>
      {title === null ? null : (
        <>
          <theme.Badge
            x={frame.safe.x}
            y={layout.titleY}
            size={avatarSize}
            progress={motion.spring(0) * (1 - leave)}
            index={1}
            tone="helper"
          >
            {layout.avatar}
          </theme.Badge>
          <Lines
            set={title}
            x={frame.safe.x + avatarSize + 30}
            y={layout.titleY + (avatarSize - title.height) / 2}
            color={colors.ink}
            entrance="fade"
            progress={() => motion.enter(0.1, 0.4)}
            leave={leave}
          />
        </>
      )}
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place.
        <Speech key={index} message={message} layout={layout} progress={progress[index] as Progress} />
      ))}
    </>
  );
}

interface SpeechProps {
  readonly message: Message;
  readonly layout: Layout;
  readonly progress: Progress;
}

function Speech({ message, layout, progress }: SpeechProps) {
  const { frame, colors, motion } = useScene();
  const { name, text, side } = message;
  const { at, bottom, opacity, grown } = progress;
  const shown = motion.enter(at, 0.35);
  if (shown <= 0 || opacity <= 0) return null;
  const height = message.dots ? mixed(layout.dotsHeight, message.height, grown) : message.height;
  const top = bottom - height;
  const firstLine = top + Math.min(height / 2, (message.punchline ? 0 : padding.y) + text.lineStep / 2);
  const besideName = name === null ? 0 : firstLine - name.lineStep / 2;
  return (
    <>
      {name === null ? null : (
        <Lines
          set={name}
          x={message.nameAbove ? edgeOf(side, name.width, layout) : frame.safe.x}
          y={message.nameAbove ? top - nameHeight : besideName}
          color={colors.helper}
          entrance="fade"
          progress={() => shown * opacity}
        />
      )}
      {message.punchline ? (
        <Punchline message={message} layout={layout} progress={progress} />
      ) : (
        <Bubble message={message} layout={layout} progress={progress} />
      )}
    </>
  );
}

function edgeOf(side: Side, width: number, { bubbleX, right }: Layout): number {
  return side === 'left' ? bubbleX : right - width;
}

function Bubble({ message, layout, progress }: SpeechProps) {
  const { theme, colors, motion, rightToLeft } = useScene();
  const { side, text, dots, punchline } = message;
  const { at, grown, bottom, opacity } = progress;
  const growth = punchline ? 0 : grown;
  const width = dots ? mixed(dotsWidth, message.width, growth) : message.width;
  const height = dots ? mixed(layout.dotsHeight, message.height, growth) : message.height;
  const { fill, ink, shadow } = fillsOf(side, theme, colors);
  const radius = Math.min(44, theme.radius * 1.6);
  const origin = (side === 'left') !== rightToLeft ? '0% 100%' : '100% 100%';
  return (
    <Box
      x={edgeOf(side, width, layout)}
      y={bottom - height}
      width={width}
      height={height}
      opacity={Math.min(1, motion.enter(at, 0.35) * 1.4) * opacity}
      transform={`scale(${0.85 + 0.15 * motion.spring(at, 0.45)})`}
      style={{
        background: fill,
        boxShadow: shadow,
        borderRadius: radius,
        [side === 'left' ? 'borderEndStartRadius' : 'borderEndEndRadius']: Math.min(8, radius),
        transformOrigin: origin,
      }}
    >
      {dots && grown < 0.5 ? <Dots width={width} height={height} color={ink} opacity={1 - growth * 2} at={at} /> : null}
      {punchline ? null : (
        <Inset width={width} height={height}>
          <Lines set={text} x={padding.x} y={padding.y} color={ink} entrance="fade" progress={() => Math.max(0, grown * 2 - 1)} />
        </Inset>
      )}
    </Box>
  );
}

/** Fades the bubble with its dots, while the text grows to title size. */
function Punchline({ message, layout, progress }: SpeechProps) {
  const { frame, colors, motion, rightToLeft } = useScene();
  const { side, text, height, dots } = message;
  const { at, grown, bottom, opacity } = progress;
  const said = motion.enter(dots ? at + dotsSeconds : at, 0.6);
  const x = edgeOf(side, text.width, layout);
  const edge = (side === 'left') !== rightToLeft ? frame.left(x, text.width) : frame.left(x, text.width) + text.width;
  return (
    <>
      {dots && grown < 1 ? (
        <Bubble message={message} layout={layout} progress={{ ...progress, opacity: opacity * (1 - grown) }} />
      ) : null}
      <div
        className="box"
        style={{
          inset: 0,
          opacity: opacity * Math.max(0, grown * 2 - 1),
          transform: `scale(${0.42 + 0.58 * said})`,
          transformOrigin: `${edge}px ${bottom}px`,
        }}
      >
        <Lines
          set={text}
          x={x}
          y={bottom - height}
          align={side === 'left' ? 'start' : 'end'}
          color={side === 'left' ? colors.ink : colors.accent}
          entrance="none"
          progress={() => 1}
        />
      </div>
    </>
  );
}

const dotPlaces = [-1, 0, 1];

function Dots({
  width,
  height,
  color,
  opacity,
  at,
}: {
  readonly width: number;
  readonly height: number;
  readonly color: string;
  readonly opacity: number;
  readonly at: number;
}) {
  const { motion } = useScene();
  return (
    <svg aria-hidden width={width} height={height} opacity={opacity}>
      {dotPlaces.map((place) => {
        const wave = Math.max(0, Math.sin((motion.seconds - at) * 9 - (place + 1) * 0.9));
        return (
          <circle
            key={place}
            cx={width / 2 + place * 30}
            cy={height / 2 - wave * 9}
            r={9}
            fill={color}
            opacity={0.55 + 0.45 * wave}
          />
        );
      })}
    </svg>
  );
}
