import { figure } from '../drawing/figures.ts';
import { Icon } from '../drawing/icon.tsx';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Picture } from '../drawing/picture.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, isIdeographic, measure, setText, type TextSet, withOwnLine } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import type { Face } from '../themes/theme.ts';

interface SocialPostProps {
  readonly name: string;
  readonly handle: string | null;
  readonly avatar: string | null;
  readonly icon: string | null;
  readonly text: string;
  readonly emphasis: string | null;
  readonly likes: number | null;
  readonly reposts: number | null;
  readonly replies: number | null;
}

interface Count {
  readonly kind: 'likes' | 'reposts' | 'replies';
  readonly value: number;
  readonly x: number;
  readonly size: number;
  readonly width: number;
}

interface Layout {
  readonly avatar: { readonly x: number; readonly y: number; readonly size: number };
  readonly name: TextSet;
  readonly handle: TextSet | null;
  readonly nameX: number;
  readonly nameY: number;
  readonly text: TextSet;
  readonly textX: number;
  readonly textY: number;
  readonly ruleY: number;
  readonly length: number;
  readonly counts: readonly Count[];
  readonly countsY: number;
}

const iconSpace = 1.35;

function sizeFor(text: string): number {
  const signs = [...text].length * (isIdeographic(text) ? 1.8 : 1);
  if (signs <= 24) return 216;
  if (signs <= 100) return 136;
  return signs <= 170 ? 104 : 78;
}

/** Formats counts: static ones are short (1.2 M); likes, which count up, are written in full. */
function countText(kind: Count['kind'], value: number, language: string): string {
  if (kind === 'likes' || value < 100_000) return figure(Math.round(value), 0, language);
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** Returns the width in em. Counting digits have equal width. */
function countWidth(face: Face, kind: Count['kind'], value: number, language: string): number {
  return measure(face, countText(kind, value, language).replace(/\p{Nd}/gu, '0'));
}

/** Lays out the likes, large, at the start of the line, and the other counts, small, at its end. */
function layOutCounts(
  { likes, reposts, replies, text }: SocialPostProps,
  { x, length }: { readonly x: number; readonly length: number },
  { theme, language }: LayoutSetting,
): Count[] {
  const small = 46;
  const others = (['reposts', 'replies'] as const).flatMap((kind) => {
    const value = { reposts, replies }[kind];
    if (value === null) return [];
    return [{ kind, value, size: small, width: small * (iconSpace + countWidth(theme.strong, kind, value, language)) }];
  });
  const othersWidth = others.reduce((sum, { width }) => sum + width + 48, 0);
  const em = likes === null ? 0 : 1.15 + countWidth(theme.figures, 'likes', likes, language);
  const size = Math.min(sizeFor(text) <= 78 ? small * 1.2 : 112, (length - othersWidth - 20) / Math.max(1, em));
  const lead: Count[] = likes === null ? [] : [{ kind: 'likes', value: likes, x, size, width: em * size }];
  let next = likes === null ? x : x + length - othersWidth + 48;
  const placed = others.map((count): Count => {
    const at = next;
    next += count.width + 48;
    return { ...count, x: at };
  });
  return [...lead, ...placed];
}

function layOut(props: SocialPostProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const avatarSize = wide ? 168 : 132;
  // In a wide frame, the author has a column at the side.
  const textX = wide ? safe.x + safe.width * 0.29 : safe.x;
  const length = safe.x + safe.width - textX;
  const authorWidth = wide ? safe.width * 0.25 : safe.width - avatarSize - 32;
  const name = setText({
    text: props.name,
    face: theme.strong,
    size: 50,
    width: authorWidth,
    height: wide ? 180 : 120,
    maxCharacters: wide ? 18 : 30,
    lineHeight: 1.14,
  });
  const handle =
    props.handle === null
      ? null
      : setText({
          // A direction mark keeps the @ in front of the handle in right-to-left films.
          text: frame.rightToLeft ? `\u200e${props.handle}` : props.handle,
          face: theme.text,
          size: 40,
          width: authorWidth,
          height: 100,
          maxCharacters: 31,
          lineHeight: 1.2,
        });
  const author = name.height + (handle === null ? 0 : handle.height + 4);
  const headHeight = wide ? 0 : Math.max(avatarSize, author) + 64;
  const counts = layOutCounts(props, { x: textX, length }, setting);
  const tallest = Math.max(0, ...counts.map((count) => count.size));
  const footHeight = counts.length === 0 ? 0 : tallest * 1.1 + 100;
  const size = Math.min(sizeFor(props.text), length / (frame.shape === 'wide' ? 4 : 6.6));
  const text = setText({
    text: withOwnLine(cased(theme, props.text, language), props.emphasis, { face: theme.display, size, width: length }),
    face: theme.display,
    size,
    minSize: 48,
    width: length,
    height: safe.height - headHeight - footHeight,
    maxCharacters: [...props.text].length > 120 ? 42 : 26,
    lineHeight: isIdeographic(props.text) ? 1.42 : Math.max(1.05, theme.display.lineHeight),
  });
  const columnHeight = wide ? avatarSize + 32 + author : 0;
  const block = Math.max(headHeight + text.height + footHeight, columnHeight);
  const top = safe.y + (safe.height - block) * 0.44;
  const textY = top + headHeight;
  const ruleY = textY + text.height + 40;
  const avatarY = wide
    ? textY + Math.min(28, (text.lineStep - text.size * 0.72) / 2)
    : top + Math.max(0, (author - avatarSize) / 2);
  return {
    avatar: { x: safe.x, y: avatarY, size: avatarSize },
    name,
    handle,
    nameX: wide ? safe.x : safe.x + avatarSize + 32,
    nameY: wide ? avatarY + avatarSize + 32 : avatarY + (avatarSize - author) / 2,
    text,
    textX,
    textY,
    ruleY,
    length,
    counts,
    countsY: ruleY + 52 + tallest * 0.55,
  };
}

/** Shows a post that fills the frame. Only its likes keep changing. */
export function SocialPostFormat(props: SocialPostProps) {
  const { theme, colors, motion, language } = useScene();
  const layout = useLayout(layOut, props);
  const { name, handle, text, counts } = layout;
  const leave = motion.leave(0.07);
  const step = motion.stagger(text.lines.length) * 1.3;
  return (
    <>
      <Avatar {...layout.avatar} image={props.avatar} icon={props.icon} letter={[...props.name][0] ?? ''} leave={leave} />
      <Lines
        set={name}
        x={layout.nameX}
        y={layout.nameY}
        color={colors.ink}
        entrance="fade"
        progress={() => motion.enter(0.06, 0.4)}
        leave={leave}
      />
      {handle === null ? null : (
        <Lines
          set={handle}
          x={layout.nameX}
          y={layout.nameY + name.height + 4}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(0.12, 0.4)}
          leave={leave}
        />
      )}
      <Lines
        set={text}
        x={layout.textX}
        y={layout.textY}
        color={colors.ink}
        progress={(line) => motion.enter(0.25 + line * step, 0.55)}
        emphasis={props.emphasis === null ? [] : [cased(theme, props.emphasis, language)]}
        emphasisColor={mix(colors.ink, colors.accent, motion.draw(0.8 + text.lines.length * step, 0.35))}
        leave={leave}
      />
      {counts.length === 0 ? null : (
        <theme.Rule
          x={layout.textX}
          y={layout.ruleY}
          length={layout.length * (1 - leave)}
          progress={motion.draw(0.8, 0.6)}
          tone="ink"
        />
      )}
      {counts.map((count) => (
        <CountFigure key={count.kind} count={count} y={layout.countsY} />
      ))}
    </>
  );
}

function Avatar({
  x,
  y,
  size,
  image,
  icon,
  letter,
  leave,
}: Layout['avatar'] & {
  readonly image: string | null;
  readonly icon: string | null;
  readonly letter: string;
  readonly leave: number;
}) {
  const { theme, motion } = useScene();
  const shown = motion.spring(0, 0.5) * (1 - leave);
  if (image === null)
    return (
      <theme.Badge x={x} y={y} size={size} progress={shown} index={0} tone="accent">
        {icon === null ? letter : <Icon name={icon} size={size * 0.58} />}
      </theme.Badge>
    );
  return (
    <Box
      x={x}
      y={y}
      width={size}
      height={size}
      opacity={Math.min(1, shown * 2)}
      transform={`scale(${0.8 + 0.2 * shown})`}
      style={{ overflow: 'hidden', borderRadius: theme.radius === 0 ? 0 : '50%' }}
    >
      <Picture src={image} style={{ width: size, height: size, objectFit: 'cover' }} />
    </Box>
  );
}

/** Lucide's repeat-2 and message-circle, in a view box of 24. */
const smallIcons = {
  reposts: 'm2 9 3-3 3 3M13 18H7a2 2 0 0 1-2-2V6M22 15l-3 3-3-3M11 6h6a2 2 0 0 1 2 2v10',
  replies:
    'M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719',
};

function CountFigure({ count, y }: { readonly count: Count; readonly y: number }) {
  const { theme, colors, motion, language } = useScene();
  const { kind, value, x, size, width } = count;
  const liked = kind === 'likes';
  const shown = motion.enter(liked ? 0.9 : 1, 0.4);
  const leave = motion.leave(0.07);
  const counted = liked ? value * (0.92 + 0.08 * motion.enter(1.2, 1.6)) : value;
  const start = size * (liked ? 1.15 : iconSpace);
  return (
    <>
      {liked ? (
        <Heart x={x} y={y - size / 2} size={size * 0.94} shown={shown} />
      ) : (
        <Box x={x} y={y - size / 2} width={size} height={size} opacity={shown * (1 - leave)}>
          <svg
            aria-hidden
            width={size}
            height={size}
            viewBox="0 0 24 24"
            fill="none"
            stroke={colors.muted}
            strokeWidth={2.2}
            strokeLinecap="round"
            strokeLinejoin="round"
          >
            <path d={smallIcons[kind]} />
          </svg>
        </Box>
      )}
      <Box
        x={x + start}
        y={y - size * 0.6 - leave * 30}
        width={width - start}
        height={size * 1.2}
        opacity={shown * (1 - leave)}
        style={{
          ...faceStyle(liked ? theme.figures : theme.strong, size),
          lineHeight: `${size * 1.2}px`,
          fontVariantNumeric: 'tabular-nums',
          whiteSpace: 'pre',
          color: liked ? colors.accent : colors.muted,
        }}
      >
        {countText(kind, counted, language)}
      </Box>
    </>
  );
}

const heart =
  'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5';
const rays = [0, 1, 2, 3, 4, 5];

/** Draws an outline that is pressed, fills and beats once. It leaves last. */
function Heart({ x, y, size, shown }: { readonly x: number; readonly y: number; readonly size: number; readonly shown: number }) {
  const { colors, motion, style } = useScene();
  const filled = motion.draw(1.15, 0.3);
  const beat = style === 'cinematic' ? 0 : 0.24 * Math.sin(Math.PI * motion.linear(1.2, 0.35));
  const scale = 1 - 0.2 * motion.draw(1, 0.15) + 0.2 * motion.spring(1.15, 0.5) + beat;
  const burst = style === 'playful' ? motion.enter(1.25, 0.6) : 1;
  const out = 13 + 5 * burst;
  return (
    <Box x={x} y={y} width={size} height={size} opacity={shown} transform={`scale(${scale * (1 - motion.leave())})`}>
      <svg
        aria-hidden
        width={size}
        height={size}
        viewBox="0 0 24 24"
        stroke={colors.accent}
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={heart} fill={colors.accent} fillOpacity={filled} />
        {burst <= 0 || burst >= 1
          ? null
          : rays.map((ray) => (
              <path
                key={ray}
                transform={`rotate(${ray * 60} 12 12)`}
                d={`M12 ${12 - out}V${12 - out - 3 * (1 - burst)}`}
                opacity={1 - burst}
              />
            ))}
      </svg>
    </Box>
  );
}
